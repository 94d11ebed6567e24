import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { watchStore } from '../../src/cli/watch-store.ts';
import { createLog } from '../../src/runtime/log.ts';

it('a store that rejects commits is reported once, and once more when it accepts them', async () => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', write: (line) => lines.push(line), forPeople: false });
  const numbers = { commits: 10, failedCommits: 0 };
  const watch = watchStore({ dataDir: '.', stats: async () => ({ ...numbers }), log, everyMs: 5 });
  try {
    await delay(50);
    for (let i = 0; i < 3; i += 1) {
      numbers.failedCommits += 1;
      await delay(30);
    }
    numbers.commits += 1;
    await delay(60);
  } finally {
    await watch.stop();
  }
  expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
    'the store rejects data; senders get 503 and retry. Run `touchstone doctor`',
    'the store accepts data again',
  ]);
});
