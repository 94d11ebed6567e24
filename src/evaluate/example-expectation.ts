import type { Database } from '../storage/database.ts';
import type { JsonValue } from '../traces/span-wire.ts';

/** Expectation of the example of a test; fields that it does not have are undefined. */
export interface ExampleOfTest {
  expected?: JsonValue | undefined;
  rubric?: string | undefined;
}

interface Expectation {
  expected: string | null;
  rubric: string | null;
}

/**
 * Returns what the example of a test expects. A changed input does not apply to earlier tests: they are judged by the
 * last version with the input that they sent.
 */
export function exampleOfTest(
  database: Database,
  { application, testId }: { application: number; testId: string },
): ExampleOfTest {
  const row = database.get<Expectation & { exampleId: string; prompt: string; isCurrent: number }>(
    `SELECT example.id AS exampleId, test.prompt, example.prompt = test.prompt AS isCurrent, expected, rubric
     FROM test JOIN example ON example.application = test.application AND example.id = test.example_id
     WHERE test.application = ? AND test.id = ?`,
    application,
    testId,
  );
  const { expected, rubric } = (row?.isCurrent ? row : row && earlierVersion(database, application, row)) ?? {
    expected: null,
    rubric: null,
  };
  return {
    expected: expected === null ? undefined : (JSON.parse(expected) as JsonValue),
    rubric: rubric ?? undefined,
  };
}

const earlierVersion = (
  database: Database,
  application: number,
  { exampleId, prompt }: { exampleId: string; prompt: string },
): Expectation | undefined =>
  database.get<Expectation>(
    `SELECT expected, rubric FROM example_version WHERE application = ? AND example_id = ? AND prompt = ?
     ORDER BY version DESC LIMIT 1`,
    application,
    exampleId,
    prompt,
  );
