import type { RunSet } from '../api/generated/schema.ts';
import { StartupError } from '../errors.ts';
import { countText } from '../runtime/count-text.ts';
import { printable } from './server-trouble.ts';
import { once } from './test-calls.ts';
import type { TestOptions } from './test-options.ts';
import { type ChosenTask, chunks, MAX_TASKS, type ServerAccess } from './test-runs.ts';

type Choice = Pick<TestOptions, 'examples'>;

/**
 * Checks the choice of examples, and returns what the user should know about it: definitions that are linked to the tasks
 * and judge nothing. Throws StartupError for a split that no task has.
 */
export async function checkChoice(
  server: ServerAccess,
  tasks: readonly ChosenTask[],
  { examples }: Choice,
): Promise<string[]> {
  for (const split of examples?.splits ?? []) {
    if (!(await hasSplit(server, tasks, split)))
      throw new StartupError(`No task has an active example of the split ${JSON.stringify(split)}.`);
  }
  return await idleDefinitions(server, tasks);
}

/** Returns a sentence for each definition that is linked to one of the tasks, but not active. */
async function idleDefinitions(
  { api, url, signal }: ServerAccess,
  tasks: readonly ChosenTask[],
): Promise<string[]> {
  const texts = new Set<string>();
  for (const some of chunks(tasks, MAX_TASKS)) {
    const taskId = some.map(({ id }) => id);
    const query = { taskId, definitionStatus: ['DRAFT' as const, 'ARCHIVED' as const], limit: MAX_TASKS };
    const { data } = await once(url, signal, (init) =>
      api.GET('/v0/definitions', { params: { query }, ...init }),
    );
    for (const { name, status } of data)
      texts.add(`${printable(name)} judges nothing: its status is ${status}.`);
  }
  return [...texts];
}

async function hasSplit(
  { api, url, signal }: ServerAccess,
  tasks: readonly ChosenTask[],
  split: string,
): Promise<boolean> {
  for (const { id } of tasks) {
    const params = { path: { id }, query: { split: [split], limit: 1 } };
    const { pagination } = await once(url, signal, (init) =>
      api.GET('/v0/tasks/{id}/examples', { params, ...init }),
    );
    if (pagination.total > 0) return true;
  }
  return false;
}

/** Says how many tests were started, and of how many examples where others were left out. */
export function startedText(
  { id, tests, examples, untilSure }: RunSet,
  tasks: readonly ChosenTask[],
): string {
  if (untilSure)
    return `Run set ${id}.\nTests up to ${countText(examples, 'example')} of ${countText(tasks.length, 'task')} in random order, ${untilSure.batch} at a time, until the result is sure.\n`;
  const started = `Run set ${id}.\nStarted ${countText(tests.total, 'test')} of ${countText(tasks.length, 'task')}`;
  const fixed = tasks.filter(({ type }) => type !== 'NORMAL');
  const all = fixed.reduce((sum, { exampleCount = 0 }) => sum + exampleCount, 0);
  return examples < all ? `${started}: ${examples} of ${countText(all, 'example')}.\n` : `${started}.\n`;
}
