import { startTicker, type Ticker } from '../runtime/ticker.ts';

/** Interval after which work is looked for even if nothing seems to have changed. */
const BACKSTOP_MS = 60_000;

/** Decides when it is worth looking for due work: the store has changed since the last look, or a known time has come. */
export class StoreWatch {
  private readonly version: () => string;
  private readonly now: () => number;
  /** Null before the first look and after one that failed. */
  private last: { version: string; at: number; nextAt: number } | null = null;

  /** `version` changes with each commit that changed something; `now` returns Unix milliseconds. */
  constructor(version: () => string, now: () => number) {
    this.version = version;
    this.now = now;
  }

  get isDue(): boolean {
    if (this.last === null || this.last.version !== this.version()) return true;
    const now = this.now();
    return now >= this.last.nextAt || now < this.last.at;
  }

  /** Looks for work. `look` returns when the next falls due, in Unix milliseconds; null = none is known. */
  async look(look: () => Promise<number | null>): Promise<void> {
    // What is committed from here on is seen by the next look at the latest.
    const version = this.version();
    const at = this.now();
    this.last = null;
    const nextAt = (await look()) ?? Infinity;
    this.last = { version, at, nextAt: Math.min(nextAt, at + BACKSTOP_MS) };
  }

  /** Milliseconds until the next known work falls due. */
  get waitMs(): number {
    return (this.last?.nextAt ?? Infinity) - this.now();
  }
}

interface LookoutOptions {
  version: () => string;
  now: () => number;
  /** Interval between checks for work. */
  everyMs: number;
  /** Does the work that is due; returns when more falls due, in Unix milliseconds, or null when unknown. */
  look: () => Promise<number | null>;
  onError: (error: unknown) => void;
}

/** Looks for due work again and again, but only when there may be some. */
export function startLookout({ version, now, everyMs, look, onError }: LookoutOptions): Ticker {
  const watch = new StoreWatch(version, now);
  return startTicker(everyMs, async () => {
    if (watch.isDue) await watch.look(look).catch(onError);
  });
}
