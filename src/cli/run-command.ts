import { createClient } from '../api/client.ts';
import { readFlags } from '../config/flags.ts';
import { uuid } from '../contract/values.ts';
import { StartupError } from '../errors.ts';
import type { ListedTest } from '../resources/tests/contract.ts';
import { ACCOUNT_FLAGS, readAccount } from './account.ts';
import type { Io } from './io.ts';
import { printJson } from './read-server.ts';
import { printable } from './server-trouble.ts';
import { timeLimit } from './test-options.ts';
import {
  chosenTasks,
  countOpen,
  outcomeOf,
  type ServerAccess,
  type TriggeredRun,
  startTests,
} from './test-runs.ts';
import { endAfter } from './test-stop.ts';
import { waitForTests } from './test-wait.ts';
import { testTable } from './tests-command.ts';
import { countText } from '../runtime/count-text.ts';

const MAX_TASKS = 100;

/**
 * Runs tests of the given tasks and waits for them. Returns 1 if one of them failed: that is, could not be run or
 * judged; a verdict against the app is no failure of the test.
 */
export async function runTasks(args: readonly string[], io: Io): Promise<number> {
  const { flags, words } = readFlags(args, {
    values: ['--timeout', ...ACCOUNT_FLAGS],
    switches: ['--json'],
  });
  const account = readAccount('run', flags, io.env);
  const ids = taskIds(words);
  const isJson = flags.has('--json');
  const server: ServerAccess = {
    api: createClient(account),
    url: account.baseUrl,
    signal: endAfter(
      timeLimit(flags.get('--timeout')),
      'The time limit (--timeout) is over. The tests continue; see tests.',
    ),
    onTrouble: (message) => io.err(`${message} Retrying.\n`),
  };
  // The progress is no part of the JSON.
  const progress = isJson ? { ...io, out: io.err, isTerminal: false } : io;

  const tasks = await chosenTasks(
    server,
    ids.map((id) => ({ by: 'id', id })),
  );
  const runs: TriggeredRun[] = [];
  await startTests(server, { tasks, runs, repeat: 1, examples: null, promptSeed: null });
  const started = runs.reduce((sum, { testIds }) => sum + testIds.length, 0);
  progress.out(`Started ${countText(started, 'test')} of ${countText(tasks.length, 'task')}.\n`);
  await waitForTests(
    server,
    async () => ({ total: started, open: await countOpen(server, runs), runs }),
    progress,
  );
  const { tests } = await outcomeOf(server, runs);
  if (isJson) printJson(io, { data: tests });
  else io.out(outcomeText(tests, io.program));
  return tests.some(({ status }) => status === 'FAILED') ? 1 : 0;
}

function outcomeText(tests: readonly ListedTest[], program: string): string {
  const failures = tests.flatMap(({ id, failure }) =>
    failure === null ? [] : [`\n${id} failed: ${printable(failure.message)} ${printable(failure.hint)}\n`],
  );
  const id = tests.length === 1 ? tests[0]?.id : 'ID';
  return `\n${testTable(tests)}${failures.join('')}\nDraw what the app did: ${program} trace ${id}\n`;
}

function taskIds(words: readonly string[]): string[] {
  if (words.length === 0 || words.length > MAX_TASKS)
    throw new StartupError(`run takes 1 to ${MAX_TASKS} ids of tasks; see tasks.`);
  return words.map((word) => {
    const parsed = uuid.safeParse(word);
    if (!parsed.success)
      throw new StartupError(`run takes ids of tasks, not ${JSON.stringify(word.slice(0, 80))}; see tasks.`);
    return parsed.data;
  });
}
