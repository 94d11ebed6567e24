import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import { arrayOf, each } from '../../storage/dialect.ts';
import { randomUUID } from 'node:crypto';
import { createExampleBody } from './contract.ts';
import { MAX_INPUT_CHARACTERS, MAX_INPUT_EXAMPLES } from './input-limits.ts';
import { examples } from './record.ts';
import { insertExample, nextPosition, removeExample } from './store.ts';

interface OfTask {
  application: number;
  taskId: string;
}

/** Input examples of a task: the prompts of its first active examples, and the number of all active ones. */
export interface InputExamples {
  inputExamples: string[];
  exampleCount: number;
}

/** Returns the input examples of tasks. */
export function inputExamplesOf(
  database: Database,
  { application, taskIds }: { application: number; taskIds: readonly string[] },
): (taskId: string) => InputExamples {
  const isOfTask = `application = :application AND task_id = task.value AND status = 'ACTIVE'`;
  const rows = database.all<{ taskId: string; prompts: string; exampleCount: number }>(
    `SELECT task.value AS "taskId", (
       SELECT ${arrayOf('prompt')} FROM (
         SELECT prompt, sum(length(prompt)) OVER (ORDER BY position, id) AS characters FROM (
           SELECT id, position, prompt FROM example WHERE ${isOfTask} ORDER BY position, id LIMIT ${MAX_INPUT_EXAMPLES}
         ) AS beginning ORDER BY position, id
       ) AS measured WHERE characters <= ${MAX_INPUT_CHARACTERS}) AS prompts,
       (SELECT count(*) FROM example WHERE ${isOfTask}) AS "exampleCount"
     FROM ${each(':taskIds')} AS task`,
    { application, taskIds: JSON.stringify(taskIds) },
  );
  const found = new Map(rows.map((row) => [row.taskId, row]));
  return (taskId) => ({
    inputExamples: JSON.parse(found.get(taskId)?.prompts ?? '[]') as string[],
    exampleCount: found.get(taskId)?.exampleCount ?? 0,
  });
}

/** A prompt, and the answer that is expected to it, if one is known. */
export interface AnsweredPrompt {
  prompt: string;
  expected: string | null;
}

/** Adds examples without expected values to the end of a task. The prompts have been checked. */
export const addInputExamples = (
  database: Database,
  of: OfTask & { at: number },
  prompts: readonly string[],
): void =>
  addAnsweredExamples(
    database,
    of,
    prompts.map((prompt) => ({ prompt, expected: null })),
  );

/** Adds examples to the end of a task. The prompts have been checked; an answer that no example may have is left out. */
export function addAnsweredExamples(
  database: Database,
  { application, taskId, at }: OfTask & { at: number },
  added: readonly AnsweredPrompt[],
): void {
  let position = nextPosition(database, { application, taskId });
  for (const { prompt: input, expected } of added) {
    const place = { application, taskId, id: randomUUID(), position: position++, at };
    const answered = createExampleBody.safeParse({ input, expected });
    insertExample(database, place, answered.data ?? createExampleBody.parse({ input }));
  }
}

/** Gives the first example of a task with a prompt the answer that is expected, unless it has one. */
export function expectAnswer(
  database: Database,
  { application, taskId, at }: OfTask & { at: number },
  { prompt, expected }: AnsweredPrompt,
): void {
  const [found] = examples.all(
    database,
    application,
    `task_id = :taskId AND status = 'ACTIVE' AND prompt = :prompt ORDER BY position, id LIMIT 1`,
    { taskId, prompt },
  );
  const isPossible = createExampleBody.safeParse({ input: prompt, expected }).success;
  if (found?.expected === null && isPossible)
    examples.update(database, { application, id: found.id, at }, { expected });
}

/**
 * Makes these prompts the active examples of a task, in this order. Examples with one of the prompts remain as they
 * are; the others are removed. Throws `conflict` if the task has more examples than it shows.
 */
export function replaceInputExamples(
  database: Database,
  { application, taskId, at }: OfTask & { at: number },
  prompts: readonly string[],
): void {
  const shown = inputExamplesOf(database, { application, taskIds: [taskId] })(taskId);
  if (JSON.stringify(shown.inputExamples) === JSON.stringify(prompts)) return;
  if (shown.exampleCount > shown.inputExamples.length)
    throw new AppError(
      'conflict',
      `\`inputExamples\` shows ${shown.inputExamples.length} of ${shown.exampleCount} examples; change them by /v0/tasks/${taskId}/examples`,
    );
  const active = examples.all(
    database,
    application,
    `task_id = :taskId AND status = 'ACTIVE' ORDER BY position, id LIMIT :limit`,
    { taskId, limit: MAX_INPUT_EXAMPLES },
  );
  const left = Map.groupBy(active, ({ prompt }) => prompt);
  const kept = prompts.map((prompt) => left.get(prompt)?.shift());
  for (const { id } of [...left.values()].flat()) removeExample(database, { application, id, at });
  for (const [position, prompt] of prompts.entries()) {
    const known = kept[position];
    if (known) examples.update(database, { application, id: known.id, at }, { position });
    else
      insertExample(
        database,
        { application, taskId, id: randomUUID(), position, at },
        createExampleBody.parse({ input: prompt }),
      );
  }
}
