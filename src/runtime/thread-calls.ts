import type { Transferable } from 'node:worker_threads';
import { AppError, type ErrorCode, type Issue } from '../errors.ts';
import { type Envelope, openEnvelope, Outbox, type Port, type ScheduleSend } from './outbox.ts';

/**
 * Call over a MessagePort: a request has a number, and its response has the same. Both are sent in batches, so that
 * threads under load wake each other once for many calls.
 */
export interface CallMessage {
  id: number;
  name: string;
  args: unknown;
}

/** Messages that the called side receives. */
export type CallEnvelope = Envelope<CallMessage>;

type AnswerMessage =
  | { id: number; value: unknown; tookMs?: number }
  | {
      id: number;
      error: {
        code: ErrorCode;
        message: string;
        issues: readonly Issue[];
        retryAfter: number | null;
        fault: string | null;
      };
    }
  | { id: number; crash: string };

/** Result of a call, and the milliseconds that the other side reports for it; 0 if it reports none. */
interface Timed {
  value: unknown;
  tookMs: number;
}

interface Waiting {
  resolve: (result: Timed) => void;
  reject: (error: Error) => void;
  settled: Promise<unknown>;
}

/** The calling side of one port. Rejects calls with `unavailable` when more than `maxWaiting` are in progress. */
export class ThreadCaller {
  private readonly waiting = new Map<number, Waiting>();
  private readonly outbox: Outbox<CallMessage>;
  private readonly maxWaiting: number;
  private lastId = 0;
  private closed: Error | null = null;

  constructor(port: Port, maxWaiting: number) {
    this.outbox = new Outbox(port, {
      schedule: setImmediate,
      onUnsendable: ({ id }, error) => this.settle(failure(id, error)),
    });
    this.maxWaiting = maxWaiting;
    port.on('message', (answers: Envelope<AnswerMessage>) => {
      openEnvelope(answers, (answer) => this.settle(answer));
    });
  }

  /** Number of calls in progress. */
  get size(): number {
    return this.waiting.size;
  }

  /** Resolves when no call is in progress. */
  async idle(): Promise<void> {
    const calls = [...this.waiting.values()].map(({ settled }) => settled);
    await Promise.allSettled(calls);
    if (this.waiting.size > 0) await this.idle();
  }

  /** Calls the other side. `bytes` are sent besides `args`: copied or moved, whichever costs less. */
  async call(
    name: string,
    args: unknown,
    bytes: Uint8Array | null = null,
    transfer: readonly Transferable[] = [],
  ): Promise<unknown> {
    return (await this.timedCall(name, args, bytes, transfer)).value;
  }

  timedCall(
    name: string,
    args: unknown,
    bytes: Uint8Array | null = null,
    transfer: readonly Transferable[] = [],
  ): Promise<Timed> {
    if (this.closed) return Promise.reject(this.closed);
    if (this.waiting.size >= this.maxWaiting) {
      return Promise.reject(new AppError('unavailable', 'the server is busy; retry later'));
    }
    const id = ++this.lastId;
    const { promise, resolve, reject } = Promise.withResolvers<Timed>();
    this.waiting.set(id, { resolve, reject, settled: promise });
    const message: CallMessage = { id, name, args };
    this.outbox.add(message, transfer, bytes);
    return promise;
  }

  /** Fails all calls in progress and all later ones. */
  fail(error: Error): void {
    this.closed = error;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }

  private settle(answer: AnswerMessage): void {
    const waiting = this.waiting.get(answer.id);
    if (!waiting) return;
    this.waiting.delete(answer.id);
    if ('value' in answer) waiting.resolve({ value: answer.value, tookMs: answer.tookMs ?? 0 });
    else if ('error' in answer) {
      const { code, message, issues, retryAfter, fault } = answer.error;
      const more = { ...(retryAfter !== null && { retryAfter }), ...(fault !== null && { fault }) };
      waiting.reject(new AppError(code, message, { issues, ...more }));
    } else waiting.reject(new Error(answer.crash));
  }
}

/** The responding side of one port. */
export class ThreadResponder {
  private readonly outbox: Outbox<AnswerMessage>;

  /** Creates a responder. By default, all responses of one turn of the event loop are sent together. */
  constructor(port: Port, schedule: ScheduleSend = queueMicrotask) {
    this.outbox = new Outbox(port, {
      schedule,
      onUnsendable: ({ id }, error) => this.fail(id, error),
    });
  }

  /**
   * Sends the result of one call, and how long it took if the caller is to know. Bytes with a buffer of their own,
   * including `bytes` of an object, are moved and not copied.
   */
  answer(id: number, value: unknown, tookMs?: number): void {
    const answer: AnswerMessage = tookMs === undefined ? { id, value } : { id, value, tookMs };
    const bytes = bytesOfResult(value);
    const moves =
      bytes !== undefined &&
      bytes.buffer instanceof ArrayBuffer &&
      bytes.byteLength === bytes.buffer.byteLength;
    this.outbox.add(answer, moves ? [bytes.buffer] : []);
  }

  /** Sends an error: an AppError unchanged, anything else as an internal error with its stack for the log. */
  fail(id: number, error: unknown): void {
    this.outbox.add(failure(id, error));
  }
}

/** Returns the bytes of a result: itself, or its field `bytes`. */
export function bytesOfResult(value: unknown): Uint8Array | undefined {
  const bytes =
    value instanceof Uint8Array ? value : (value as { bytes?: unknown } | null | undefined)?.bytes;
  return bytes instanceof Uint8Array ? bytes : undefined;
}

function failure(id: number, error: unknown): AnswerMessage {
  if (error instanceof AppError) {
    const { code, message, issues, retryAfter, fault } = error;
    return { id, error: { code, message, issues, retryAfter, fault } };
  }
  return { id, crash: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
