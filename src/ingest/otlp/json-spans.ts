/** Converts spans. */
import { SPAN_ID_SIZE, TRACE_ID_SIZE, writeId, writeLinkId, writeOptionalId } from './json-ids.ts';
import { writeTime } from './json-numbers.ts';
import type { ParsedObject } from './json-parse.ts';
import { writeAttributes } from './json-values.ts';
import type { JsonWalk } from './json-walk.ts';

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

export function writeSpan(walk: JsonWalk, json: ParsedObject): void {
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

function writeEvent(walk: JsonWalk, json: ParsedObject): void {
  writeTime(walk, 1, 'timeUnixNano', json.timeUnixNano ?? json.time_unix_nano);
  walk.string(2, 'name', json.name);
  writeAttributes(walk, 3, json.attributes);
  walk.uint32(4, 'droppedAttributesCount', json.droppedAttributesCount ?? json.dropped_attributes_count);
}

function writeLink(walk: JsonWalk, json: ParsedObject): void {
  writeLinkId(walk, 1, 'traceId', json.traceId ?? json.trace_id, TRACE_ID_SIZE);
  writeLinkId(walk, 2, 'spanId', json.spanId ?? json.span_id, SPAN_ID_SIZE);
  walk.string(3, 'traceState', json.traceState ?? json.trace_state);
  writeAttributes(walk, 4, json.attributes);
  walk.uint32(5, 'droppedAttributesCount', json.droppedAttributesCount ?? json.dropped_attributes_count);
  walk.fixed32(6, 'flags', json.flags);
}

function writeStatus(walk: JsonWalk, json: ParsedObject): void {
  walk.string(2, 'message', json.message);
  walk.enumeration(3, 'code', json.code, STATUS_CODES);
}
