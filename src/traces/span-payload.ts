import type { Database } from '../storage/database.ts';
import { SpanView } from './conventions/span-view.ts';
import { describe, type DescribedSpan } from './described.ts';
import { formatNs } from './format.ts';
import { PayloadReader } from './load.ts';
import type { LogRecordMessage } from './log-record.ts';
import { mapSpan } from './map-span.ts';
import { SpanMapping } from './mapping.ts';
import { type OpenedOwnRules, ownRulesOf } from './own-rules/open.ts';
import type { PayloadSpan } from './payload.ts';
import type { SkeletonSpan } from './span.ts';
import { decodeResource, decodeScope, decodeSpan, type ResourceMessage } from './span-wire.ts';
import { statusMessage } from './step.ts';
import type { TraceKey } from './trace-keys.ts';
import { WIRE_BYTES, WireReader } from './wire/reader.ts';

/** OpenTelemetry's SpanKind by number. */
const OTEL_KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'];

interface SpanFields extends Record<string, unknown> {
  mapped: DescribedSpan;
}

/** Reads everything else about the spans of a trace: what `include=payload` adds. */
export class PayloadFields {
  private readonly database: Database;
  private readonly application: number;
  private readonly payloads: PayloadReader;
  private readonly logs: ReadonlyMap<string, readonly LogRecordMessage[]>;
  private readonly mapping = new SpanMapping();
  private readonly own: OpenedOwnRules;
  private readonly resources = new Map<string, object>();

  /** `logs` are the log records of the spans that will be read, by span. */
  constructor(database: Database, trace: TraceKey, logs: ReadonlyMap<string, readonly LogRecordMessage[]>) {
    this.database = database;
    this.application = trace.application;
    this.payloads = new PayloadReader(database, trace);
    this.logs = logs;
    this.own = ownRulesOf(database, trace.application);
  }

  /** Returns them as the members of a JSON object, without its braces. */
  of(skeleton: SkeletonSpan): { json: string; statusMessage: string } {
    const { fields, statusMessage: message } = this.fieldsOf(skeleton);
    return { json: JSON.stringify(fields).slice(1, -1), statusMessage: message };
  }

  fieldsOf(skeleton: SkeletonSpan): { fields: SpanFields; statusMessage: string } {
    const payload = this.payloads.open(skeleton);
    const span = decodeSpan(payload.bytes);
    const logs = this.logs.get(skeleton.id) ?? [];
    const view = new SpanView(payload.bytes, logs, this.own.mappings);
    mapSpan(payload.bytes, this.mapping, logs, this.own.mappings);
    const fields = {
      spanKind: OTEL_KINDS[span.kind] ?? span.kind,
      traceState: span.traceState,
      traceFlags: span.flags,
      attributes: span.attributes,
      droppedAttributesCount: span.droppedAttributesCount,
      events: span.events.map(({ time, ...event }) => ({ ...event, time: formatNs(time) })),
      droppedEventsCount: span.droppedEventsCount,
      links: span.links.map(({ traceId, spanId, ...link }) => ({
        traceId: traceId.toString('hex'),
        spanId: spanId.toString('hex'),
        ...link,
      })),
      droppedLinksCount: span.droppedLinksCount,
      ...(logs.length === 0 ? {} : { logs: logs.map(logJson) }),
      scope: scopeJson(payload),
      resource: this.resource(payload.resourceHash),
      mapped: describe(skeleton, view, this.mapping, this.own.prices),
    };
    return { fields, statusMessage: statusMessage(skeleton, view, this.mapping) };
  }

  private resource(hash: Buffer): object {
    const key = hash.toString('latin1');
    let resource = this.resources.get(key);
    if (!resource) {
      const row = this.database.get<{ bytes: Buffer }>(
        'SELECT bytes FROM resource WHERE application = ? AND hash = ?',
        this.application,
        hash,
      );
      this.resources.set(key, (resource = resourceJson(row?.bytes ?? Buffer.alloc(0))));
    }
    return resource;
  }
}

/** Field 1 and the schema URL of a ResourceSpans or ScopeSpans message. */
function envelope(bytes: Buffer): { message: Buffer; schemaUrl: string } {
  const messages: Buffer[] = [];
  let schemaUrl = '';
  const reader = new WireReader(bytes);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === ((1 << 3) | WIRE_BYTES)) messages.push(reader.bytes());
    else if (tag === ((3 << 3) | WIRE_BYTES)) schemaUrl = reader.string();
    else reader.skip(tag);
  }
  // Repeated, a singular message is merged, which for protobuf is the same as reading its parts as one.
  return { message: Buffer.concat(messages), schemaUrl };
}

function resourceJson(bytes: Buffer): object {
  const { message, schemaUrl } = envelope(bytes);
  const resource: ResourceMessage = decodeResource(message);
  return { ...resource, ...(schemaUrl === '' ? {} : { schemaUrl }) };
}

/** A log record that names the span. */
function logJson({ eventName, time, severity, body, attributes }: LogRecordMessage): object {
  return { name: eventName, time: formatNs(time), ...(severity !== '' && { severity }), body, attributes };
}

function scopeJson({ scope }: PayloadSpan): object {
  const { message, schemaUrl } = envelope(scope);
  return { ...decodeScope(message), ...(schemaUrl === '' ? {} : { schemaUrl }) };
}
