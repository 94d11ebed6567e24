import { setTimeout as delay } from 'node:timers/promises';
import type { Call } from '../../storage/operations.ts';
import type { erasureCommands } from './store.ts';

interface ErasureDeps {
  write: Call<ReturnType<typeof erasureCommands>>;
  now: () => number;
  isStopped: () => boolean;
}

/** Deletes what an erasure names, in steps that others can interrupt; returns whether it is complete. */
export async function runErasure(
  { write, now, isStopped }: ErasureDeps,
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
    if (step.isComplete) return true;
    begun = step.begun;
    await delay(performance.now() - since);
  }
  return false;
}

const eraseStep = (
  write: ErasureDeps['write'],
  args: { application: number; id: string; at: number; begun: number | null },
) => write('eraseSome', args);
