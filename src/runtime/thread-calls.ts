import type { MessagePort, Transferable, Worker } from 'node:worker_threads';
import { AppError, type ErrorCode, type Issue } from '../errors.ts';

/** Calls over a MessagePort: a request carries a number, its answer carries the same. */
export interface CallMessage {
  id: number;
  name: string;
  args: unknown;
}

type AnswerMessage =
  | { id: number; value: unknown }
  | {
      id: number;
      error: { code: ErrorCode; message: string; issues: readonly Issue[]; retryAfter: number | null };
    }
  | { id: number; crash: string };

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
  settled: Promise<unknown>;
}

type Port = MessagePort | Worker;

/** The calling side of one port. More than `maxWaiting` calls under way are refused as `unavailable`. */
export class ThreadCaller {
  private readonly waiting = new Map<number, Waiting>();
  private readonly port: Port;
  private readonly maxWaiting: number;
  private lastId = 0;
  private closed: Error | null = null;

  constructor(port: Port, maxWaiting: number) {
    this.port = port;
    this.maxWaiting = maxWaiting;
    port.on('message', (answer: AnswerMessage) => this.settle(answer));
  }

  /** Calls under way. */
  get size(): number {
    return this.waiting.size;
  }

  /** Resolves when no call is under way. */
  async idle(): Promise<void> {
    const calls = [...this.waiting.values()].map(({ settled }) => settled);
    await Promise.allSettled(calls);
    if (this.waiting.size > 0) await this.idle();
  }

  call(name: string, args: unknown, transfer: readonly Transferable[] = []): Promise<unknown> {
    if (this.closed) return Promise.reject(this.closed);
    if (this.waiting.size >= this.maxWaiting) {
      return Promise.reject(new AppError('unavailable', 'the server is busy; send again'));
    }
    const id = ++this.lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.waiting.set(id, { resolve, reject, settled: promise });
    const message: CallMessage = { id, name, args };
    this.port.postMessage(message, [...transfer]);
    return promise;
  }

  /** Fails every call under way and all later ones. */
  fail(error: Error): void {
    this.closed = error;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }

  private settle(answer: AnswerMessage): void {
    const waiting = this.waiting.get(answer.id);
    if (!waiting) return;
    this.waiting.delete(answer.id);
    if ('value' in answer) waiting.resolve(answer.value);
    else if ('error' in answer) {
      const { code, message, issues, retryAfter } = answer.error;
      waiting.reject(new AppError(code, message, { issues, ...(retryAfter === null ? {} : { retryAfter }) }));
    } else waiting.reject(new Error(answer.crash));
  }
}

/** Sends the answer to one call. A value that is bytes with a buffer of its own moves instead of being copied. */
export function answerCall(port: Port, id: number, value: unknown): void {
  const answer: AnswerMessage = { id, value };
  if (
    value instanceof Uint8Array &&
    value.buffer instanceof ArrayBuffer &&
    value.byteLength === value.buffer.byteLength
  ) {
    port.postMessage(answer, [value.buffer]);
  } else port.postMessage(answer, []);
}

/** Sends a failure: an AppError as it is, anything else as a crash with its stack for the log. */
export function answerError(port: Port, id: number, error: unknown): void {
  const answer: AnswerMessage =
    error instanceof AppError
      ? {
          id,
          error: {
            code: error.code,
            message: error.message,
            issues: error.issues,
            retryAfter: error.retryAfter,
          },
        }
      : { id, crash: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  port.postMessage(answer, []);
}
