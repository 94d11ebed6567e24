/** Spans written short, as the OTLP a sender would make of them (by protobufjs) and as the server takes them in. */
import { scanTraces } from '../../src/ingest/otlp/scan.ts';
import { buildBatch, type SpanBatch } from '../../src/traces/batch.ts';
import { createPriceList } from '../../src/traces/prices/price-list.ts';
import type { IncomingSpan } from '../../src/traces/span.ts';
import { encodeProto, type Plain } from './otlp-proto.ts';

/** The built-in prices. */
export const PRICES = createPriceList();

export type Value =
  | string
  | number
  | bigint
  | boolean
  | null
  | Uint8Array
  | readonly Value[]
  | { readonly [key: string]: Value };
export type Values = Readonly<Record<string, Value>>;

export interface SpanSpec {
  /** Ids are numbers, or hex digits as they are. */
  trace?: number | string;
  id: number | string;
  parent?: number | string;
  name?: string;
  /** Nanoseconds after BASE_NS; a span takes 1 ms by default. */
  start?: number;
  end?: number;
  status?: number;
  message?: string;
  attributes?: Values;
  resource?: Values;
  scope?: string;
  flags?: number;
}

/** Unix nanoseconds of 2026-01-01T00:00:00Z. */
export const BASE_NS = 1_767_225_600_000_000_000n;
export const BASE_MS = 1_767_225_600_000;
export const MS = 1_000_000;

export const hexId = (id: number | string, bytes: 8 | 16): string =>
  typeof id === 'number' ? id.toString(16).padStart(bytes * 2, '0') : id;
export const spanHex = (id: number | string): string => hexId(id, 8);
export const traceBytes = (id: number | string): Buffer => Buffer.from(hexId(id, 16), 'hex');

/** The uuid whose last digits are `n`. */
export const uuid = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

/** Converts a value to an AnyValue for `encodeProto`: whole numbers are `intValue`, null is the empty value. */
export function anyValue(value: Value): Plain {
  if (value === null) return {};
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'bigint') return { intValue: String(value) };
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: value } : { doubleValue: value };
  if (value instanceof Uint8Array) return { bytesValue: value };
  if (isList(value)) return { arrayValue: { values: value.map(anyValue) } };
  return { kvlistValue: { values: keyValues(value) } };
}

export function keyValues(values: Values): Plain[] {
  return Object.entries(values).map(([key, value]) => ({ key, value: anyValue(value) }));
}

export function spanMessage(spec: SpanSpec): Plain {
  const {
    trace = 1,
    id,
    parent,
    name = 'span',
    start = 0,
    end = start + MS,
    status = 0,
    message = '',
  } = spec;
  return {
    traceId: traceBytes(trace),
    spanId: Buffer.from(spanHex(id), 'hex'),
    ...(parent === undefined ? {} : { parentSpanId: Buffer.from(spanHex(parent), 'hex') }),
    name,
    startTimeUnixNano: String(BASE_NS + BigInt(start)),
    endTimeUnixNano: String(BASE_NS + BigInt(end)),
    attributes: keyValues(spec.attributes ?? {}),
    ...(status === 0 && message === '' ? {} : { status: { code: status, message } }),
    flags: spec.flags ?? 0,
  };
}

/** An ExportTraceServiceRequest. Spans that follow each other stand together where resource and scope are the same. */
export function otlpRequest(specs: readonly SpanSpec[]): Buffer {
  const resourceSpans: {
    key: string;
    resource: Plain;
    scopeSpans: { key: string; scope: Plain; spans: Plain[] }[];
  }[] = [];
  for (const spec of specs) {
    const resource = spec.resource ?? { 'service.name': 'app' };
    const scope = spec.scope ?? 'test';
    const resourceKey = JSON.stringify(resource);
    if (resourceSpans.at(-1)?.key !== resourceKey) {
      resourceSpans.push({ key: resourceKey, resource: { attributes: keyValues(resource) }, scopeSpans: [] });
    }
    const { scopeSpans } = resourceSpans.at(-1) as (typeof resourceSpans)[number];
    if (scopeSpans.at(-1)?.key !== scope) scopeSpans.push({ key: scope, scope: { name: scope }, spans: [] });
    scopeSpans.at(-1)?.spans.push(spanMessage(spec));
  }
  return encodeProto('ExportTraceServiceRequest', { resourceSpans });
}

export function incomingSpans(specs: readonly SpanSpec[]): IncomingSpan[] {
  return scanTraces(otlpRequest(specs), BASE_NS, PRICES).spans;
}

export function batchOf(specs: readonly SpanSpec[]): SpanBatch {
  return buildBatch(incomingSpans(specs));
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}
