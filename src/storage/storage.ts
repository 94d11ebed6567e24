import type { MessagePort } from 'node:worker_threads';
import type { StoreNumbers } from '../runtime/metrics.ts';
import type { Call, Operations } from './operations.ts';

/**
 * The waist between the rooms and the database. An engine promises:
 *
 * - `write` resolves only when the command's effects are durable: they survive `kill -9` and loss of power.
 *   It rejects when they are not, and then nothing of that command is stored. Commands that fail leave their
 *   neighbours alone, whatever they were committed with.
 * - Commands run one after another, each seeing all before it. Those that name the same application in their arguments, and
 *   those that name none, run in the order they were called; applications take turns.
 * - `read` sees everything whose `write` had resolved before it was called, on one snapshot. It never waits for writes.
 * - AppErrors thrown by an operation arrive as they were; `unavailable` means "nothing was done, call again".
 *   Any other failure of the engine itself that passes (disk full, file busy) arrives as `unavailable` too.
 * - No operation takes effect twice, and none is retried once its caller has a response.
 */
export interface Storage<W extends Operations, R extends Operations> {
  readonly write: Call<W>;
  readonly read: Call<R>;
  /** True if other processes may use the same store at the same time. */
  readonly isShared: boolean;
  /** Changes with each commit that changed something, of other processes too, so that nobody looks for news in vain. */
  readonly version: () => string;
  /** A port to the same writer for another thread's bulk commands: calls of `write` go before them. */
  connectWriter(): MessagePort;
  stats(): Promise<StoreNumbers>;
  /** Finishes what was accepted, then lets go of the files. */
  close(): Promise<void>;
}
