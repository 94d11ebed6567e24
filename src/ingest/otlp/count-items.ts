/** Counts the members of a request, which are in three nested lists, in either encoding. */
import { type Steps, Turn } from '../../runtime/steps.ts';
import { WIRE_BYTES, WireError, WireReader } from '../../traces/wire/reader.ts';
import { COST, DecodeWork, MAX_MEMBERS, tooMany } from '../decode-work.ts';
import { OtlpDecodeError } from './decode-error.ts';
import { JsonMembers, type OutlineLevel, readOutline } from './json-outline.ts';
import { firstOf, isJsonObject } from './json-parse.ts';

/** Names of each list: the specified one, then a tolerated one. */
const LISTS = [
  ['resourceMetrics', 'resource_metrics'],
  ['scopeMetrics', 'scope_metrics', 'instrumentationLibraryMetrics'],
  ['metrics'],
] as const;
const LEVELS: readonly OutlineLevel[] = LISTS.map((lists, depth) => ({
  name: ['requests', 'resources', 'scopes'][depth] ?? '',
  lists: new Set(lists),
  fields: new Set(),
  cost: [0, COST.resource, COST.scope][depth] ?? 0,
  ...(depth === 2 && { members: 'metrics' }),
}));

/** Field numbers of the same lists, and the cost of each item. */
const FIELDS = [
  [1, COST.resource, 'resources'],
  [2, COST.scope, 'scopes'],
  [2, COST.metric, 'metrics'],
] as const;
type ListField = (typeof FIELDS)[number];

/** Counts the metrics of an OTLP/JSON body in steps; throws OtlpDecodeError, and the errors of `work`. */
export function* countJsonMetrics(body: Buffer, work = new DecodeWork()): Steps<number> {
  return yield* countJson(yield* readOutline(body, LEVELS, work), LISTS, 'body', new Turn());
}

/** Counts the spans, log records or metrics of an OTLP/protobuf body; throws OtlpDecodeError, and the errors of `work`. */
export function countProtobufMembers(body: Buffer, work = new DecodeWork()): number {
  try {
    return countFields(new WireReader(body), FIELDS, work, [0, 0, 0]);
  } catch (error) {
    if (error instanceof WireError) throw new OtlpDecodeError(`the body is not protobuf: ${error.message}`);
    throw error;
  }
}

function* countJson(
  json: unknown,
  [names, ...inner]: readonly (readonly string[])[],
  place: string,
  turn: Turn,
): Steps<number> {
  if (!isJsonObject(json)) throw new OtlpDecodeError(`${place}: expected an object`);
  if (names === undefined) return 1;
  const list = firstOf(json, names) ?? [];
  const isUnread = list instanceof JsonMembers;
  if (!isUnread && !Array.isArray(list))
    throw new OtlpDecodeError(`${place}.${names[0]}: expected an array of objects`);
  let count = 0;
  for (let index = 0; index < list.length; index++) {
    if (turn.isOver()) yield* turn.pause();
    const item: unknown = isUnread ? list.parse(index, false) : list[index];
    count += yield* countJson(item, inner, `${place}.${names[0]}[${index}]`, turn);
  }
  return count;
}

/** Counts the members below a message. `counts` has the number of items of each list so far, the innermost last. */
function countFields(
  reader: WireReader,
  [list, ...inner]: readonly ListField[],
  work: DecodeWork,
  counts: number[],
): number {
  if (list === undefined) return 1;
  const [field, cost, name] = list;
  const level = counts.length - inner.length - 1;
  let count = 0;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag >>> 3 !== field) {
      work.spend(COST.value);
      reader.skip(tag);
    } else if ((tag & 7) === WIRE_BYTES) {
      work.spend(cost);
      if ((counts[level] = (counts[level] ?? 0) + 1) > MAX_MEMBERS) throw tooMany(name);
      const end = reader.length() + reader.pos;
      count += countFields(new WireReader(reader.buffer, reader.pos, end), inner, work, counts);
      reader.pos = end;
    } else {
      throw new WireError(`unexpected wire type ${tag & 7}`);
    }
  }
  return count;
}
