import { uuid } from '../contract/values.ts';
import { StartupError } from '../errors.ts';
import type { ListedTest } from '../resources/tests/contract.ts';
import type { Io } from './io.ts';
import { printList, readServer, rowLimit, withoutWords } from './read-server.ts';
import { formatTable } from './tables.ts';
import { timeText, truncateLine } from './terminal-text.ts';

const STATUSES = ['PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED'] as const;
const PROMPT_WIDTH = 40;

/** Lists the latest tests, newest first. */
export async function testsCommand(args: readonly string[], io: Io): Promise<void> {
  const { flags, words, read } = readServer('tests', args, io, {
    values: ['--task', '--run', '--status', '--limit'],
  });
  withoutWords('tests', words);
  const idOf = (flag: string): string[] | undefined => {
    const text = flags.get(flag);
    if (text === undefined) return undefined;
    const parsed = uuid.safeParse(text);
    if (!parsed.success)
      throw new StartupError(`${flag} must be an id; got ${JSON.stringify(text.slice(0, 80))}.`);
    return [parsed.data];
  };
  const [taskId, runId, status] = [idOf('--task'), idOf('--run'), statusOf(flags.get('--status'))];
  const query = {
    limit: rowLimit(flags),
    ...(taskId && { taskId }),
    ...(runId && { runId }),
    ...(status && { status: [status] }),
  };
  const listed = await read((api, init) => api.GET('/v0/tests', { params: { query }, ...init }));
  const next = `Draw one: ${io.program} trace ID`;
  printList(io, flags, listed, { what: 'test', tableOf: testTable, next });
}

/** Formats tests as a table. */
export const testTable = (tests: readonly ListedTest[]): string =>
  formatTable(
    ['TEST', 'CREATED (UTC)', 'STATUS', 'PHASE', 'VERDICTS', 'PROMPT'],
    tests.map((test) => [
      test.id,
      timeText(test.createdAt),
      test.status,
      test.phase,
      test.result === null ? '-' : `${test.result.passed} of ${test.result.total} passed`,
      truncateLine(test.prompt, PROMPT_WIDTH),
    ]),
  );

function statusOf(text: string | undefined): (typeof STATUSES)[number] | undefined {
  if (text === undefined) return undefined;
  const found = STATUSES.find((status) => status === text.toUpperCase());
  if (found === undefined)
    throw new StartupError(
      `--status must be one of ${STATUSES.join(', ')}, not ${JSON.stringify(text.slice(0, 80))}.`,
    );
  return found;
}
