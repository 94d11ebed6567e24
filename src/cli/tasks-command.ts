import type { Io } from './io.ts';
import { printJson, readServer, rowLimit, withoutWords } from './read-server.ts';
import { table } from './tables.ts';
import { countText, truncate } from './terminal-text.ts';
import { intervalText, percentText } from './test-text.ts';

const TITLE_WIDTH = 50;

/** Lists tasks, newest first. */
export async function listTasks(args: readonly string[], io: Io): Promise<void> {
  const { flags, words, read } = readServer('tasks', args, io, { values: ['--search', '--limit'] });
  withoutWords('tasks', words);
  const search = flags.get('--search');
  const query = { limit: rowLimit(flags), ...(search !== undefined && { search }) };
  const listed = await read((api, init) => api.GET('/v0/tasks', { params: { query }, ...init }));
  if (flags.has('--json')) {
    printJson(io, listed);
    return;
  }
  const { data, pagination } = listed;
  if (data.length === 0) {
    io.out('There is no such task yet.\n');
    return;
  }
  const rows = data.map(({ id, title, status, exampleCount, passRate, passRateInterval }) => [
    id,
    status,
    String(exampleCount),
    passRate === null ? '-' : percentText(passRate),
    passRateInterval === null ? '-' : intervalText(passRateInterval),
    truncate(title, TITLE_WIDTH),
  ]);
  io.out(table(['TASK', 'STATUS', 'EXAMPLES', 'PASS RATE', '95 % INTERVAL', 'TITLE'], rows));
  io.out(`\n${data.length} of ${countText(pagination.total, 'task')}. Test one: ${io.program} run ID\n`);
}
