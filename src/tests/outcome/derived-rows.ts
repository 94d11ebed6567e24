import type { Database } from '../../storage/database.ts';
import type { DerivedRows } from '../../storage/derived-rows.ts';
import { computeOutcome, saveOutcome } from './outcome-store.ts';

interface ResultKey {
  application: number;
  testId: string;
  fault: string;
}

interface ComparedRow {
  application: number;
  testId: string;
  outcome: string | null;
  basis: string | null;
  cause: string | null;
}

/** Tests that one statement reads. */
const PAGE = 500;

/** The outcome of each test, which its row and its evals decide. Tests that an upgrade has not reached yet have none. */
const outcomes: DerivedRows<ResultKey> = {
  what: 'outcomes of tests',
  find: (database, limit) => {
    const found: ResultKey[] = [];
    const isFilled = database.get(`SELECT 1 FROM outcome_fill LIMIT 1`) === undefined;
    for (let after = ''; found.length < limit; ) {
      const page = comparedRows(database, after);
      for (const row of page) {
        const fault = faultOf(database, row, isFilled);
        if (fault !== null) found.push({ application: row.application, testId: row.testId, fault });
      }
      const last = page.at(-1);
      if (!last) break;
      after = last.testId;
    }
    return found.slice(0, limit);
  },
  describe: ({ testId, fault }) => ({ of: `test ${testId}`, fault }),
  repair: (database, { application, testId }) => saveOutcome(database, { application, testId }),
};

const comparedRows = (database: Database, after: string): ComparedRow[] =>
  database.all<ComparedRow>(
    `SELECT test.application, id AS "testId", outcome, basis, cause
     FROM test LEFT JOIN test_result ON test_result.application = test.application AND test_id = id
     WHERE id > :after ORDER BY id LIMIT ${PAGE}`,
    { after },
  );

function faultOf(
  database: Database,
  { application, testId, outcome, basis, cause }: ComparedRow,
  isFilled: boolean,
): string | null {
  // Outcomes that are still due are computed again later.
  if (!isFilled) return null;
  const right = computeOutcome(database, { application, testId });
  if (right === null) return outcome === null ? null : 'it has not ended, and an outcome is stored';
  if (right.outcome === outcome && right.basis === basis && right.causeKey === cause) return null;
  return `its outcome is ${right.outcome} for ${right.causeKey ?? 'no cause'}, and ${outcome ?? 'none'} for ${cause ?? 'no cause'} is stored`;
}

export const DERIVED_OF_TESTS = [outcomes] as DerivedRows[];
