import type { LedgerRow } from './use-ledger.ts';

export interface LedgerSum {
  requests: number;
  received: number;
  stored: number;
  duplicate: number;
  replaced: number;
  rejected: number;
  /** Name and count of whatever else was seen, the most frequent first. */
  notices: [name: string, count: number][];
}

/** Adds up rows of the ledger. */
export function ledgerSumOf(rows: readonly LedgerRow[]): LedgerSum {
  const sum: LedgerSum = {
    requests: 0,
    received: 0,
    stored: 0,
    duplicate: 0,
    replaced: 0,
    rejected: 0,
    notices: [],
  };
  const notices = new Map<string, number>();
  for (const row of rows) {
    sum.requests += row.requests;
    sum.received += row.received;
    sum.stored += row.stored;
    sum.duplicate += row.duplicate;
    sum.replaced += row.replaced;
    sum.rejected += row.rejected;
    for (const [name, count] of Object.entries(row.notices))
      notices.set(name, (notices.get(name) ?? 0) + count);
  }
  sum.notices = [...notices].toSorted(([, a], [, b]) => b - a);
  return sum;
}
