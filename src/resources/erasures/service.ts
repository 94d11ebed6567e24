import type { Log } from '../../runtime/log.ts';
import { startTicker } from '../../runtime/ticker.ts';
import type { Read, Write } from '../../storage/calls.ts';
import type { Storage } from '../../storage/storage.ts';
import { pendingErasure } from './calls.ts';
import { type ClearingOf, runErasure } from './run.ts';
import type { MadeCopy } from './contract.ts';

const TICK_MS = 1_000;
/** Time after which an erasure that waits for a reader lets another one begin. */
const TURN_MS = 2_000;

export interface ErasureService {
  /** Reports that an erasure is not complete. */
  wake(): void;
  stop(): Promise<void>;
}

interface ErasureServiceOptions {
  read: Read;
  write: Write;
  clearRemains: Storage['clearRemains'];
  findSnapshots: () => MadeCopy[];
  now: () => number;
  log: Log;
}

/** Completes erasures that an earlier process has left, and those that requests leave. */
export function startErasures({ read, log, ...options }: ErasureServiceOptions): ErasureService {
  let isStopped = false;
  let isPending = true;
  /** Progress of each erasure that is not complete; there are as many as receipts. */
  const clearings = new Map<string, ClearingOf>();
  const hasStopped = (): boolean => isStopped;
  const finishAll = async (): Promise<void> => {
    while (!hasStopped()) {
      const pending = await read(pendingErasure, null);
      isPending = pending !== null;
      // Some were completed by a call or the command line.
      if (pending === null) return clearings.clear();
      const until = performance.now() + TURN_MS;
      const isOver = (): boolean => hasStopped() || performance.now() > until;
      const clearing = clearings.get(pending.id) ?? { begun: null };
      clearings.set(pending.id, clearing);
      if (await runErasure({ ...options, isStopped: isOver }, pending, clearing))
        clearings.delete(pending.id);
    }
  };
  const ticker = startTicker(TICK_MS, async () => {
    if (!isPending || isStopped) return;
    await finishAll().catch((error: unknown) => log.warn('an erasure was interrupted; retrying', { error }));
  });
  return {
    wake: () => {
      isPending = true;
    },
    stop: async () => {
      isStopped = true;
      await ticker.stop();
    },
  };
}
