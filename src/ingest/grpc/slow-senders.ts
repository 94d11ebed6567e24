import { ClientGone } from '../http-body.ts';

/** Time limits for messages; in milliseconds except the rate. */
export interface SendLimits {
  /** Idle time without a byte. */
  bodyIdleMs: number;
  /** Average rate that a message must keep once `bodyIdleMs` have passed. */
  bodyBytesPerSecond: number;
  /** Time for the complete message. */
  requestMs: number;
  /** Interval between two checks of all messages. */
  checkMs: number;
}

interface Transfer {
  bytes: number;
  bytesAtCheck: number;
  waitedMs: number;
  quietMs: number;
  abort: AbortController;
}

/** A message that is being received. */
export interface Watched {
  /** Aborts with a ClientGone when the message arrives too slowly. */
  signal: AbortSignal;
  onBytes: (count: number) => void;
  end: () => void;
}

/** Ends calls whose message arrives too slowly. */
export class SlowSenders {
  private readonly transfers = new Set<Transfer>();
  private readonly limits: SendLimits;
  private readonly timer: NodeJS.Timeout;
  private checkedAt = performance.now();

  constructor(limits: SendLimits) {
    this.limits = limits;
    this.timer = setInterval(() => this.check(), limits.checkMs);
    this.timer.unref();
  }

  watch(): Watched {
    const transfer = { bytes: 0, bytesAtCheck: 0, waitedMs: 0, quietMs: 0, abort: new AbortController() };
    this.transfers.add(transfer);
    return {
      signal: transfer.abort.signal,
      onBytes: (count) => {
        transfer.bytes += count;
      },
      end: () => this.transfers.delete(transfer),
    };
  }

  close(): void {
    clearInterval(this.timer);
  }

  private check(): void {
    const { bodyIdleMs, bodyBytesPerSecond, requestMs, checkMs } = this.limits;
    const now = performance.now();
    // While the process was blocked it read nothing, so senders are not charged for that time.
    const elapsed = Math.min(now - this.checkedAt, 2 * checkMs);
    this.checkedAt = now;
    for (const transfer of this.transfers) {
      const { bytes, bytesAtCheck } = transfer;
      transfer.waitedMs += elapsed;
      transfer.quietMs = bytes === bytesAtCheck ? transfer.quietMs + elapsed : 0;
      transfer.bytesAtCheck = bytes;
      const allowedMs = Math.min(requestMs, bodyIdleMs + (bytes / bodyBytesPerSecond) * 1_000);
      if (transfer.quietMs < bodyIdleMs && transfer.waitedMs < allowedMs) continue;
      this.transfers.delete(transfer);
      transfer.abort.abort(new ClientGone('the message arrived too slowly', 'slow_body'));
    }
  }
}
