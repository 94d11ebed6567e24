import type { Database } from '../../storage/database.ts';
import { saveOutcome } from './outcome-store.ts';

/** Tests whose outcomes one command computes. */
const STEP_TESTS = 200;

export interface FilledOutcome {
  application: number;
  testId: string;
  /** Time when the test was created, in Unix milliseconds. */
  createdAt: number;
  /** Time of the command, in Unix milliseconds. */
  now: number;
}

/** Hooks of features that compute something from the short rows of results, which tests of earlier versions get only now. */
export interface FillHooks {
  onOutcomeFilled: readonly ((database: Database, filled: FilledOutcome) => void)[];
}

interface Fill {
  application: number;
  definitionId: string;
  beforeAt: number | null;
  beforeId: string | null;
}

/** Marks the outcomes of all tests with a current eval of a definition as due. */
export function refillOutcomes(
  database: Database,
  { application, definitionId }: { application: number; definitionId: string },
): void {
  database.run(
    'DELETE FROM outcome_fill WHERE application = :application AND definition_id = :definitionId',
    {
      application,
      definitionId,
    },
  );
  database.run('INSERT INTO outcome_fill (application, definition_id) VALUES (:application, :definitionId)', {
    application,
    definitionId,
  });
}

export const hasFill = (database: Database, _args: null): boolean =>
  database.get('SELECT 1 FROM outcome_fill LIMIT 1') !== undefined;

/** Computes some of the outcomes that are due, newest tests first; returns whether more are. */
export function fillSome(database: Database, { now }: { now: number }, hooks: FillHooks): boolean {
  const fill = database.get<Fill>(
    `SELECT application, definition_id AS "definitionId", before_at AS "beforeAt", before_id AS "beforeId"
     FROM outcome_fill ORDER BY application, definition_id LIMIT 1`,
  );
  if (!fill) return false;
  const { application, definitionId } = fill;
  const isUpgrade = definitionId === '';
  const tests = isUpgrade ? testsOfApplication(database, fill) : testsOfDefinition(database, fill);
  for (const { id: testId, at: createdAt } of tests) {
    saveOutcome(database, { application, testId });
    if (isUpgrade)
      for (const onFilled of hooks.onOutcomeFilled)
        onFilled(database, { application, testId, createdAt, now });
  }
  const last = tests.at(-1);
  if (last && tests.length === STEP_TESTS)
    database.run(
      `UPDATE outcome_fill SET before_at = :at, before_id = :id
       WHERE application = :application AND definition_id = :definitionId`,
      { application, definitionId, ...last },
    );
  else
    database.run(
      'DELETE FROM outcome_fill WHERE application = :application AND definition_id = :definitionId',
      { application, definitionId },
    );
  return hasFill(database, null);
}

interface PassedTest {
  id: string;
  at: number;
}

/** Returns the condition that a row follows the last one that was computed. */
const afterLast = (key: string, { beforeAt }: Fill): string =>
  beforeAt === null ? '' : `AND (created_at, ${key}) < (:beforeAt, :beforeId)`;

const placeOf = ({ beforeAt, beforeId }: Fill): Record<string, string | number | null> =>
  beforeAt === null ? {} : { beforeAt, beforeId };

function testsOfApplication(database: Database, fill: Fill): PassedTest[] {
  const after = afterLast('id', fill);
  return database.all<PassedTest>(
    `SELECT id, created_at AS at FROM test
     WHERE application = :application AND status IN ('COMPLETED', 'FAILED') ${after}
     ORDER BY created_at DESC, id DESC LIMIT :limit`,
    { application: fill.application, limit: STEP_TESTS, ...placeOf(fill) },
  );
}

function testsOfDefinition(database: Database, fill: Fill): PassedTest[] {
  const after = afterLast('test_id', fill);
  return database.all<PassedTest>(
    `SELECT test_id AS id, created_at AS at FROM eval
     WHERE application = :application AND definition_id = :definitionId AND superseded = 0 AND test_id IS NOT NULL ${after}
     ORDER BY created_at DESC, test_id DESC LIMIT :limit`,
    {
      application: fill.application,
      definitionId: fill.definitionId,
      limit: STEP_TESTS,
      ...placeOf(fill),
    },
  );
}
