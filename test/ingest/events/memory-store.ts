import { convertEvents } from '../../../src/ingest/events/convert.ts';
import type { NativeOutcome, OpenStep } from '../../../src/ingest/events/outcome.ts';
import type { StoredNative, StoredQuery } from '../../../src/ingest/events/stored.ts';
import { decodeSpan, type SpanMessage } from '../../../src/traces/span-wire.ts';

/** Keeps in maps what a call makes, and gives it back as the real store does. */
export class MemoryStore {
  readonly spans = new Map<string, Buffer>();
  readonly aliases = new Map<string, string>();
  open: OpenStep[] = [];
  queries: StoredQuery[][] = [];
  private traces = 0;

  /** Converts, keeps the outcome, and gives it back. */
  async send(...events: unknown[]): Promise<NativeOutcome> {
    const outcome = await convertEvents(
      events,
      () => Buffer.from(newTrace(++this.traces).replaceAll('-', ''), 'hex'),
      (queries) => {
        this.queries.push(queries);
        return Promise.resolve(queries.map((query) => this.answer(query)));
      },
    );
    this.keep(outcome);
    return outcome;
  }

  /** All spans stored, in the order of their starts. */
  read(): SpanMessage[] {
    const spans = [...this.spans.values()].map((bytes) => decodeSpan(bytes));
    return spans.sort((a, b) => Number(a.startTime - b.startTime));
  }

  private keep({ spans, opened, closed, aliases }: NativeOutcome): void {
    for (const { traceId, spanId, bytes } of spans) this.spans.set(hex(traceId, spanId), bytes);
    for (const { traceId, endId, spanId } of aliases) this.aliases.set(hex(traceId, endId), hex(spanId));
    for (const step of closed) {
      const place = this.open.findIndex((other) => isSame(step, other));
      if (place === -1) throw new Error('closed a step that was not open');
      this.open.splice(place, 1);
    }
    for (const step of opened) {
      if (this.open.some((other) => isSame(step, other))) throw new Error('opened a step twice');
      this.open.push(step);
    }
  }

  private answer({ traceId, spanIds, matches, touched }: StoredQuery): StoredNative {
    const answer: StoredNative = { spans: new Map(), aliases: new Map(), open: new Map() };
    const give = (spanId: string) => {
      const bytes = this.spans.get(hex(traceId) + spanId);
      if (bytes !== undefined) answer.spans.set(spanId, bytes);
    };
    for (const spanId of spanIds) {
      give(hex(spanId));
      const alias = this.aliases.get(hex(traceId, spanId));
      if (alias === undefined) continue;
      answer.aliases.set(hex(spanId), alias);
      give(alias);
    }
    for (const { key, limit } of matches) {
      const steps = this.open
        .filter((step) => step.traceId.equals(traceId) && step.match.equals(key))
        .sort((a, b) => Number(a.start - b.start));
      const own = new Set(touched.map((id) => hex(id)));
      const enough = steps.filter(({ spanId }) => !own.has(hex(spanId)))[limit - 1];
      const found = steps
        .slice(0, enough ? steps.indexOf(enough) + 1 : steps.length)
        .map(({ spanId }) => hex(spanId));
      if (found.length > 0) answer.open.set(hex(key), found);
      for (const spanId of found) give(spanId);
    }
    return answer;
  }
}

/** The uuid of the n-th trace that a store makes. */
export function newTrace(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

export function hex(...ids: Buffer[]): string {
  return Buffer.concat(ids).toString('hex');
}

function isSame(a: OpenStep, b: OpenStep): boolean {
  return hex(a.traceId, a.spanId, a.match) === hex(b.traceId, b.spanId, b.match) && a.start === b.start;
}
