import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import type { StoredQuery } from '../../src/ingest/events/stored.ts';
import { Charges } from '../../src/ingest/charges.ts';
import { findStored } from '../../src/ingest/find-stored.ts';
import { Turns } from '../../src/ingest/turns.ts';
import { FairShare } from '../../src/runtime/fair-share.ts';
import { MemoryBudget } from '../../src/runtime/memory-budget.ts';
import type { NativeQuery } from '../../src/traces/native-steps.ts';

/** What one command may look up: its own share, and one match key that exceeds it. */
const MAX_LOOKUPS = 2_000;

const keys = (length: number): Buffer[] => Array.from({ length }, () => randomBytes(8));
const hex = (id: Uint8Array): string => Buffer.from(id).toString('hex');

it.each<[name: string, queries: StoredQuery[]]>([
  [
    'of one trace with many spans and ends',
    [
      {
        traceId: randomBytes(16),
        spanIds: keys(7_000),
        matches: keys(3_000).map((key) => ({ key, limit: 1 })),
        touched: keys(7_000),
      },
    ],
  ],
  [
    'of many traces',
    Array.from({ length: 10_000 }, () => ({
      traceId: randomBytes(16),
      spanIds: keys(1),
      matches: keys(1).map((key) => ({ key, limit: 1 })),
      touched: [],
    })),
  ],
  ['of nothing but a trace', [{ traceId: randomBytes(16), spanIds: [], matches: [], touched: [] }]],
])(
  'a call looks up the steps %s by commands of bounded work, and gets all of them',
  async (_name, queries) => {
    const lookups: number[] = [];
    const writer = {
      call: async (_command: string, args: unknown): Promise<unknown> => {
        const part = (args as { queries: NativeQuery[] }).queries;
        const wanted = part.flatMap(({ matches }) => matches).reduce((sum, { limit }) => sum + limit, 0);
        lookups.push(part.flatMap(({ spanIds }) => spanIds).length + wanted + part.length);
        const answers = part.map(({ spanIds, matches, touched }) => {
          if (matches.length > 0) expect(touched).toEqual(queries[0]?.touched);
          return {
            aliases: spanIds.map((id) => [hex(id), hex(id)]),
            open: matches.map(({ key }) => [hex(key), [hex(key)]]),
          };
        });
        return { answers, blocks: [], left: [] };
      },
    };
    const charges = new Charges(new FairShare(new MemoryBudget(1024), 3).open(1));
    const stored = await findStored({ writer, turns: new Turns(), application: 1, charges }, queries);
    expect(stored.map(({ aliases }) => [...aliases.keys()])).toEqual(
      queries.map(({ spanIds }) => spanIds.map(hex)),
    );
    expect(stored.map(({ open }) => [...open.keys()])).toEqual(
      queries.map(({ matches }) => matches.map(({ key }) => hex(key))),
    );
    expect(Math.max(...lookups)).toBeLessThanOrEqual(MAX_LOOKUPS);
  },
);
