/**
 * OTLP/JSON to OTLP/protobuf, so that only one decoder of spans is needed. Fields are written in the order in which
 * opentelemetry-js writes them: from that SDK, either encoding of a span gives the same bytes here.
 */
import { OtlpDecodeError } from './decode-error.ts';
import { SPAN_ID_SIZE, TRACE_ID_SIZE, writeId, writeLinkId, writeOptionalId } from './json-ids.ts';
import { writeTime } from './json-numbers.ts';
import { isJsonObject, type JsonObject, jsonText, parseJson, parseJsonExactly } from './json-parse.ts';
import { writeAttributes } from './json-values.ts';
import { JsonWalk, RoundedNumberError } from './json-walk.ts';

const SPAN_KINDS = new Map([
  ['SPAN_KIND_UNSPECIFIED', 0],
  ['SPAN_KIND_INTERNAL', 1],
  ['SPAN_KIND_SERVER', 2],
  ['SPAN_KIND_CLIENT', 3],
  ['SPAN_KIND_PRODUCER', 4],
  ['SPAN_KIND_CONSUMER', 5],
]);

const STATUS_CODES = new Map([
  ['STATUS_CODE_UNSET', 0],
  ['STATUS_CODE_OK', 1],
  ['STATUS_CODE_ERROR', 2],
]);

const ENVELOPE = '{"resourceSpans": [{"scopeSpans": [{"spans": [...]}]}]}';

/** Top-level keys that tell what a body without `resourceSpans` was meant to be. */
const MISPLACED = new Map([
  ['resourceLogs', 'this looks like logs; send it to /v1/logs'],
  ['resource_logs', 'this looks like logs; send it to /v1/logs'],
  ['resourceMetrics', 'this looks like metrics; send it to /v1/metrics'],
  ['resource_metrics', 'this looks like metrics; send it to /v1/metrics'],
  ['scopeSpans', `spans must be wrapped as ${ENVELOPE}`],
  ['spans', `spans must be wrapped as ${ENVELOPE}`],
  ['traceId', `spans must be wrapped as ${ENVELOPE}`],
]);

/** A buffer that had to grow beyond this is not kept for the next body. */
const MAX_KEPT_SIZE = 8 * 1024 * 1024;

let reused = new JsonWalk();

/** The protobuf bytes of an ExportTraceServiceRequest given as JSON; throws OtlpDecodeError. */
export function encodeTracesJson(body: Buffer): Buffer {
  const walk = reused;
  try {
    writeText(walk, jsonText(body));
    return walk.out.toBuffer();
  } finally {
    if (walk.out.length > MAX_KEPT_SIZE) reused = new JsonWalk();
  }
}

function writeText(walk: JsonWalk, text: string): void {
  try {
    walk.reset(false);
    writeRequest(walk, parseJson(text));
  } catch (error) {
    if (!(error instanceof RoundedNumberError)) throw error;
    walk.reset(true);
    writeRequest(walk, parseJsonExactly(text));
  }
}

function writeRequest(walk: JsonWalk, request: unknown): void {
  if (!isJsonObject(request)) throw walk.expected('body', `an object such as ${ENVELOPE}`, request);
  const resourceSpans = request.resourceSpans ?? request.resource_spans;
  if (resourceSpans == null) refuseMisplaced(request);
  walk.messages(1, 'resourceSpans', resourceSpans, writeResourceSpans);
}

function refuseMisplaced(request: JsonObject): void {
  for (const key of Object.keys(request)) {
    const hint = MISPLACED.get(key);
    if (hint !== undefined)
      throw new OtlpDecodeError(`body: expected "resourceSpans", got "${key}": ${hint}`);
  }
}

function writeResourceSpans(walk: JsonWalk, json: JsonObject): void {
  walk.message(1, 'resource', json.resource, writeResource);
  const scopeSpans = json.scopeSpans ?? json.scope_spans;
  const librarySpans = json.instrumentationLibrarySpans ?? json.instrumentation_library_spans;
  if (isMissing(scopeSpans)) walk.messages(2, 'instrumentationLibrarySpans', librarySpans, writeScopeSpans);
  else walk.messages(2, 'scopeSpans', scopeSpans, writeScopeSpans);
  walk.string(3, 'schemaUrl', json.schemaUrl ?? json.schema_url);
}

