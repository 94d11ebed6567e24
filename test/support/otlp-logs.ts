/** Log records written short, as the OTLP a sender would make of them. */
import type { IncomingLog } from '../../src/traces/log-batch.ts';
import { encodeProto, type Plain } from './otlp-proto.ts';
import { BASE_NS, hexId, keyValues, anyValue, type Value, type Values } from './spans.ts';

export interface LogSpec {
  /** Ids are numbers, or hex digits as they are; null = left out. */
  trace?: number | string | null;
  span?: number | string | null;
  event?: string;
  body?: Value;
  attributes?: Values;
  /** Nanoseconds after BASE_NS. */
  time?: number;
}

/** A LogRecord as JSON; its ids are hex digits. */
export function logJson({
  trace = 1,
  span = 1,
  event = 'gen_ai.choice',
  body = 'hello',
  attributes = {},
  time = 0,
}: LogSpec): Plain {
  return {
    timeUnixNano: String(BASE_NS + BigInt(time)),
    severityNumber: 9,
    body: anyValue(body),
    attributes: keyValues(attributes),
    ...(trace === null ? {} : { traceId: hexId(trace, 16) }),
    ...(span === null ? {} : { spanId: hexId(span, 8) }),
    ...(event === '' ? {} : { eventName: event }),
  };
}

/** The same as protobufjs takes it: its ids are bytes. */
function logMessage(spec: LogSpec): Plain {
  const { traceId, spanId, ...rest } = logJson(spec) as { traceId?: string; spanId?: string };
  return {
    ...rest,
    ...(traceId === undefined ? {} : { traceId: Buffer.from(traceId, 'hex') }),
    ...(spanId === undefined ? {} : { spanId: Buffer.from(spanId, 'hex') }),
  };
}

export const logBytes = (spec: LogSpec): Buffer => encodeProto('LogRecord', logMessage(spec));

const RESOURCE = { attributes: keyValues({ 'service.name': 'app' }) };
const inEnvelope = (logRecords: readonly unknown[]): Plain => ({
  resourceLogs: [{ resource: RESOURCE, scopeLogs: [{ scope: { name: 'test' }, logRecords }] }],
});

/** An ExportLogsServiceRequest, in either encoding. */
export const logsProtobuf = (specs: readonly LogSpec[]): Buffer =>
  encodeProto('ExportLogsServiceRequest', inEnvelope(specs.map(logMessage)));
export const logsJson = (specs: readonly LogSpec[]): Buffer =>
  Buffer.from(JSON.stringify(inEnvelope(specs.map(logJson))));

export function incomingLogs(specs: readonly LogSpec[]): IncomingLog[] {
  return specs.map((spec) => ({
    traceId: Buffer.from(hexId(spec.trace ?? 1, 16), 'hex'),
    spanId: Buffer.from(hexId(spec.span ?? 1, 8), 'hex'),
    bytes: logBytes(spec),
  }));
}
