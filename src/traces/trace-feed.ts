import { SharedCount } from '../runtime/shared-count.ts';

/** Traces of which spans were just committed. */
export interface StoredTraces {
  /** Ids of the traces, 16 bytes each. */
  traceIds: Uint8Array;
  /** True if some ids are left out because there were too many. */
  isTruncated: boolean;
}

/** Most traces that a reader of the feed has not taken yet. */
const MAX_WAITING = 2_000;
const ID_BYTES = 16;

/** Passes on which traces are new or have grown, from the commit that stored their spans to those who wait for them. */
export class TraceFeed {
  private readonly readers = new Map<number, Set<WaitingTraces>>();
  /** Number of readers, for the threads that store spans. */
  readonly readerCount = new SharedCount();

  publish(application: number, { traceIds, isTruncated }: StoredTraces): void {
    for (const reader of this.readers.get(application) ?? []) reader.add(traceIds, isTruncated);
  }

  /** Returns the applications whose changes someone reads. */
  applications(): number[] {
    return [...this.readers.keys()];
  }

  /** Collects the changed traces of an application from now on, until `close` is called. */
  open(application: number): { waiting: WaitingTraces; close: () => void } {
    const waiting = new WaitingTraces();
    const readers = this.readers.get(application) ?? new Set();
    this.readers.set(application, readers.add(waiting));
    this.readerCount.add(1);
    const close = (): void => {
      if (!readers.delete(waiting)) return;
      this.readerCount.add(-1);
      if (readers.size === 0 && this.readers.get(application) === readers) this.readers.delete(application);
    };
    return { waiting, close };
  }
}

/** Changed traces that a reader has not taken yet, each once. */
export class WaitingTraces {
  private readonly ids = new Set<string>();
  private hasMissed = false;

  get isEmpty(): boolean {
    return this.ids.size === 0;
  }

  add(traceIds: Uint8Array, isTruncated: boolean): void {
    if (isTruncated) this.hasMissed = true;
    const bytes = Buffer.from(traceIds.buffer, traceIds.byteOffset, traceIds.byteLength);
    for (let at = 0; at < bytes.length; at += ID_BYTES) {
      if (this.ids.size >= MAX_WAITING) {
        this.hasMissed = true;
        return;
      }
      this.ids.add(bytes.toString('latin1', at, at + ID_BYTES));
    }
  }

  /** Takes up to `count` ids, the oldest first. */
  take(count: number): Buffer[] {
    const taken = this.ids.values().take(count).toArray();
    for (const id of taken) this.ids.delete(id);
    return taken.map((id) => Buffer.from(id, 'latin1'));
  }

  /** Reports, once, whether changes were left out because too many waited. */
  takeMissed(): boolean {
    const hasMissed = this.hasMissed;
    this.hasMissed = false;
    return hasMissed;
  }

  miss(): void {
    this.hasMissed = true;
  }
}
