import { startTicker, type Ticker } from '../runtime/ticker.ts';

/** Interval after which work is looked up even if nothing seems to have changed. */
const BACKSTOP_MS = 60_000;

/** Decides when to look up due work: the store has changed since the last lookup, or a known due time has come. */
export class StoreWatch {
  private readonly version: () => string;
  private readonly now: () => number;
  /** Last lookup; null before the first one and after one that failed. */
  private last: { version: string; at: number; nextAt: number } | null = null;

  /** Creates the watch. `version` changes with each commit that changed data; `now` returns Unix milliseconds. */
  constructor(version: () => string, now: () => number) {
    this.version = version;
    this.now = now;
  }

  get isDue(): boolean {
    if (this.last === null || this.last.version !== this.version()) return true;
    const now = this.now();
    return now >= this.last.nextAt || now < this.last.at;
  }

  /**
   * Looks up work if there may be some. `look` returns when the next work is due, in Unix milliseconds; null when
   * unknown.
   */
  async look(look: () => Promise<number | null>): Promise<void> {
    // Read first, so that the next lookup sees everything committed from here on.
    const version = this.version();
    const at = this.now();
    this.last = null;
    const nextAt = (await look()) ?? Infinity;
    this.last = { version, at, nextAt: Math.min(nextAt, at + BACKSTOP_MS) };
  }

  /** Milliseconds until the next known work is due. */
  get waitMs(): number {
    return (this.last?.nextAt ?? Infinity) - this.now();
  }
}

interface LookoutOptions {
  version: () => string;
  now: () => number;
  /** Interval between checks for work. */
  everyMs: number;
  /** Performs the due work and returns when more is due, in Unix milliseconds; null when unknown. */
  look: () => Promise<number | null>;
  onError: (error: unknown) => void;
}

/** Repeatedly does due work, but only when there may be some. */
export function startLookout({ version, now, everyMs, look, onError }: LookoutOptions): Ticker {
  const watch = new StoreWatch(version, now);
  return startTicker(everyMs, async () => {
    if (watch.isDue) await watch.look(look).catch(onError);
  });
}
