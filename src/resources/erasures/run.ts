import { setTimeout as delay } from 'node:timers/promises';
import type { Write } from '../../storage/calls.ts';
import type { Clearing } from '../../storage/clearing.ts';
import type { Storage } from '../../storage/storage.ts';
import { completeErasure, eraseSome } from './calls.ts';
import type { MadeCopy } from './contract.ts';

interface ErasureDeps {
  write: Write;
  now: () => number;
  isStopped: () => boolean;
  clearRemains: Storage['clearRemains'];
  /** Returns the files in the data folder with an earlier state of the store. */
  findSnapshots: () => MadeCopy[];
}

/** Progress in removing what is left of the deleted rows, from which another turn of the same erasure continues. */
export type ClearingOf = Pick<Clearing, 'begun'>;

/** Milliseconds between two attempts to remove what is left of deleted rows, while others read an older state. */
const READERS_PAUSE_MS = 250;

/** Deletes what an erasure names, in steps that others can interrupt; returns whether it is complete. */
export async function runErasure(
  { write, now, isStopped, clearRemains, findSnapshots }: ErasureDeps,
  { application, id }: { application: number; id: string },
  clearing: ClearingOf = { begun: null },
): Promise<boolean> {
  let part: number | null = null;
  while (!isStopped()) {
    const since = performance.now();
    const step: Awaited<ReturnType<typeof eraseStep>> = await eraseStep(write, {
      application,
      id,
      at: now(),
      begun: part,
    });
    if (step.isComplete) break;
    part = step.begun;
    await delay(performance.now() - since);
  }
  while (!isStopped()) {
    const since = performance.now();
    const { begun, state } = await clearRemains(clearing.begun);
    clearing.begun = begun;
    if (state === 'done') {
      await write(completeErasure, { application, id, at: now(), snapshots: findSnapshots() });
      return true;
    }
    await delay(state === 'more' ? performance.now() - since : READERS_PAUSE_MS);
  }
  return false;
}

const eraseStep = (
  write: ErasureDeps['write'],
  args: { application: number; id: string; at: number; begun: number | null },
) => write(eraseSome, args);
