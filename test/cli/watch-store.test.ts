import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { watchStore } from '../../src/cli/watch-store.ts';
import { createLog } from '../../src/runtime/log.ts';

it('faults and slowness of the store are reported once, and once more when they end', async () => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', write: (line) => lines.push(line), forPeople: false });
  const numbers = { commits: 10, commitSeconds: 0.1, failedCommits: 0, failure: null as string | null };
  const watch = watchStore({ dataDir: '.', stats: async () => ({ ...numbers }), log, everyMs: 5 });
  const written = (): { message: string; advice?: string }[] =>
    lines.map((line) => JSON.parse(line) as { message: string; advice?: string });
  const until = (count: number): Promise<unknown> => expect.poll(() => lines.length).toBe(count);
  try {
    await delay(50);
    for (let i = 0; i < 3; i += 1) {
      numbers.failedCommits += 1;
      numbers.failure = 'SQLITE_IOERR_WRITE';
      await delay(20);
    }
    await until(1);
    // A commit that changes nothing needs no disk, and is no sign that it works.
    numbers.commits += 1;
    await delay(20);
    numbers.failure = null;
    await until(2);
    numbers.commits += 1;
    numbers.commitSeconds += 3;
    await until(3);
    expect(watch.recentCommitMs()).toBe(1_500);
    numbers.commits += 30;
    await until(4);
  } finally {
    await watch.stop();
  }
  expect(written().map(({ message }) => message)).toEqual([
    'the store rejects data; senders get 503 and retry. Run `touchstone doctor`',
    'the store accepts data again',
    'the disk is slow; senders wait, and get 503 when the memory budget is used up',
    'the disk is as fast as usual again',
  ]);
  expect(written()[0]?.advice).toMatch(/read-only, repair and mount it, then restart the server/);
});
