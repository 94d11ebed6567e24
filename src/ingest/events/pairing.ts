import { OpenStarts } from './open-starts.ts';
import type { EndAlias } from './outcome.ts';
import { isUnnamedEnd, type Patch, patchMatch } from './patch.ts';
import type { SpanTableRow, SpanTable } from './span-table.ts';

/**
 * Applies every event to its span. An `llm` end without id closes a start with its model, name and group: the oldest
 * open one before it in the call, else the oldest open one in the store, else the oldest one after it in the call
 * that began earlier. Otherwise it becomes a span of its own. Returns the ends for which a start was found.
 */
export function applyAll(table: SpanTable, patches: readonly Patch[]): EndAlias[] {
  const starts = new OpenStarts<SpanTableRow>();
  const storedStarts = new StoredStarts(table);
  const aliases: EndAlias[] = [];
  const waiting: Patch[] = [];

  const close = (start: SpanTableRow, end: Patch): void => {
    aliases.push({ traceId: end.traceId, endId: end.spanId, spanId: start.spanId });
    table.apply(start, end);
  };

  for (const patch of patches) {
    const known = isUnnamedEnd(patch) ? knownRow(table, patch) : table.row(patch.traceId, patch.spanId);
    if (known !== null) {
      table.apply(known, patch);
      starts.add(known);
      continue;
    }
    const match = patchMatch(patch).toString('hex');
    const start = starts.oldest(match) ?? storedStarts.next(patch.traceId, match);
    if (start === null) waiting.push(patch);
    else close(start, patch);
  }
  for (const end of waiting) {
    const start = starts.oldest(patchMatch(end).toString('hex'));
    if (start !== null && sentStart(start) <= end.time) close(start, end);
    else table.apply(table.row(end.traceId, end.spanId), end);
  }
  return aliases;
}

/** Returns the start of a step as it was sent, without the offset for its order. */
const sentStart = ({ start, draft }: SpanTableRow): bigint =>
  start - BigInt(Number(draft?.attributes.get('touchstone.order') ?? 0));

/** Returns the row of an end without an id that an earlier call sent. */
function knownRow(table: SpanTable, { traceId, spanId }: Patch): SpanTableRow | null {
  const alias = table.storedOf(traceId)?.aliases.get(spanId.toString('hex'));
  if (alias !== undefined) {
    const row = table.row(traceId, Buffer.from(alias, 'hex'));
    if (row.draft?.attributes.get('touchstone.event') === 'llm') return row;
  }
  const own = table.row(traceId, spanId);
  return own.draft === null ? null : own;
}

/** Stored open starts of a match key. Each is returned once, oldest first. */
class StoredStarts {
  private readonly table: SpanTable;
  private readonly given = new Map<string, number>();

  constructor(table: SpanTable) {
    this.table = table;
  }

  /** Returns the next open start. Skips those that the call has closed or changed. */
  next(traceId: Buffer, match: string): SpanTableRow | null {
    const spanIds = this.table.storedOf(traceId)?.open.get(match) ?? [];
    for (let place = this.given.get(match) ?? 0; place < spanIds.length; place++) {
      this.given.set(match, place + 1);
      const row = this.table.row(traceId, Buffer.from(spanIds[place] as string, 'hex'));
      if (row.match === match) return row;
    }
    return null;
  }
}
