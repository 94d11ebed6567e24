import { setTimeout as delay } from 'node:timers/promises';
import type { Write } from '../../storage/calls.ts';
import { completeErasure, eraseSome } from './calls.ts';
import type { MadeCopy } from './contract.ts';

interface ErasureDeps {
  write: Write;
  now: () => number;
  isStopped: () => boolean;
  /** Empties the log of the store, as `Storage` does. */
  emptyLog: () => Promise<boolean>;
  /** Returns the files in the data folder with an earlier state of the store. */
  findSnapshots: () => MadeCopy[];
}

/** Milliseconds between two attempts to empty the log, while others read an older state. */
const LOG_PAUSE_MS = 250;

/** Deletes what an erasure names, in steps that others can interrupt; returns whether it is complete. */
export async function runErasure(
  { write, now, isStopped, emptyLog, findSnapshots }: ErasureDeps,
  { application, id }: { application: number; id: string },
): Promise<boolean> {
  let begun: number | null = null;
  while (!isStopped()) {
    const since = performance.now();
    const step: Awaited<ReturnType<typeof eraseStep>> = await eraseStep(write, {
      application,
      id,
      at: now(),
      begun,
    });
    if (step.isComplete) break;
    begun = step.begun;
    await delay(performance.now() - since);
  }
  // The log repeats deleted pages until it is emptied.
  while (!isStopped()) {
    if (await emptyLog()) {
      await write(completeErasure, { application, id, at: now(), snapshots: findSnapshots() });
      return true;
    }
    await delay(LOG_PAUSE_MS);
  }
  return false;
}

const eraseStep = (
  write: ErasureDeps['write'],
  args: { application: number; id: string; at: number; begun: number | null },
) => write(eraseSome, args);
