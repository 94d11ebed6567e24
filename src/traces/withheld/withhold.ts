import type { Principal } from '../../contract/scope.ts';
import { reviewerOf } from '../../contract/reviewer.ts';
import { isObject } from '../../contract/is-object.ts';
import type { Read } from '../../storage/calls.ts';
import { findWithheld } from './calls.ts';

/** Replaces the verdicts in a value that are withheld from the caller; returns the value itself if there are none. */
export type Withhold = <T>(principal: Principal, value: T) => Promise<T>;

type Json = Record<string, unknown>;

/** Fields of which every record with a verdict has one. */
const OF_VERDICTS = ['passed', 'verdict', 'verdicts', 'causeKey'] as const;

/** Parts of a response that contain what an app reported, and no verdict of ours. */
const CONTENT: ReadonlySet<string> = new Set(['steps', 'metadata', 'attributes', 'content', 'definition']);

/** Values that stand for those of a withheld verdict, by field. Other fields stay. */
const SHOWN: Readonly<Record<string, (value: unknown) => unknown>> = {
  passed: (value) => (typeof value === 'number' ? 0 : null),
  score: () => null,
  normalisedScore: () => null,
  reason: () => null,
  results: () => null,
  judge: () => null,
  verdict: () => null,
  unsure: () => false,
  critique: () => null,
  correctedOutput: () => null,
  criteria: () => null,
  outcome: () => 'NO_VERDICT',
  outcomeBasis: () => null,
  causeKey: () => null,
  cause: () => null,
  verdicts: () => [],
  evals: () => [],
  result: () => null,
};

/** A record with a verdict, and the trace and the test that it is about. */
interface VerdictRecord {
  record: Json;
  traceId: string | null;
  testId: string | null;
}

/** Creates the function that withholds verdicts from reviewers of blind queues. Most responses need no query for it. */
export const createWithhold =
  (read: Read, now: () => number): Withhold =>
  async (principal, value) => {
    const reviewer = reviewerOf(principal);
    const records = verdictsIn(value).filter(({ record }) => record['annotatorId'] !== reviewer.id);
    if (records.length === 0) return value;
    const idsOf = (field: 'traceId' | 'testId'): string[] => [
      ...new Set(records.flatMap((one) => one[field] ?? [])),
    ];
    const { traceIds, testIds } = await read(findWithheld, {
      application: principal.application,
      reviewer,
      now: now(),
      traceIds: idsOf('traceId'),
      testIds: idsOf('testId'),
    });
    if (traceIds.length === 0 && testIds.length === 0) return value;
    const [traces, tests] = [new Set(traceIds), new Set(testIds)];
    const withheld = records
      .filter(
        ({ traceId, testId }) =>
          (traceId !== null && traces.has(traceId)) || (testId !== null && tests.has(testId)),
      )
      .map(({ record }) => record);
    return replaceIn(value, new Set(withheld)) as typeof value;
  };

/** Returns the records with verdicts in a value, at any depth. */
function verdictsIn(value: unknown): VerdictRecord[] {
  const found: VerdictRecord[] = [];
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) for (const one of part) visit(one);
    if (!isObject(part) || ArrayBuffer.isView(part)) return;
    if (OF_VERDICTS.some((field) => field in part)) {
      // A test has its own id only.
      const testId = 'causeKey' in part || !('testId' in part) ? part['id'] : part['testId'];
      const traceId = part['traceId'];
      if (typeof testId === 'string' || typeof traceId === 'string')
        found.push({
          record: part,
          traceId: typeof traceId === 'string' ? traceId : null,
          testId: typeof testId === 'string' ? testId : null,
        });
    }
    for (const [field, inner] of Object.entries(part)) if (!CONTENT.has(field)) visit(inner);
  };
  visit(value);
  return found;
}

/** Returns a value with the records replaced, and without changes that follow from them. */
function replaceIn(value: unknown, withheld: ReadonlySet<Json>): unknown {
  if (Array.isArray(value)) return value.map((one) => replaceIn(one, withheld));
  if (!isObject(value) || ArrayBuffer.isView(value)) return value;
  if (withheld.has(value)) return withheldRecord(value);
  const sides = value['sides'];
  const isCompared = Array.isArray(sides) && sides.some((side) => withheld.has(side as Json));
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [
      field,
      isCompared && field === 'change' ? null : CONTENT.has(field) ? inner : replaceIn(inner, withheld),
    ]),
  );
}

function withheldRecord(record: Json): Json {
  const isEval = 'normalisedScore' in record;
  return {
    ...Object.fromEntries(
      Object.entries(record).map(([field, value]) => [
        field,
        // The message of an eval repeats its reason.
        isEval && field === 'message' ? null : Object.hasOwn(SHOWN, field) ? SHOWN[field]?.(value) : value,
      ]),
    ),
    withheld: true,
  };
}
