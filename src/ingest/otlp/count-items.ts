/** Counts the members of a request, which are in three nested lists, in either encoding. */
import { type Steps, Turn } from '../../runtime/steps.ts';
import { WIRE_BYTES, WireError, WireReader } from '../../traces/wire/reader.ts';
import { COST, DecodeWork, MAX_MEMBERS, tooMany } from '../decode-work.ts';
import { OtlpDecodeError } from './decode-error.ts';
import { JsonMembers, type OutlineLevel, readOutline } from './json-outline.ts';
import { firstOf } from './json-parse.ts';
import { isObject } from '../../contract/is-object.ts';

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

/**
 * Counts the spans, log records or metrics of an OTLP/protobuf body in steps; throws OtlpDecodeError, FieldLimitError and the
 * errors of `work`.
 */
export function* countProtobufMembers(body: Buffer, work = new DecodeWork()): Steps<number> {
  try {
    return yield* new MemberCount(body, work).count();
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
  if (!isObject(json)) throw new OtlpDecodeError(`${place}: expected an object`);
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

/** Fields after which the work is taken, and the clock is read. */
const FIELDS_A_LOOK = 1_024;

/** Counts the members of a request; each list has its own number of items. */
class MemberCount {
  private readonly reader: WireReader;
  private readonly work: DecodeWork;
  private readonly turn = new Turn();
  private readonly counts = FIELDS.map(() => 0);
  private granted: number;
  private fields = 0;

  constructor(body: Buffer, work: DecodeWork) {
    this.reader = new WireReader(body);
    this.work = work;
    this.granted = this.reader.fieldsLeft = work.maxFields;
  }

  /** Counts those in the reader's window, which is a message with the list at this level. */
  *count(level = 0): Steps<number> {
    const { reader, work, turn } = this;
    const [field, cost, name] = FIELDS[level] as ListField;
    for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
      if (++this.fields % FIELDS_A_LOOK === 0) {
        this.takeFields();
        if (turn.isOver()) yield* turn.pause();
      }
      if (tag >>> 3 !== field) {
        reader.skip(tag);
        continue;
      }
      if ((tag & 7) !== WIRE_BYTES) throw new WireError(`unexpected wire type ${tag & 7}`);
      work.spend(cost);
      if ((this.counts[level] = (this.counts[level] ?? 0) + 1) > MAX_MEMBERS) throw tooMany(name);
      const outer = reader.enter();
      if (level + 1 < FIELDS.length) yield* this.count(level + 1);
      reader.pos = reader.end;
      reader.end = outer;
    }
    this.takeFields();
    return this.counts.at(-1) ?? 0;
  }

  /** Takes the work of the fields that were read since the last call. */
  private takeFields(): void {
    const { reader, work } = this;
    work.spendValues(this.granted - reader.fieldsLeft, COST.value);
    this.granted = reader.fieldsLeft = work.maxFields;
  }
}
