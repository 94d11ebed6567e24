/** The books of a server under test, read from outside: its ledger, its metrics, and every span it holds. */
import { expect } from 'vitest';

/** Client of a server; `TestServer` has this shape, and so has a server in a separate process. */
export interface Asked {
  call: (method: string, path: string) => Promise<{ status: number; text: string; json: unknown }>;
}

export interface LedgerSums {
  requests: number;
  received: number;
  stored: number;
  duplicate: number;
  replaced: number;
  rejected: number;
  notices: Record<string, number>;
}

const COUNTS = ['requests', 'received', 'stored', 'duplicate', 'replaced', 'rejected'] as const;

/** All rows of the ledger added up; every single one must balance. */
export async function readLedger(server: Asked): Promise<LedgerSums> {
  const rows = await getAll<LedgerSums>(server, '/v0/ingest/ledger', 100);
  const sums: LedgerSums = {
    requests: 0,
    received: 0,
    stored: 0,
    duplicate: 0,
    replaced: 0,
    rejected: 0,
    notices: {},
  };
  for (const row of rows) {
    expect(row.received, 'received = stored + duplicate + replaced + rejected').toBe(
      row.stored + row.duplicate + row.replaced + row.rejected,
    );
    for (const name of COUNTS) sums[name] += row[name];
    for (const [name, count] of Object.entries(row.notices))
      sums.notices[name] = (sums.notices[name] ?? 0) + count;
  }
  return sums;
}

/** The value of one line of `/metrics`, labels and all; 0 when it is not there. */
export async function readMetric(server: Asked, series: string): Promise<number> {
  const { text } = await server.call('GET', '/metrics');
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return line === undefined ? 0 : Number(line.slice(series.length + 1));
}

/** Bytes that requests in progress hold; 0 when none is. */
export const memoryInUse = (server: Asked): Promise<number> =>
  readMetric(server, 'touchstone_memory_budget_usage_bytes');

/** All pages of a list. */
export async function getAll<T>(server: Asked, path: string, limit: number): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const mark = path.includes('?') ? '&' : '?';
    const { status, json, text } = await server.call(
      'GET',
      `${path}${mark}skip=${all.length}&limit=${limit}`,
    );
    expect(status, text).toBe(200);
    const { data, pagination } = json as { data: T[]; pagination: { total: number } };
    all.push(...data);
    if (data.length === 0 || all.length >= pagination.total) return all;
  }
}
