import { describe, expect, it } from 'vitest';
import { checkBook, checkBounds, checkLedger, type LedgerRow } from './balance.ts';
import { type Attempts, noAttempts, type Outcome, SpanBook, spanName } from './span-book.ts';

const [FIRST, SECOND] = [spanName('aa', '1'), spanName('aa', '2')];

function bookOf(outcomes: Readonly<Record<string, Outcome>>): SpanBook {
  const book = new SpanBook('sender');
  for (const [name, outcome] of Object.entries(outcomes)) book.note([name], outcome);
  return book;
}

describe('a sender and the store', () => {
  it.each<[what: string, outcome: Outcome, stored: number, difference: string | null]>([
    ['an acknowledged span is stored once', 'acknowledged', 1, null],
    ['an acknowledged span is lost', 'acknowledged', 0, 'acknowledged and are not stored: aa/1'],
    ['a span is stored twice', 'acknowledged', 2, 'stored twice: aa/1'],
    ['a span without response is stored', 'sent', 1, null],
    ['a span without response is not stored', 'sent', 0, null],
    ['a rejected span is stored', 'rejected', 1, 'rejected or never sent and are stored: aa/1'],
    ['a dropped span is stored', 'made', 1, 'rejected or never sent and are stored: aa/1'],
  ])('%s', (_what, outcome, count, difference) => {
    const differences: string[] = [];
    const stored = new Map(count > 0 ? [[FIRST, count]] : []);
    checkBook(bookOf({ [FIRST]: outcome }), stored, differences);
    expect(stored.size).toBe(0);
    expect(differences.map((text) => text.replace(/^sender: 1 spans (were|are) /, ''))).toEqual(
      difference === null ? [] : [difference],
    );
  });

  it('a span that was acknowledged stays so when it is sent again', () => {
    const book = bookOf({ [FIRST]: 'acknowledged', [SECOND]: 'sent' });
    book.note([FIRST, SECOND], 'sent');
    expect([book.count('acknowledged'), book.count('sent')]).toEqual([1, 1]);
  });
});

const LEDGER: LedgerRow = { requests: 2, received: 10, stored: 7, duplicate: 2, replaced: 0, rejected: 1 };

describe('a ledger', () => {
  it.each<[what: string, ledger: Partial<LedgerRow>, stored: number, differences: number]>([
    ['agrees with the store', {}, 7, 0],
    ['does not balance', { received: 11 }, 7, 1],
    ['has more stored spans than the store', {}, 6, 1],
    ['has replaced spans', { replaced: 1, received: 11 }, 7, 1],
  ])('%s', (_what, ledger, stored, count) => {
    const differences: string[] = [];
    checkLedger('application', { ...LEDGER, ...ledger }, { stored, deleted: 0 }, differences);
    expect(differences).toHaveLength(count);
  });

  it.each<
    [what: string, acknowledged: Partial<Attempts['all']>, all: Partial<Attempts['all']>, text: string]
  >([
    ['too few requests', { requests: 3 }, { requests: 3 }, '2 requests; 3 were acknowledged'],
    ['too many spans', {}, { spans: 9 }, '10 received spans; 0 were acknowledged, 9 were sent'],
    ['too few rejected spans', { rejected: 2 }, {}, '1 rejected spans; 2 were acknowledged'],
    ['too many duplicates', {}, { repeated: 1 }, '2 duplicates; 0 were acknowledged, 1 were sent'],
  ])('has %s', (_what, acknowledged, all, text) => {
    const most = { requests: 9, spans: 90, rejected: 9, repeated: 9 };
    const attempts = { acknowledged: { ...noAttempts().all, ...acknowledged }, all: { ...most, ...all } };
    const differences: string[] = [];
    checkBounds('application', LEDGER, attempts, differences);
    expect(differences).toEqual([expect.stringContaining(text)]);
  });
});
