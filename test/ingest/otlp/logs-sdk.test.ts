import { JsonLogsSerializer, ProtobufLogsSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { expect, it } from 'vitest';
import { encodeLogsJson } from '../../../src/ingest/otlp/json-to-protobuf.ts';
import { type ScannedLogs, scanLogs as scanLogsSteps } from '../../../src/ingest/otlp/scan-logs.ts';
import { decodeLogRecord } from '../../../src/traces/log-record.ts';
import { inOneTurn } from '../../../src/runtime/steps.ts';

const scanLogs = (body: Buffer): ScannedLogs => inOneTurn(scanLogsSteps(body));

type LogRecords = Parameters<typeof ProtobufLogsSerializer.serializeRequest>[0];

const spanContext = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  traceFlags: 1,
};
const record: LogRecords[number] = {
  hrTime: [1_767_225_600, 5],
  hrTimeObserved: [1_767_225_600, 9],
  spanContext,
  severityText: 'INFO',
  eventName: 'gen_ai.user.message',
  body: { content: 'What is the capital of France?', parts: [1, true, null, { x: 0.5 }] },
  resource: resourceFromAttributes({ 'service.name': 'shop' }),
  instrumentationScope: { name: 'openai', version: '1.2.3' },
  attributes: { 'gen_ai.system': 'openai' },
  droppedAttributesCount: 0,
};
const { spanContext: _, ...withoutSpan } = record;
const records: LogRecords = [record, withoutSpan];

it('log records of the JavaScript SDK become the same bytes from either encoding', () => {
  const protobuf = scanLogs(Buffer.from(ProtobufLogsSerializer.serializeRequest(records) as Uint8Array));
  const json = scanLogs(
    encodeLogsJson(Buffer.from(JsonLogsSerializer.serializeRequest(records) as Uint8Array)),
  );
  expect(json).toEqual(protobuf);
  expect(protobuf.dropped).toBe(1);
  expect(protobuf.records.map(({ bytes }) => decodeLogRecord(bytes))).toEqual([
    {
      traceId: Buffer.from(spanContext.traceId, 'hex'),
      spanId: Buffer.from(spanContext.spanId, 'hex'),
      time: 1_767_225_600_000_000_005n,
      eventName: 'gen_ai.user.message',
      severity: 'INFO',
      body: record.body,
      attributes: { 'gen_ai.system': 'openai' },
    },
  ]);
});
