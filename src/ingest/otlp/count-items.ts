/** Counts the members of a request, which are in three nested lists, in either encoding. */
import { WIRE_BYTES, WireError, WireReader } from '../../traces/wire/reader.ts';
import { OtlpDecodeError } from './decode-error.ts';
import { isJsonObject, type JsonObject, jsonText, parseJson } from './json-parse.ts';

/** Names of each list: the specified one, then a tolerated one. */
const LISTS = [
  ['resourceMetrics', 'resource_metrics'],
  ['scopeMetrics', 'scope_metrics', 'instrumentationLibraryMetrics'],
  ['metrics'],
] as const;

/** Field numbers of the same lists. */
const FIELDS = [1, 2, 2];

/** Counts the metrics of an OTLP/JSON body; throws OtlpDecodeError. */
export function countJsonMetrics(body: Buffer): number {
  return countJson(parseJson(jsonText(body)), LISTS, 'body');
}

/** Counts the spans, log records or metrics of an OTLP/protobuf body; throws OtlpDecodeError. */
export function countProtobufMembers(body: Buffer): number {
  try {
    return countFields(new WireReader(body), FIELDS);
  } catch (error) {
    if (error instanceof WireError) throw new OtlpDecodeError(`the body is not protobuf: ${error.message}`);
    throw error;
  }
}

function countJson(json: unknown, [names, ...inner]: readonly (readonly string[])[], place: string): number {
  if (!isJsonObject(json)) throw new OtlpDecodeError(`${place}: expected an object`);
  if (names === undefined) return 1;
  const list = firstOf(json, names) ?? [];
  if (!Array.isArray(list)) throw new OtlpDecodeError(`${place}.${names[0]}: expected an array of objects`);
  let count = 0;
  for (const [index, item] of list.entries())
    count += countJson(item, inner, `${place}.${names[0]}[${index}]`);
  return count;
}

function firstOf(json: JsonObject, names: readonly string[]): unknown {
  for (const name of names) {
    if (json[name] != null) return json[name];
  }
  return undefined;
}

function countFields(reader: WireReader, [field, ...inner]: readonly number[]): number {
  if (field === undefined) return 1;
  let count = 0;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag >>> 3 !== field) {
      reader.skip(tag);
    } else if ((tag & 7) === WIRE_BYTES) {
      const end = reader.length() + reader.pos;
      count += countFields(new WireReader(reader.buffer, reader.pos, end), inner);
      reader.pos = end;
    } else {
      throw new WireError(`unexpected wire type ${tag & 7}`);
    }
  }
  return count;
}
