import { WireWriter } from '../../traces/wire/writer.ts';
import { applyEventPatch, isOpenSpan } from './apply.ts';
import { type SpanDraft, decodeDraft, encodeDraft } from './draft.ts';
import { matchKey } from './ids.ts';
import type { NativeSpan, OpenStep } from './outcome.ts';
import type { Patch } from './patch.ts';
import type { StoredNative } from './stored.ts';

/** One span that events of the call change or may change. */
export interface SpanTableRow {
  traceId: Buffer;
  spanId: Buffer;
  draft: SpanDraft | null;
  /** Match key in hex while the draft is an open `llm` start. */
  match: string | null;
  start: bigint;
  /** Open step in the store that belongs to the span. */
  storedOpen: OpenStep | null;
  /** True if the draft continues stored bytes. */
  completes: boolean;
  /** Number of events of the call in the draft. */
  events: number;
}

/** Spans of a call, as stored and as changed by its events. */
export class SpanTable {
  private readonly stored: ReadonlyMap<string, StoredNative>;
  private readonly rows = new Map<string, SpanTableRow>();
  private readonly spans: NativeSpan[] = [];
  private readonly writer = new WireWriter();

  /** Creates the table; `stored` is by trace id in hex. */
  constructor(stored: ReadonlyMap<string, StoredNative>) {
    this.stored = stored;
  }

  storedOf(traceId: Buffer): StoredNative | undefined {
    return this.stored.get(traceId.toString('hex'));
  }

  row(traceId: Buffer, spanId: Buffer): SpanTableRow {
    const key = Buffer.concat([traceId, spanId]).toString('hex');
    const known = this.rows.get(key);
    if (known !== undefined) return known;
    const bytes = this.storedOf(traceId)?.spans.get(spanId.toString('hex'));
    const draft = bytes === undefined ? null : decodeDraft(bytes);
    const row: SpanTableRow = {
      traceId,
      spanId,
      draft,
      match: null,
      start: 0n,
      storedOpen: null,
      completes: draft !== null,
      events: 0,
    };
    markOpen(row);
    row.storedOpen = openStepOf(row);
    this.rows.set(key, row);
    return row;
  }

  apply(row: SpanTableRow, patch: Patch): void {
    if (row.draft !== null && row.draft.attributes.get('touchstone.event') !== patch.type)
      this.startOver(row);
    row.draft = applyEventPatch(row.draft, patch);
    row.events += 1;
    markOpen(row);
  }

  finish(): { spans: NativeSpan[]; opened: OpenStep[]; closed: OpenStep[] } {
    const opened: OpenStep[] = [];
    const closed: OpenStep[] = [];
    for (const row of this.rows.values()) {
      if (row.events === 0) continue;
      this.emit(row);
      const before = row.storedOpen;
      const after = openStepOf(row);
      if (isSame(before, after)) continue;
      if (before !== null) closed.push(before);
      if (after !== null) opened.push(after);
    }
    return { spans: this.spans, opened, closed };
  }

  /** Replaces a span by a step of another type with the same id, which does not update it. */
  private startOver(row: SpanTableRow): void {
    if (row.events > 0) this.emit(row);
    row.draft = null;
    row.completes = false;
    row.events = 0;
  }

  private emit({ traceId, spanId, draft, events, completes }: SpanTableRow): void {
    if (draft === null) return;
    const bytes = encodeDraft(this.writer, traceId, spanId, draft);
    this.spans.push({ traceId, spanId, bytes, events, completes });
  }
}

function markOpen(row: SpanTableRow): void {
  const { draft, traceId } = row;
  if (draft === null || !isOpenSpan(draft)) {
    row.match = null;
    return;
  }
  const model = draft.attributes.get('gen_ai.request.model') ?? '';
  const group = draft.attributes.get('touchstone.group') ?? null;
  row.match = matchKey(traceId, model, draft.name, group).toString('hex');
  row.start = draft.start;
}

function openStepOf({ traceId, spanId, match, start }: SpanTableRow): OpenStep | null {
  return match === null ? null : { traceId, match: Buffer.from(match, 'hex'), start, spanId };
}

function isSame(a: OpenStep | null, b: OpenStep | null): boolean {
  if (a === null || b === null) return a === b;
  return a.start === b.start && a.match.equals(b.match);
}
