/**
 * What a sender knows of a span: `made` until it is handed to an exporter, `sent` until a response arrives, and then what
 * the response says. A span that stays `made` was dropped by the sender; one that stays `sent` may be stored or not.
 */
export type Outcome = 'made' | 'sent' | 'acknowledged' | 'rejected';

/** Trace id and span id in hexadecimal digits, separated by a slash. */
export type SpanName = string;

export const spanName = (traceId: string, spanId: string): SpanName => `${traceId}/${spanId}`;

/** The spans that one sender made, each with what became of it. */
export class SpanBook {
  readonly sender: string;
  private readonly outcomes = new Map<SpanName, Outcome>();
  /** Faults that the sender itself saw, such as an unexpected response. */
  readonly faults: string[] = [];

  constructor(sender: string) {
    this.sender = sender;
  }

  note(names: Iterable<SpanName>, outcome: Outcome): void {
    for (const name of names) {
      const before = this.outcomes.get(name);
      // Sent again, a span keeps what an earlier response said of it.
      if (outcome === 'sent' && (before === 'acknowledged' || before === 'rejected')) continue;
      this.outcomes.set(name, outcome);
    }
  }

  entries(): Iterable<[SpanName, Outcome]> {
    return this.outcomes;
  }

  count(outcome: Outcome): number {
    let count = 0;
    for (const one of this.outcomes.values()) if (one === outcome) count += 1;
    return count;
  }

  get size(): number {
    return this.outcomes.size;
  }

  /** A random trace of which a span was acknowledged; undefined if there is none. */
  lastAcknowledged: SpanName | undefined;
}

/** Bounds that a sender knows for the ledger of its application; spans of requests without response may count or not. */
export interface Attempts {
  /** Requests with response 200, and their spans by what must have become of them. */
  acknowledged: { requests: number; spans: number; rejected: number; repeated: number };
  /** All requests with all their spans. */
  all: { requests: number; spans: number; rejected: number; repeated: number };
}

export const noAttempts = (): Attempts => ({
  acknowledged: { requests: 0, spans: 0, rejected: 0, repeated: 0 },
  all: { requests: 0, spans: 0, rejected: 0, repeated: 0 },
});