function isMissing(list: unknown): boolean {
  return list == null || (Array.isArray(list) && list.length === 0);
}

function writeResource(walk: JsonWalk, json: JsonObject): void {
  writeAttributes(walk, 1, json.attributes);
  walk.uint32(2, 'droppedAttributesCount', json.droppedAttributesCount ?? json.dropped_attributes_count);
  walk.messages(3, 'entityRefs', json.entityRefs ?? json.entity_refs, writeEntityRef);
}

function writeEntityRef(walk: JsonWalk, json: JsonObject): void {
  walk.string(1, 'schemaUrl', json.schemaUrl ?? json.schema_url);
  walk.string(2, 'type', json.type);
  walk.strings(3, 'idKeys', json.idKeys ?? json.id_keys);
  walk.strings(4, 'descriptionKeys', json.descriptionKeys ?? json.description_keys);
}

function writeScopeSpans(walk: JsonWalk, json: JsonObject): void {
  const library = json.instrumentationLibrary ?? json.instrumentation_library;
  walk.message(1, 'scope', json.scope ?? library, writeScope);
  walk.messages(2, 'spans', json.spans, writeSpan);
  walk.string(3, 'schemaUrl', json.schemaUrl ?? json.schema_url);
}

function writeScope(walk: JsonWalk, json: JsonObject): void {
  walk.string(1, 'name', json.name);
  walk.string(2, 'version', json.version);
  writeAttributes(walk, 3, json.attributes);
  walk.uint32(4, 'droppedAttributesCount', json.droppedAttributesCount ?? json.dropped_attributes_count);
}

function writeSpan(walk: JsonWalk, json: JsonObject): void {
  writeId(walk, 1, 'traceId', json.traceId ?? json.trace_id, TRACE_ID_SIZE);
  writeId(walk, 2, 'spanId', json.spanId ?? json.span_id, SPAN_ID_SIZE);
  walk.string(3, 'traceState', json.traceState ?? json.trace_state);
  writeOptionalId(walk, 4, 'parentSpanId', json.parentSpanId ?? json.parent_span_id, SPAN_ID_SIZE);
  walk.string(5, 'name', json.name);
  walk.enumeration(6, 'kind', json.kind, SPAN_KINDS);
  writeTime(walk, 7, 'startTimeUnixNano', json.startTimeUnixNano ?? json.start_time_unix_nano);
  writeTime(walk, 8, 'endTimeUnixNano', json.endTimeUnixNano ?? json.end_time_unix_nano);
  writeAttributes(walk, 9, json.attributes);
  walk.uint32(10, 'droppedAttributesCount', json.droppedAttributesCount ?? json.dropped_attributes_count);
  walk.messages(11, 'events', json.events, writeEvent);
  walk.uint32(12, 'droppedEventsCount', json.droppedEventsCount ?? json.dropped_events_count);
  walk.messages(13, 'links', json.links, writeLink);
  walk.uint32(14, 'droppedLinksCount', json.droppedLinksCount ?? json.dropped_links_count);
  walk.message(15, 'status', json.status, writeStatus);
  walk.fixed32(16, 'flags', json.flags);
}

function writeEvent(walk: JsonWalk, json: JsonObject): void {
  writeTime(walk, 1, 'timeUnixNano', json.timeUnixNano ?? json.time_unix_nano);
  walk.string(2, 'name', json.name);
  writeAttributes(walk, 3, json.attributes);
  walk.uint32(4, 'droppedAttributesCount', json.droppedAttributesCount ?? json.dropped_attributes_count);
}

function writeLink(walk: JsonWalk, json: JsonObject): void {
  writeLinkId(walk, 1, 'traceId', json.traceId ?? json.trace_id, TRACE_ID_SIZE);
  writeLinkId(walk, 2, 'spanId', json.spanId ?? json.span_id, SPAN_ID_SIZE);
  walk.string(3, 'traceState', json.traceState ?? json.trace_state);
  writeAttributes(walk, 4, json.attributes);
  walk.uint32(5, 'droppedAttributesCount', json.droppedAttributesCount ?? json.dropped_attributes_count);
  walk.fixed32(6, 'flags', json.flags);
}

function writeStatus(walk: JsonWalk, json: JsonObject): void {
  walk.string(2, 'message', json.message);
  walk.enumeration(3, 'code', json.code, STATUS_CODES);
}
