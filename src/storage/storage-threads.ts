import type { Worker } from 'node:worker_threads';
import { AppError } from '../errors.ts';
import type { ThreadCaller } from '../runtime/thread-calls.ts';

/** Milliseconds for which a fault of a query is reported. */
const READ_FAULT_MS = 60_000;

/** Remembers the last fault of the store in a query. */
export class ReadFaults {
  private last: { code: string; at: number } | null = null;

  readerOf(caller: ThreadCaller): { read: (name: string, args: unknown) => Promise<unknown> } {
    return { read: (name, args) => this.note(caller.call(name, args)) };
  }

  private note(result: Promise<unknown>): Promise<unknown> {
    return result.catch((error: unknown) => {
      const code = error instanceof AppError ? error.fault : null;
      if (code !== null) this.last = { code, at: performance.now() };
      throw error;
    });
  }

  /** Code of a fault of the last minute; null if there was none. */
  get recent(): string | null {
    return this.last && performance.now() - this.last.at < READ_FAULT_MS ? this.last.code : null;
  }
}

/** Calls whose results are awaited. When it closes, it accepts no more of them. */
export class CallsInProgress {
  private readonly settled = new Set<Promise<unknown>>();
  isClosed = false;

  run(call: () => Promise<unknown>): Promise<unknown> {
    if (this.isClosed) return Promise.reject(new AppError('unavailable', 'the server is stopping'));
    const answer = call();
    const settled: Promise<unknown> = answer.catch(() => undefined).then(() => this.settled.delete(settled));
    this.settled.add(settled);
    return answer;
  }

  /** Resolves when no call is in progress. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.settled);
  }
}

/** Resolves when a thread has ended. Calls `onDeath` if that was not because the store was closed. */
export function endOf(
  thread: Worker,
  calls: CallsInProgress,
  onDeath: (error: Error) => void,
): Promise<void> {
  thread.on('error', onDeath);
  return new Promise((resolve) => {
    thread.on('exit', (code) => {
      if (!calls.isClosed) onDeath(new Error(`a storage thread ended with code ${code}`));
      resolve();
    });
  });
}
