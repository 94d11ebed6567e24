import type { Database } from '../storage/database.ts';
import { countsOf } from './counts.ts';
import type { TestState } from './states.ts';
import { storeEvalCounts } from './store.ts';

interface Counted {
  application: number;
  id: string;
  status: TestState['status'];
  failure: string | null;
  modifiedAt: number;
  stored: string;
  finishedEvals: number;
  passedEvals: number;
}

/** A test whose row counts other evals than it has. */
export interface WrongCounts {
  application: number;
  id: string;
  /** Unix milliseconds. */
  modifiedAt: number;
  counted: { finishedEvals: number; passedEvals: number };
  /** Counts of the row, and those of its evals, as text. */
  text: string;
}

/** Returns the last id of a page of tests after an id, null if there is none, and the tests of it with wrong counts. */
export function checkCounts(
  database: Database,
  { after, limit }: { after: string; limit: number },
): { last: string | null; read: number; wrong: WrongCounts[] } {
  const page = database.all<Counted>(
    `SELECT application, id, status, failure, modified_at AS "modifiedAt",
       finished_evals || ' ' || passed_evals || ' ' || counted_evals || ' ' || counted_passed || ' ' || has_error AS stored,
       (SELECT count(*) FROM eval WHERE eval.application = test.application AND test_id = test.id
          AND superseded = 0 AND eval.status = 'COMPLETED') AS "finishedEvals",
       (SELECT coalesce(sum(passed), 0) FROM eval WHERE eval.application = test.application AND test_id = test.id
          AND superseded = 0 AND eval.status = 'COMPLETED') AS "passedEvals"
     FROM test WHERE id > :after ORDER BY id LIMIT :limit`,
    { after, limit },
  );
  const wrong = page.flatMap(
    ({ application, id, modifiedAt, status, failure, stored, finishedEvals, passedEvals }): WrongCounts[] => {
      const counted = { finishedEvals, passedEvals };
      const counts = countsOf(
        { status, failure: failure === null ? null : (JSON.parse(failure) as TestState['failure']) },
        counted,
      );
      const right = [
        counted.finishedEvals,
        counted.passedEvals,
        counts.countedEvals,
        counts.countedPassed,
        Number(counts.hasError),
      ].join(' ');
      return right === stored
        ? []
        : [{ application, id, modifiedAt, counted, text: `${stored}, and its evals make ${right}` }];
    },
  );
  return { last: page.at(-1)?.id ?? null, read: page.length, wrong };
}

/** Counts the evals of a test again; its time of change stays. */
export function repairCounts(
  database: Database,
  { application, id, modifiedAt, counted }: WrongCounts,
): void {
  storeEvalCounts(database, { application, testId: id, at: modifiedAt }, counted);
}
