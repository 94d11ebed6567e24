/** Converts log records. */
import { SPAN_ID_SIZE, TRACE_ID_SIZE, writeOptionalId } from './json-ids.ts';
import { writeTime } from './json-numbers.ts';
import type { ParsedObject } from './json-parse.ts';
import { writeAttributes, writeValue } from './json-values.ts';
import type { JsonWalk } from './json-walk.ts';

/**
 * Severity names. Each of the six stands for four numbers: SEVERITY_NUMBER_TRACE is 1, SEVERITY_NUMBER_TRACE2 is 2.
 */
const SEVERITIES = new Map([
  ['SEVERITY_NUMBER_UNSPECIFIED', 0],
  ...['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'].flatMap((name, index) =>
    ['', '2', '3', '4'].map((step, offset): [string, number] => [
      `SEVERITY_NUMBER_${name}${step}`,
      index * 4 + offset + 1,
    ]),
  ),
]);

export function writeLogRecord(walk: JsonWalk, json: ParsedObject): void {
  writeTime(walk, 1, 'timeUnixNano', json.timeUnixNano ?? json.time_unix_nano);
  walk.enumeration(2, 'severityNumber', json.severityNumber ?? json.severity_number, SEVERITIES);
  walk.string(3, 'severityText', json.severityText ?? json.severity_text);
  writeValue(walk, 5, 'body', json.body);
  writeAttributes(walk, 6, json.attributes);
  walk.uint32(7, 'droppedAttributesCount', json.droppedAttributesCount ?? json.dropped_attributes_count);
  walk.fixed32(8, 'flags', json.flags);
  writeOptionalId(walk, 9, 'traceId', json.traceId ?? json.trace_id, TRACE_ID_SIZE);
  writeOptionalId(walk, 10, 'spanId', json.spanId ?? json.span_id, SPAN_ID_SIZE);
  const observed = json.observedTimeUnixNano ?? json.observed_time_unix_nano;
  writeTime(walk, 11, 'observedTimeUnixNano', observed);
  walk.string(12, 'eventName', json.eventName ?? json.event_name);
}
