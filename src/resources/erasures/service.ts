import type { Log } from '../../runtime/log.ts';
import { startTicker } from '../../runtime/ticker.ts';
import type { Read, Write } from '../../storage/calls.ts';
import { pendingErasure } from './calls.ts';
import { runErasure } from './run.ts';
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
  emptyLog: () => Promise<boolean>;
  findSnapshots: () => MadeCopy[];
  now: () => number;
  log: Log;
}

/** Completes erasures that an earlier process has left, and those that requests leave. */
export function startErasures({ read, log, ...options }: ErasureServiceOptions): ErasureService {
  let isStopped = false;
  let isPending = true;
  const hasStopped = (): boolean => isStopped;
  const finishAll = async (): Promise<void> => {
    while (!hasStopped()) {
      const pending = await read(pendingErasure, null);
      isPending = pending !== null;
      if (pending === null) return;
      const until = performance.now() + TURN_MS;
      await runErasure({ ...options, isStopped: () => hasStopped() || performance.now() > until }, pending);
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
