import { nfc } from '../contract/text-forms.ts';
import type { Database } from '../storage/database.ts';
import { jsonField } from '../storage/dialect.ts';
import type { JsonValue } from '../traces/span-wire.ts';
import type { AppliedDefinition } from './evaluator.ts';

/** Expectation of the example of a test; fields that it does not have are undefined. */
export interface ExampleOfTest {
  expected?: JsonValue | undefined;
  rubric?: string | undefined;
  /** Rubrics by the name or the id of a definition. */
  rubrics?: Readonly<Record<string, string>> | undefined;
  /** Checks of the example. */
  assertions?: JsonValue | undefined;
}

interface Expectation {
  expected: string | null;
  rubric: string | null;
  rubrics: string | null;
  assertions: string | null;
}

/** A test to judge. */
export interface TestToJudge {
  taskId: string;
  /** Run set by whose definitions it is judged; null for the definitions of today. */
  snapshotId: string | null;
  example: ExampleOfTest;
}

/**
 * Returns the task of a test and what its example expects; null when the test does not exist, or has failed in a way that nothing
 * is judged. A test of a run set is judged by the version of the example that the set has fixed. A changed input does not apply to
 * other earlier tests: they are judged by the last version with the input that they sent. With `isToday`, a test of a run set is like
 * the others.
 */
export function testToJudge(
  database: Database,
  { application, testId, isToday = false }: { application: number; testId: string; isToday?: boolean },
): TestToJudge | null {
  // Prompts may be long, and are needed only if that of the example has changed.
  const snapshot = isToday ? 'NULL' : 'snapshot_id';
  const row = database.get<TestRow>(
    `SELECT test.task_id AS taskId, ${snapshot} AS snapshotId, example.id AS exampleId, expected, rubric, rubrics, assertions,
            CASE WHEN example.prompt <> test.prompt THEN test.prompt END AS prompt,
            CASE WHEN ${snapshot} IS NOT NULL AND example_version <> example.version THEN example_version END AS earlier
     FROM test LEFT JOIN example ON example.application = test.application AND example.id = test.example_id
     WHERE test.application = :application AND test.id = :testId
       AND (test.status <> 'FAILED' OR ${jsonField('test.failure', 'code')} = 'evaluation_error')`,
    { application, testId },
  );
  if (!row) return null;
  const { taskId, snapshotId } = row;
  const { expected, rubric, rubrics, assertions } = expectationOf(database, application, row) ?? NOTHING;
  return {
    taskId,
    snapshotId,
    example: {
      expected: expected === null ? undefined : (JSON.parse(expected) as JsonValue),
      rubric: rubric ?? undefined,
      rubrics: rubrics === null ? undefined : (JSON.parse(rubrics) as Record<string, string>),
      assertions: assertions === null ? undefined : (JSON.parse(assertions) as JsonValue),
    },
  };
}

interface TestRow extends Expectation {
  taskId: string;
  snapshotId: string | null;
  exampleId: string | null;
  /** Prompt of the test, if the example has another one now. */
  prompt: string | null;
  /** Version of the example that its run set has fixed, if the example has another one now. */
  earlier: number | null;
}

function expectationOf(database: Database, application: number, row: TestRow): Expectation | undefined {
  const { exampleId, prompt, earlier } = row;
  if (exampleId === null) return row;
  const fixed =
    earlier === null ? undefined : versionOf(database, application, { exampleId, version: earlier });
  if (fixed) return fixed;
  return prompt === null ? row : earlierVersion(database, application, { exampleId, prompt });
}

/** Returns the rubric of an example for a definition: that of its id or name, else the one for all, unless it reads only its own; undefined if there is none. */
export function rubricFor(
  { definitionId, name, config }: Pick<AppliedDefinition, 'definitionId' | 'name' | 'config'>,
  { rubric, rubrics = {} }: ExampleOfTest,
): string | undefined {
  const nameOf = (key: string): string => nfc(key).trim().toLowerCase();
  const own = Object.entries(rubrics).find(
    ([key]) => nameOf(key) === definitionId || nameOf(key) === nameOf(name),
  );
  return own?.[1] ?? (config['exampleRubric'] === 'own' ? undefined : rubric);
}

/** Returns the run set by whose definitions a test is judged; null for the definitions of today. */
export const snapshotOf = (database: Database, of: { application: number; testId: string }): string | null =>
  database.get<{ snapshotId: string | null }>(
    'SELECT snapshot_id AS "snapshotId" FROM test WHERE application = :application AND id = :testId',
    { ...of },
  )?.snapshotId ?? null;

const versionOf = (
  database: Database,
  application: number,
  { exampleId, version }: { exampleId: string; version: number },
): Expectation | undefined =>
  database.get<Expectation>(
    'SELECT expected, rubric, rubrics, assertions FROM example_version WHERE application = :application AND example_id = :exampleId AND version = :version',
    { application, exampleId, version },
  );

const NOTHING: Expectation = { expected: null, rubric: null, rubrics: null, assertions: null };

const earlierVersion = (
  database: Database,
  application: number,
  { exampleId, prompt }: { exampleId: string; prompt: string },
): Expectation | undefined =>
  database.get<Expectation>(
    `SELECT expected, rubric, rubrics, assertions FROM example_version WHERE application = :application AND example_id = :exampleId AND prompt = :prompt
     ORDER BY version DESC LIMIT 1`,
    { application, exampleId, prompt },
  );
