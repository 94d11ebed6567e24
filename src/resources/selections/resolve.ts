import { ownerOf } from '../../contract/owner.ts';
import { seenBy } from '../../contract/reviewer.ts';
import type { Principal } from '../../contract/scope.ts';
import { requestedFilter } from '../../filter/query.ts';
import type { StoreCalls } from '../../storage/calls.ts';
import { selectTraces, selectTracesOfResults } from './calls.ts';
import {
  MAX_NAMED,
  type RowSelection,
  type SelectionDone,
  type SkippedRow,
  type SkipReason,
} from './contract.ts';

/** Rows that one command acts on. */
const STEP_ROWS = 100;

/** Resolves a selection to traces, and what must be skipped of it. */
export async function tracesOfSelection(
  { read, now }: Pick<StoreCalls, 'read' | 'now'>,
  caller: Principal,
  { ids, results, traces }: RowSelection,
): Promise<{ traceIds: string[]; outcome: SelectionOutcome }> {
  const owner = ownerOf(caller);
  if (ids) return { traceIds: [...new Set(ids)], outcome: new SelectionOutcome(true) };
  const { rows, isComplete } = results
    ? await read(selectTracesOfResults, {
        owner,
        filter: {
          ...results,
          seenBy: seenBy(caller, now()),
          q: requestedFilter(results.q, 'results', now()),
        },
      })
    : await read(selectTraces, {
        owner,
        filter: { seenBy: seenBy(caller, now()), q: requestedFilter(traces?.q, 'traces', now()) },
      });
  const outcome = new SelectionOutcome(isComplete);
  for (const { id, isTest } of rows) if (isTest) outcome.skip(id, 'NO_TRACE');
  // Several tests may share a trace.
  const traceIds = [...new Set(rows.flatMap(({ id, isTest }) => (isTest ? [] : id)))];
  return { traceIds, outcome };
}

/** Counts what was done with the rows of a selection. */
export class SelectionOutcome {
  private done = 0;
  private skippedCount = 0;
  private readonly skipped: SkippedRow[] = [];
  private readonly isComplete: boolean;

  constructor(isComplete: boolean) {
    this.isComplete = isComplete;
  }

  add(count: number): void {
    this.done += count;
  }

  skip(id: string, reason: SkipReason): void {
    this.skippedCount += 1;
    if (this.skipped.length < MAX_NAMED) this.skipped.push({ id, reason });
  }

  result(): SelectionDone {
    const { done, skippedCount, skipped, isComplete } = this;
    return { matched: done + skippedCount, done, skippedCount, skipped, isComplete };
  }
}

/** Splits rows into those of one command each. */
export function* stepsOf<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += STEP_ROWS) yield rows.slice(from, from + STEP_ROWS);
}
