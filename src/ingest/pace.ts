/** Duration of a commit, in milliseconds, that commands of slices should not exceed. */
const WANTED_MS = 40;
/** Largest weight of one command, in units of slices.ts: about 25 milliseconds of the writer while it reads no disk. */
export const MAX_COMMAND_WEIGHT = 2_500;
const MIN_COMMAND_WEIGHT = 400;
const GROWTH = 1.15;
/** One slow commit, which may have waited for a checkpoint, changes the limit no more than this. */
const SMALLEST_STEP = 0.5;

/**
 * Limits the weight of commands by how long the latest ones took. What a slice costs depends on the disk: in a store larger
 * than the memory of the machine, a slice of a thousand new traces waits for thousands of pages.
 */
export class Pace {
  private limit = MAX_COMMAND_WEIGHT;

  /** Largest weight of the next command. */
  get maxWeight(): number {
    return this.limit;
  }

  /** Records the duration of the commit that a command of some weight belonged to. */
  record(weight: number, milliseconds: number): void {
    if (milliseconds > WANTED_MS) {
      const step = Math.max(SMALLEST_STEP, WANTED_MS / milliseconds);
      this.limit = Math.max(MIN_COMMAND_WEIGHT, this.limit * step);
    } else if (weight > this.limit / 2) {
      this.limit = Math.min(MAX_COMMAND_WEIGHT, this.limit * GROWTH);
    }
  }
}
