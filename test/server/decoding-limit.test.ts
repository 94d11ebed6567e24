import { describe, expect, it } from 'vitest';
import { Organisations } from '../../src/runtime/organisations.ts';
import { createDecodingLimit } from '../../src/server/decoding-limit.ts';

const HOUR_MS = 3_600_000;

function setUp(seconds: number | null) {
  const organisations = new Organisations();
  for (const application of [1, 2]) organisations.assign(application, 'A');
  organisations.assign(3, 'B');
  const clock = { now: HOUR_MS / 2 };
  return { organisations, clock, ...createDecodingLimit(organisations, seconds, () => clock.now) };
}

describe('the limit of decoding', () => {
  it('counts all applications of an organisation, and no others', () => {
    const { organisations, admit } = setUp(10);
    for (const application of [1, 2, 3]) admit(application);
    organisations.addDecoding(1, 6_000);
    expect(() => admit(2)).not.toThrow();
    organisations.addDecoding(2, 4_000);
    for (const application of [1, 2])
      expect(() => admit(application)).toThrow(
        expect.objectContaining({ code: 'rate_limited', retryAfter: 3 }),
      );
    expect(() => admit(3)).not.toThrow();
  });

  it('begins again with each hour', () => {
    const { organisations, clock, admit, usedBy } = setUp(10);
    admit(1);
    organisations.addDecoding(1, 60_000);
    expect(() => admit(1)).toThrow('10 seconds in this hour');
    expect([usedBy('A'), usedBy('B')]).toEqual([60, 0]);
    clock.now += HOUR_MS;
    expect(usedBy('A')).toBe(0);
    expect(() => admit(1)).not.toThrow();
  });

  it('is none without a setting', () => {
    const { organisations, admit } = setUp(null);
    admit(1);
    organisations.addDecoding(1, 1e9);
    expect(() => admit(1)).not.toThrow();
  });
});
