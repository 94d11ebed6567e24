import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeTracesJson } from '../../../src/ingest/otlp/json-to-protobuf.ts';
import { decodeProto } from '../../support/otlp-proto.ts';

describe('spans of the JavaScript SDK', () => {
  const bodies: Buffer[] = [];
  let server: Server;
  let url: string;

  beforeAll(async () => {
    server = createServer((request, response) => void answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`;
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    bodies.push(await buffer(request));
    const contentType = request.headers['content-type'] ?? '';
    response.setHeader('content-type', contentType);
    response.end(contentType === 'application/json' ? '{}' : '');
  }

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** The body with which an exporter sends `spans`. */
  async function sent(exporter: SpanExporter, spans: ReadableSpan[]): Promise<Buffer> {
    const { promise, resolve } = Promise.withResolvers<number>();
    exporter.export(spans, ({ code }) => resolve(code));
    expect(await promise).toBe(0);
    await exporter.shutdown();
    return bodies.pop() as Buffer;
  }

  async function inBothEncodings(spans: ReadableSpan[]): Promise<[json: Buffer, protobuf: Buffer]> {
    return [await sent(new JsonExporter({ url }), spans), await sent(new ProtobufExporter({ url }), spans)];
  }

  it('sent as JSON become the bytes of the same spans sent as protobuf', async () => {
    const [json, protobuf] = await inBothEncodings(recordSpans());
    const encoded = encodeTracesJson(json);
    expect(decodeProto('ExportTraceServiceRequest', encoded)).toEqual(
      decodeProto('ExportTraceServiceRequest', protobuf),
    );
    expect(encoded.equals(protobuf)).toBe(true);
  });

  it('keep all but a number that JSON cannot express', async () => {
    const spans = recordSpans({ nan: Number.NaN });
    const [json, protobuf] = await inBothEncodings(spans);
    const attributesOf = (bytes: Buffer) =>
      JSON.stringify(decodeProto('ExportTraceServiceRequest', bytes)).match(/"nan","value":(\{.*?\})/)?.[1];
    expect(attributesOf(encodeTracesJson(json))).toBe('{}');
    expect(attributesOf(protobuf)).toBe('{"doubleValue":null}');
  });
});

/** A server span with a remote parent, and within it one with everything a span may have. */
function recordSpans(more: Record<string, number> = {}): ReadableSpan[] {
  const memory = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'chat', 'host.cpus': 8, tags: ['a', 'b'] }),
    spanProcessors: [new SimpleSpanProcessor(memory)],
    spanLimits: { attributeCountLimit: 20 },
  });
  const remote = trace.setSpanContext(ROOT_CONTEXT, {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  });
  const request = provider
    .getTracer('http', '1.2.3', { schemaUrl: 'https://opentelemetry.io/schemas/1.41.0' })
    .startSpan('POST /chat', { kind: SpanKind.SERVER }, remote);
  const call = provider.getTracer('llm').startSpan(
    'chat gpt',
    {
      kind: SpanKind.CLIENT,
      links: [{ context: request.spanContext(), attributes: { why: 'retry' } }],
      attributes: {
        text: 'Grüße, 世界 😀 \u0000 "quoted"',
        empty: '',
        long: 'x'.repeat(5000),
        yes: true,
        no: false,
        zero: 0,
        minus: -3,
        'beyond.doubles': 2 ** 53 + 2,
        'minus.beyond.doubles': -(2 ** 53) - 2,
        'beyond.int64': 1e21,
        'just.beyond.int64': 2 ** 63,
        ratio: 0.1,
        tiny: -5e-324,
        texts: ['a', 'b', ''],
        numbers: [1, -2, 0.5],
        none: [],
        ...more,
      },
    },
    trace.setSpan(ROOT_CONTEXT, request),
  );
  for (let index = 0; index < 10; index++) call.setAttribute(`dropped.${index}`, index);
  call.addEvent('first token', { index: 0 });
  call.addEvent('bare');
  call.recordException(new RangeError('too long'));
  call.setStatus({ code: SpanStatusCode.ERROR, message: 'too long' });
  call.end();
  request.setStatus({ code: SpanStatusCode.OK });
  request.end();
  return memory.getFinishedSpans();
}
