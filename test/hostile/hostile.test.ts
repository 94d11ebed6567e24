import { beforeAll, describe, expect, it } from 'vitest';
import { QUICK_ATTACKS } from './attacks.ts';
import { type Row, runSuite, verdictsOf } from './suite.ts';

/**
 * The short form of `npm run hostile`. Its limits are wide, as the machine may be busy with other things: they fail when an
 * attack stops the neighbour, when memory grows without bound, or when something is kept for good.
 */
const LIMIT_MIB = 896;
const MIN_SHARE = 0.5;
const MAX_REQUEST_MS = 8_000;

let rows: Map<string, Row>;
beforeAll(async () => {
  const plan = {
    attacks: QUICK_ATTACKS,
    isShort: true,
    aloneSeconds: 2,
    besideSeconds: 2,
    giveBackSeconds: 30,
    limitMib: LIMIT_MIB,
  };
  rows = new Map((await runSuite(plan)).map((row) => [row.attack, row]));
}, 600_000);

describe.each(QUICK_ATTACKS)('%s of another organisation', (attack) => {
  const row = (): Row => rows.get(attack) as Row;

  it('leave the server running within its memory', () => {
    expect(row().ended).toBe(null);
    expect(row().peakMib).toBeLessThanOrEqual(LIMIT_MIB);
  });

  it('leave every operation its share', () => {
    const { least, share } = verdictsOf(row());
    const failure = row().beside[least]?.failure;
    expect(share, `${least} kept ${share.toFixed(2)} of its rate; ${failure}`).toBeGreaterThanOrEqual(
      MIN_SHARE,
    );
    expect(verdictsOf(row()).p99Beside).toBeLessThan(MAX_REQUEST_MS);
  });

  it('give back what they took', () => {
    expect(row().isGivenBack, JSON.stringify(row().left)).toBe(true);
  });
});
