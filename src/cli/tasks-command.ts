import type { Task } from '../api/generated/schema.ts';
import type { Io } from './io.ts';
import { printList, readServer, rowLimit, withoutWords } from './read-server.ts';
import { formatTable } from './tables.ts';
import { truncateLine } from './terminal-text.ts';
import { intervalText, percentText } from '../evaluate/statistics/percent-text.ts';

const TITLE_WIDTH = 50;

/** Lists tasks, newest first. */
export async function tasksCommand(args: readonly string[], io: Io): Promise<void> {
  const { flags, words, read } = readServer('tasks', args, io, { values: ['--search', '--limit'] });
  withoutWords('tasks', words);
  const search = flags.get('--search');
  const query = { limit: rowLimit(flags), ...(search !== undefined && { search }) };
  const listed = await read((api, init) => api.GET('/v0/tasks', { params: { query }, ...init }));
  printList(io, flags, listed, { what: 'task', tableOf, next: `Test one: ${io.program} run ID` });
}

const tableOf = (tasks: readonly Task[]): string =>
  formatTable(
    ['TASK', 'STATUS', 'EXAMPLES', 'PASS RATE', '95 % INTERVAL', 'TITLE'],
    tasks.map(({ id, title, status, exampleCount, passRate, passRateInterval }) => [
      id,
      status,
      String(exampleCount),
      passRate === null ? '-' : percentText(passRate),
      passRateInterval === null ? '-' : intervalText(passRateInterval),
      truncateLine(title, TITLE_WIDTH),
    ]),
  );
