import { expect, it } from 'vitest';
import { startMaintenance } from '../../src/ingest/maintenance.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { deleteTrace } from '../../src/traces/delete.ts';
import { traceCommands, traceQueries } from '../../src/traces/operations.ts';
import { BASE_MS, traceBytes } from '../support/spans.ts';
import { useStore } from '../support/storage.ts';

const { newTenant } = useStore();

it('continues with the removal of a deleted trace after a failure', async () => {
  const tenant = newTenant();
  const { database, application } = tenant;
  tenant.store([{ trace: 1, id: 1 }]);
  const { tkey = -1 } = deleteTrace(database, { application, traceIds: [traceBytes(1)], at: BASE_MS }) ?? {};
  const commands = traceCommands({
    beforeTraceDeleted: [],
    purgeRows: [],
    purgeOfTrace: [],
    purgeOfSession: [],
    purgeOfTest: [],
    onDaysChanged: [],
  }) as Record<string, (...args: unknown[]) => unknown>;
  let failures = 0;
  const write = async (name: string, args: unknown): Promise<unknown> => {
    if (name === 'purgeTrace' && failures++ === 0) throw new Error('the disk is full');
    return commands[name]?.(database, args);
  };
  const metrics = createMetrics({
    storeNumbers: () => Promise.reject(new Error('no store')),
    memory: { used: 0, limit: 1 },
  });
  const log = {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: () => undefined,
  };
  const unused = (): never => {
    throw new Error('not to be called');
  };
  const read = async (name: keyof typeof traceQueries, args: never): Promise<unknown> =>
    traceQueries[name](database, args);
  const options = { read: read as never, write: write as never, version: () => '', metrics, log };
  const maintenance = startMaintenance(options, unused);
  await expect.poll(() => tenant.count('chunk', tkey)).toBe(0);
  await maintenance.stop();
  expect(failures).toBeGreaterThan(1);
});
