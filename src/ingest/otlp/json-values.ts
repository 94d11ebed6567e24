/** Converts attributes: KeyValue and AnyValue. */
import { WIRE_VARINT } from '../../traces/wire/reader.ts';
import { MAX_VALUE_DEPTH } from './check-message.ts';
import { writeDoubleValue, writeIntValue } from './json-numbers.ts';
import { type ParsedObject } from './json-parse.ts';
import type { JsonWalk } from './json-walk.ts';
import { isObject } from '../../contract/is-object.ts';

/** Depth beyond which values are omitted: the decoder rejects such a span before it reaches that depth. */
const MAX_WRITTEN_DEPTH = MAX_VALUE_DEPTH + 2;

const BASE64 = /^[\w+/-]*={0,2}$/;

/** Writes a repeated KeyValue. */
export function writeAttributes(walk: JsonWalk, field: number, list: unknown): void {
  walk.messages(field, 'attributes', list, writeKeyValue, '{key, value}');
}

function writeKeyValue(walk: JsonWalk, pair: ParsedObject): void {
  walk.string(1, 'key', pair.key);
  writeValue(walk, 2, 'value', pair.value);
}

/** Writes an AnyValue; a null is omitted. */
export function writeValue(walk: JsonWalk, field: number, name: string, value: unknown): void {
  if (value == null) return;
  if (!isObject(value)) throw walk.expected(name, 'an object such as {"stringValue": "…"}', value);
  walk.message(field, name, value, writeAnyValue);
}

/**
 * Writes an AnyValue. Of several kinds of value the last one counts, as in protobuf; an AnyValue without a value is
 * valid too.
 */
function writeAnyValue(walk: JsonWalk, value: ParsedObject): void {
  if (walk.valueDepth === MAX_WRITTEN_DEPTH) return;
  walk.valueDepth++;
  for (const kind in value) {
    const content = value[kind];
    if (content !== null) writeContent(walk, kind, content);
  }
  walk.valueDepth--;
}

function writeContent(walk: JsonWalk, kind: string, content: unknown): void {
  switch (kind) {
    case 'stringValue':
    case 'string_value':
      walk.string(1, 'stringValue', content);
      return;
    case 'boolValue':
    case 'bool_value':
      writeBool(walk, content);
      return;
    case 'intValue':
    case 'int_value':
      writeIntValue(walk, 3, 4, content);
      return;
    case 'doubleValue':
    case 'double_value':
      writeDoubleValue(walk, 4, content);
      return;
    case 'arrayValue':
    case 'array_value':
      walk.message(5, 'arrayValue', content, writeArrayValue);
      return;
    case 'kvlistValue':
    case 'kvlist_value':
      walk.message(6, 'kvlistValue', content, writeKeyValueList);
      return;
    case 'bytesValue':
    case 'bytes_value':
      writeBytes(walk, content);
  }
}

function writeBool(walk: JsonWalk, content: unknown): void {
  if (typeof content !== 'boolean') throw walk.expected('boolValue', 'true or false', content);
  walk.out.tag(2, WIRE_VARINT);
  walk.out.varint(content ? 1 : 0);
}

function writeArrayValue(walk: JsonWalk, array: ParsedObject): void {
  walk.messages(1, 'values', nullsAsEmpty(array.values), writeAnyValue);
}

function writeKeyValueList(walk: JsonWalk, list: ParsedObject): void {
  walk.messages(1, 'values', list.values, writeKeyValue, '{key, value}');
}

/** Replaces nulls in an array by empty values, because an array element cannot be absent. */
function nullsAsEmpty(values: unknown): unknown {
  return Array.isArray(values) && values.includes(null)
    ? values.map((value: unknown) => value ?? {})
    : values;
}

function writeBytes(walk: JsonWalk, content: unknown): void {
  if (typeof content !== 'string' || !BASE64.test(content))
    throw walk.expected('bytesValue', 'base64', content);
  walk.out.bytesField(7, Buffer.from(content, 'base64'));
}
