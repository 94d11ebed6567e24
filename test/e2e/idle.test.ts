import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { defining } from '../resources/definition-support.ts';
import { startServer } from '../support/server.ts';

/** Of so many seconds without a call. */
const IDLE_S = 6;

it('an idle server commits nothing and runs no query, even if a definition judges live sessions', async () => {
  const server = await startServer();
  onTestFinished(() => server.close());
  const metrics = async (): Promise<{ commits: number; reads: number }> => {
    const { text } = await server.call('GET', '/metrics');
    const valueOf = (name: string): number => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
    return {
      commits: valueOf('touchstone_store_commits_total'),
      reads: valueOf('touchstone_store_reads_total'),
    };
  };
  const { id } = await defining(server).definition({
    type: 'CONVERSATION',
    globalConfig: { monitoring: { sampleRate: 1 } },
  });
  await server.call('POST', '/v0/definitions/link-application', { body: { evalIds: [id] } });
  const events = [{ type: 'trace', timestamp: new Date().toISOString(), referenceId: 'a', input: 'Hello' }];
  await server.call('POST', '/v0/ingest', { body: { events } });
  // What a start has to do is done by then.
  await delay(2_000);
  const windowOf = async (): Promise<{ commits: number; isReadLittle: boolean }> => {
    const before = await metrics();
    await delay(IDLE_S * 1_000);
    const after = await metrics();
    // A scrape itself reads: the key of the caller and the numbers of jobs.
    return { commits: after.commits - before.commits, isReadLittle: after.reads - before.reads <= 4 };
  };
  // What is done once in a long while may be due in one of these windows, but not in each.
  await expect.poll(windowOf, { interval: 0 }).toEqual({ commits: 0, isReadLittle: true });
});
