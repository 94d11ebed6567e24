/** Compares what senders and the app know with what the store has. */
import type Sqlite from 'better-sqlite3';
import { type Attempts, type SpanBook, spanName } from './span-book.ts';

/** Most ids that one difference lists. */
const MAX_IDS = 10;

export interface LedgerRow {
  requests: number;
  received: number;
  stored: number;
  duplicate: number;
  replaced: number;
  rejected: number;
}

/** One row of the report: the spans of one sender. */
export interface SenderRow {
  made: number;
  acknowledged: number;
  rejected: number;
  dropped: number;
  'without response': number;
  'of these stored': number;
  stored: number;
}

export const listed = (ids: readonly string[]): string =>
  ids.slice(0, MAX_IDS).join(', ') + (ids.length > MAX_IDS ? ` and ${ids.length - MAX_IDS} more` : '');

/** Returns how often each span of an application is stored. */
export function storedSpans(database: Sqlite.Database, application: number): Map<string, number> {
  const counts = new Map<string, number>();
  const rows = database
    .prepare(
      `SELECT lower(hex(trace.trace_id)) AS traceId, lower(hex(span.span_id)) AS spanId FROM span
       JOIN trace ON trace.tkey = span.tkey WHERE span.application = ?`,
    )
    .iterate(application) as Iterable<{ traceId: string; spanId: string }>;
  for (const { traceId, spanId } of rows) {
    const name = spanName(traceId, spanId);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

export function ledgerOf(database: Sqlite.Database, application: number): LedgerRow {
  return database
    .prepare(
      `SELECT coalesce(sum(requests), 0) AS requests, coalesce(sum(received), 0) AS received,
         coalesce(sum(stored), 0) AS stored, coalesce(sum(duplicate), 0) AS duplicate,
         coalesce(sum(replaced), 0) AS replaced, coalesce(sum(rejected), 0) AS rejected
       FROM ledger WHERE application = ?`,
    )
    .get(application) as LedgerRow;
}

/** Compares the book of a sender with the store, and returns its row of the report. Found spans are taken out of `stored`. */
export function checkBook(book: SpanBook, stored: Map<string, number>, differences: string[]): SenderRow {
  const wrong = { lost: [] as string[], twice: [] as string[], unwanted: [] as string[] };
  let [found, foundUnknown] = [0, 0];
  for (const [name, outcome] of book.entries()) {
    const count = stored.get(name) ?? 0;
    stored.delete(name);
    if (count > 0) found += 1;
    if (count > 1) wrong.twice.push(name);
    if (outcome === 'acknowledged' && count === 0) wrong.lost.push(name);
    if ((outcome === 'rejected' || outcome === 'made') && count > 0) wrong.unwanted.push(name);
    if (outcome === 'sent' && count > 0) foundUnknown += 1;
  }
  const add = (names: readonly string[], what: string): void => {
    if (names.length > 0) differences.push(`${book.sender}: ${names.length} spans ${what}: ${listed(names)}`);
  };
  add(wrong.lost, 'were acknowledged and are not stored');
  add(wrong.twice, 'are stored twice');
  add(wrong.unwanted, 'were rejected or never sent and are stored');
  for (const fault of book.faults) differences.push(`${book.sender}: ${fault}`);
  return {
    made: book.size,
    acknowledged: book.count('acknowledged'),
    rejected: book.count('rejected'),
    dropped: book.count('made'),
    'without response': book.count('sent'),
    'of these stored': foundUnknown,
    stored: found,
  };
}

/** Checks what holds for each ledger: it balances, and has as many stored spans as the store. */
export function checkLedger(
  application: string,
  ledger: LedgerRow,
  { stored, deleted }: { stored: number; deleted: number },
  differences: string[],
): void {
  const { received, duplicate, replaced, rejected } = ledger;
  if (received !== ledger.stored + duplicate + replaced + rejected)
    differences.push(`${application}: the ledger does not balance: ${JSON.stringify(ledger)}`);
  if (ledger.stored !== stored + deleted)
    differences.push(
      `${application}: the ledger has ${ledger.stored} stored spans; the store has ${stored}, and ${deleted} were deleted`,
    );
  if (replaced !== 0) differences.push(`${application}: ${replaced} spans were replaced; none was changed`);
}

/** Checks that each count of the ledger lies between what was acknowledged and what was sent. */
export function checkBounds(
  application: string,
  ledger: LedgerRow,
  { acknowledged, all }: Attempts,
  differences: string[],
): void {
  const bounds: [name: string, count: number, least: number, most: number][] = [
    ['requests', ledger.requests, acknowledged.requests, all.requests],
    ['received spans', ledger.received, acknowledged.spans, all.spans],
    ['rejected spans', ledger.rejected, acknowledged.rejected, all.rejected],
    ['duplicates', ledger.duplicate, acknowledged.repeated, all.repeated],
  ];
  for (const [name, count, least, most] of bounds)
    if (count < least || count > most)
      differences.push(
        `${application}: the ledger has ${count} ${name}; ${least} were acknowledged, ${most} were sent`,
      );
}

export function sumAttempts(all: readonly Attempts[]): Attempts {
  const add = (key: keyof Attempts): Attempts['all'] => ({
    requests: all.reduce((sum, one) => sum + one[key].requests, 0),
    spans: all.reduce((sum, one) => sum + one[key].spans, 0),
    rejected: all.reduce((sum, one) => sum + one[key].rejected, 0),
    repeated: all.reduce((sum, one) => sum + one[key].repeated, 0),
  });
  return { acknowledged: add('acknowledged'), all: add('all') };
}
