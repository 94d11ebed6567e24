import type { Database } from '../storage/database.ts';
import { jsonField } from '../storage/dialect.ts';
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

/** A test to judge. */
export interface TestToJudge {
  taskId: string;
  example: ExampleOfTest;
}

/**
 * Returns the task of a test and what its example expects; null when the test does not exist, or has failed in a way that nothing
 * is judged. A changed input does not apply to earlier tests: they are judged by the last version with the input that they sent.
 */
export function testToJudge(
  database: Database,
  { application, testId }: { application: number; testId: string },
): TestToJudge | null {
  // Prompts may be long, and are needed only if that of the example has changed.
  const row = database.get<Expectation & { taskId: string; exampleId: string | null; prompt: string | null }>(
    `SELECT test.task_id AS taskId, example.id AS exampleId, expected, rubric,
            CASE WHEN example.prompt <> test.prompt THEN test.prompt END AS prompt
     FROM test LEFT JOIN example ON example.application = test.application AND example.id = test.example_id
     WHERE test.application = :application AND test.id = :testId
       AND (test.status <> 'FAILED' OR ${jsonField('test.failure', 'code')} = 'evaluation_error')`,
    { application, testId },
  );
  if (!row) return null;
  const { taskId, exampleId, prompt } = row;
  const { expected, rubric } =
    (exampleId === null || prompt === null
      ? row
      : earlierVersion(database, application, { exampleId, prompt })) ?? NOTHING;
  return {
    taskId,
    example: {
      expected: expected === null ? undefined : (JSON.parse(expected) as JsonValue),
      rubric: rubric ?? undefined,
    },
  };
}

const NOTHING: Expectation = { expected: null, rubric: null };

const earlierVersion = (
  database: Database,
  application: number,
  { exampleId, prompt }: { exampleId: string; prompt: string },
): Expectation | undefined =>
  database.get<Expectation>(
    `SELECT expected, rubric FROM example_version WHERE application = :application AND example_id = :exampleId AND prompt = :prompt
     ORDER BY version DESC LIMIT 1`,
    { application, exampleId, prompt },
  );
