import type { Database } from '../storage/database.ts';
import type { JsonValue } from '../traces/span-wire.ts';

/**
 * Returns what the example of a test expects; undefined if it expects nothing, or the test has no example. A changed
 * input does not apply to earlier tests: they are judged by the last version with the input that they sent.
 */
export function expectationOfTest(
  database: Database,
  { application, testId }: { application: number; testId: string },
): JsonValue | undefined {
  const row = database.get<{ exampleId: string; prompt: string; isCurrent: number; expected: string | null }>(
    `SELECT example.id AS exampleId, test.prompt, example.prompt = test.prompt AS isCurrent, expected
     FROM test JOIN example ON example.application = test.application AND example.id = test.example_id
     WHERE test.application = ? AND test.id = ?`,
    application,
    testId,
  );
  if (!row) return undefined;
  const expected = row.isCurrent ? row.expected : earlierExpectation(database, application, row);
  return expected === null ? undefined : (JSON.parse(expected) as JsonValue);
}

const earlierExpectation = (
  database: Database,
  application: number,
  { exampleId, prompt }: { exampleId: string; prompt: string },
): string | null =>
  database.get<{ expected: string | null }>(
    `SELECT expected FROM example_version WHERE application = ? AND example_id = ? AND prompt = ?
     ORDER BY version DESC LIMIT 1`,
    application,
    exampleId,
    prompt,
  )?.expected ?? null;
