/** The table `test_touch`: tests whose spans have arrived, until the module of tests has processed them. */
import type { Database, RowStatement } from '../storage/database.ts';

export interface TestTouch {
  application: number;
  /** A uuid, which may not belong to a test of the service. */
  testId: string;
  /** Time when the spans arrived, in Unix milliseconds. */
  at: number;
}

const ADD_TOUCH: RowStatement = {
  sql: 'INSERT INTO test_touch (application, test_id, at) VALUES (?, ?, ?)',
  columns: ['integer', 'text', 'integer'],
};

/**
 * Touches of one commit, written together with one row per test. Rows are only inserted, so writers never wait for
 * each other.
 */
export class TestTouches {
  private readonly touches = new Map<string, TestTouch>();

  add(touch: TestTouch): void {
    this.touches.set(`${touch.application} ${touch.testId}`, touch);
  }

  write(database: Database): void {
    database.runMany(
      ADD_TOUCH,
      [...this.touches.values()].map(({ application, testId, at }) => [application, testId, at]),
    );
    this.touches.clear();
  }
}

/** Removes and returns some of the touches, oldest first. */
export function takeTestTouches(database: Database, limit: number): TestTouch[] {
  return database.all<TestTouch>(
    `DELETE FROM test_touch WHERE id IN (SELECT id FROM test_touch ORDER BY id LIMIT :limit)
     RETURNING application, test_id AS "testId", at`,
    { limit },
  );
}

/** Reports whether spans of a test have arrived that are not processed yet. */
export const hasTouchesOf = (
  database: Database,
  { application, testId }: Pick<TestTouch, 'application' | 'testId'>,
): boolean =>
  database.get('SELECT 1 FROM test_touch WHERE application = :application AND test_id = :testId LIMIT 1', {
    application,
    testId,
  }) !== undefined;

export const hasTestTouches = (database: Database): boolean =>
  database.get('SELECT 1 FROM test_touch LIMIT 1') !== undefined;
