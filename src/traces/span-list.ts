import type { Database } from '../storage/database.ts';
import { SpanView } from './conventions/span-view.ts';
import { describe } from './described.ts';
import { durationMs, formatNs, statusName, stepType } from './format.ts';
import { resolveTestIds } from './link.ts';
import { findStoredTrace, loadSkeleton, PayloadReader, type StoredTrace } from './load.ts';
import type { LogRecordMessage } from './log-record.ts';
import { mapSpan, SpanMapping } from './mapping.ts';
import { sumOnce } from './open-trace.ts';
import type { PayloadSpan } from './payload.ts';
import type { SkeletonSpan } from './span.ts';
import { decodeResource, decodeScope, decodeSpan, type ResourceMessage } from './span-wire.ts';
import { logsOfTrace } from './span-logs.ts';
import { statusMessage } from './step.ts';
import { buildTree, subtree, type TreeNode } from './tree.ts';
import { WIRE_BYTES, WireReader } from './wire/reader.ts';

export interface ReadSpans {
  application: number;
  traceIds: Uint8Array[];
  /** Id of a span: only it and its descendants are listed. */
  subtree: string | null;
  /** Ids of the only spans to list. */
  spanIds: string[] | null;
  payload: boolean;
  skip: number;
  limit: number;
}

/**
 * Spans of a trace as JSON bytes, `{ data, pagination }`, in the order of its tree: each parent before its children.
 * A parent that is named but not stored has an entry too, marked `placeholder`. Null when there is no such trace or subtree.
 */
export function readSpans(database: Database, args: ReadSpans): Uint8Array | null {
  const trace = findStoredTrace(database, args.application, args.traceIds);
  if (!trace) return null;
  const tree = buildTree(loadSkeleton(database, trace));
  if (args.subtree !== null && !tree.byId.has(args.subtree)) return null;
  let nodes = args.subtree === null ? tree.order : subtree(tree, args.subtree);
  if (args.spanIds) {
    const wanted = new Set(args.spanIds);
    nodes = nodes.filter(({ id }) => wanted.has(id));
  }
  const testIds = resolveTestIds(tree, null);
  if (args.payload) sumOnce(tree);
  const payloads = args.payload ? new PayloadFields(database, trace) : null;
  const entries = nodes
    .slice(args.skip, args.skip + args.limit)
    .map((node) => spanJson(node, testIds.get(node.id), payloads));
  const total = nodes.length;
  const pagination = { skip: args.skip, limit: args.limit, total, totalPages: Math.ceil(total / args.limit) };
  return new TextEncoder().encode(
    `{"data":[${entries.join(',')}],"pagination":${JSON.stringify(pagination)}}`,
  );
}

/** Written by hand: a tree of 100 000 spans is one answer. */
function spanJson(node: TreeNode, testId: string | undefined, payloads: PayloadFields | null): string {
  const { span } = node;
  if (!span)
    return `{"id":"${node.id}","placeholder":true,"depth":${node.depth},"childCount":${node.children.length}}`;
  const payload = payloads?.of(span);
  const message = payload?.statusMessage ? `,"message":${JSON.stringify(payload.statusMessage)}` : '';
  return (
    `{"id":"${span.id}"${span.parentId === null ? '' : `,"parentId":"${span.parentId}"`},"name":${JSON.stringify(span.name)}` +
    `,"kind":"${span.kind}","type":"${stepType(span.kind)}","startTime":"${formatNs(span.start)}"` +
    `,"durationMs":${durationMs(span.start, span.end)},"status":{"code":"${statusName(span.status)}"${message}}` +
    `,"depth":${node.depth},"childCount":${node.children.length}${testId === undefined ? '' : `,"testId":"${testId}"`}` +
    `${node.orphan ? ',"orphan":true' : ''}${node.cycle ? ',"cycle":true' : ''}${node.skew ? ',"skew":true' : ''}` +
    `${payload ? `,${payload.json}` : ''}}`
  );
}

/** OpenTelemetry's SpanKind by number. */
const OTEL_KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'];

/** Everything else about spans: what `include=payload` asks for. */
class PayloadFields {
  private readonly database: Database;
  private readonly application: number;
  private readonly payloads: PayloadReader;
  private readonly logs: ReadonlyMap<string, readonly LogRecordMessage[]>;
  private readonly mapping = new SpanMapping();
  private readonly resources = new Map<string, object>();

  constructor(database: Database, trace: StoredTrace) {
    this.database = database;
    this.application = trace.application;
    this.payloads = new PayloadReader(database, trace);
    this.logs = logsOfTrace(database, trace.application, trace.traceId);
  }

  /** The members of a JSON object, without its braces. */
  of(skeleton: SkeletonSpan): { json: string; statusMessage: string } {
    const payload = this.payloads.open(skeleton);
    const span = decodeSpan(payload.bytes);
    const logs = this.logs.get(skeleton.id) ?? [];
    const view = new SpanView(payload.bytes, logs);
    mapSpan(payload.bytes, this.mapping, logs);
    const json = JSON.stringify({
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
      mapped: describe(skeleton, view, this.mapping),
    });
    return { json: json.slice(1, -1), statusMessage: statusMessage(skeleton, view, this.mapping) };
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
function logJson({ eventName, time, body, attributes }: LogRecordMessage): object {
  return { name: eventName, time: formatNs(time), body, attributes };
}

function scopeJson({ scope }: PayloadSpan): object {
  const { message, schemaUrl } = envelope(scope);
  return { ...decodeScope(message), ...(schemaUrl === '' ? {} : { schemaUrl }) };
}
