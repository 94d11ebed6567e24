import { reviewerOf } from '../../contract/reviewer.ts';
import type { Principal } from '../../contract/scope.ts';
import type { Read } from '../../storage/calls.ts';
import { traceIdCandidates } from '../ids.ts';
import { findAllWithheld, findWithheld } from './calls.ts';
import { type HidableRecord, hidableRecords, replaceIn } from './hidable.ts';

/** Replaces what is withheld from the caller in a value; returns the value itself if nothing is. */
export interface Withhold {
  <T>(principal: Principal, value: T): Promise<T>;
  /**
   * Decides what is withheld before a write, whose response must not depend on a read after it: if that failed, a write that took place
   * would be answered with an error. Returns null if nothing is withheld from the caller.
   */
  readonly before: (principal: Principal) => Promise<(<T>(value: T) => T) | null>;
}

type Field = 'traceId' | 'testId' | 'groupId';

/** Creates the functions that withhold verdicts from reviewers of blind queues. Most responses need no query for it. */
export function createWithhold(read: Read, now: () => number): Withhold {
  const withhold = async <T>(principal: Principal, value: T): Promise<T> => {
    const reviewer = reviewerOf(principal);
    const records = hidableRecords(value, reviewer.id);
    if (records.length === 0) return value;
    const idsOf = (field: Field): string[] => [...new Set(records.flatMap((one) => one[field] ?? []))];
    const { traceIds, testIds, groupIds } = await read(findWithheld, {
      application: principal.application,
      reviewer,
      now: now(),
      traceIds: idsOf('traceId'),
      testIds: idsOf('testId'),
      groupIds: idsOf('groupId'),
    });
    const ids = { traceId: new Set(traceIds), testId: new Set(testIds), groupId: new Set(groupIds) };
    return without(value, records, (field, id) => ids[field].has(id));
  };
  const before: Withhold['before'] = async (principal) => {
    const reviewer = reviewerOf(principal);
    const { application } = principal;
    const all = await read(findAllWithheld, { application, reviewer, now: now() });
    if (all === null) return null;
    const traces = new Set(all.traceIds);
    const ids = { testId: new Set(all.testIds), groupId: new Set(all.groupIds) };
    const isWithheld = (field: Field, id: string): boolean => {
      // Withholds everything when more is under review than was read.
      if (!all.isComplete) return true;
      if (field !== 'traceId') return ids[field].has(id);
      return traceIdCandidates(id).some((bytes) => traces.has(Buffer.from(bytes).toString('hex')));
    };
    return (value) => without(value, hidableRecords(value, reviewer.id), isWithheld);
  };
  return Object.assign(withhold, { before });
}

/** Returns a value without those of its records that are withheld. */
function without<T>(
  value: T,
  records: readonly HidableRecord[],
  isWithheld: (field: Field, id: string) => boolean,
): T {
  const hidden = records.filter((one) =>
    (['traceId', 'testId', 'groupId'] as const).some((field) => {
      const id = one[field];
      return id !== null && isWithheld(field, id);
    }),
  );
  if (hidden.length === 0) return value;
  return replaceIn(value, new Map(hidden.map((one) => [one.record, one]))) as T;
}
