import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RateLimit } from '../../src/server/rate-limit.ts';
import { startServer, type TestServer } from '../support/server.ts';

describe('a rate limit', () => {
  /** Calls that are let through until one is rejected. */
  const burst = (limit: RateLimit, keyId: string): { let: number; retryAfter: unknown } => {
    for (let i = 0; i < 100_000; i++) {
      try {
        limit.take(keyId);
      } catch (error) {
        return { let: i, retryAfter: (error as { retryAfter: number }).retryAfter };
      }
    }
    return { let: Number.POSITIVE_INFINITY, retryAfter: null };
  };

  it.each([
    { perMinute: 600, let: 100, retryAfter: 1 },
    { perMinute: 60, let: 10, retryAfter: 1 },
    { perMinute: 6, let: 1, retryAfter: 10 },
    { perMinute: 1, let: 1, retryAfter: 60 },
  ])('of $perMinute a minute lets $let through at once and says when the next will do', (expected) => {
    expect(burst(new RateLimit(expected.perMinute, () => 0), 'key')).toEqual({
      let: expected.let,
      retryAfter: expected.retryAfter,
    });
  });

  it('counts each key for itself, fills up with time, and never beyond its burst', () => {
    let now = 0;
    const limit = new RateLimit(600, () => now);
    expect(burst(limit, 'a').let).toBe(100);
    expect(burst(limit, 'b').let).toBe(100);
    now += 1_000;
    expect(burst(limit, 'a').let).toBe(10);
    now += 3_600_000;
    expect(burst(limit, 'a').let).toBe(100);
  });

  it('stands a clock that goes back', () => {
    let now = 1_000_000;
    const limit = new RateLimit(60, () => now);
    expect(burst(limit, 'a').let).toBe(10);
    now = 0;
    expect(burst(limit, 'a').let).toBe(0);
    now = 60_000;
    expect(burst(limit, 'a').let).toBe(10);
  });

  it('forgets the keys that asked longest ago', () => {
    const limit = new RateLimit(6, () => 0);
    limit.take('first');
    expect(() => limit.take('first')).toThrow('6 calls per minute');
    for (let i = 0; i < 10_000; i++) limit.take(`key-${i}`);
    expect(() => limit.take('first')).not.toThrow();
  });
});

describe('rate limits of processes that report their calls to each other', () => {
  let now = 0;
  const processes = (count: number): RateLimit[] =>
    Array.from({ length: count }, () => new RateLimit(600, () => now));
  const exchange = (limits: readonly RateLimit[]): void => {
    for (const one of limits)
      for (const calls of one.report(100)) for (const other of limits) if (other !== one) other.charge(calls);
  };
  const passed = (limit: RateLimit, calls: number): number =>
    Array.from({ length: calls }, () => {
      try {
        limit.take('key');
        return 1;
      } catch {
        return 0;
      }
    }).reduce<number>((sum, one) => sum + one, 0);

  it('let together through what one would, over a minute of as many calls as possible', () => {
    const limits = processes(3);
    let through = 0;
    for (let second = 0; second < 120; second += 1) {
      for (const limit of limits) through += passed(limit, 50);
      exchange(limits);
      now += 1_000;
    }
    // 1200 in two minutes, the first 100 at once at each, and less than 10 that each has not reported.
    expect(through).toBeGreaterThanOrEqual(1_200);
    expect(through).toBeLessThanOrEqual(1_200 + 3 * 100 + 3 * 10);
  });

  it('reject no call of a key that stays below the limit, at whichever process', () => {
    const limits = processes(3);
    let through = 0;
    for (let second = 0; second < 60; second += 1) {
      for (const limit of limits) through += passed(limit, 3);
      exchange(limits);
      now += 1_000;
    }
    expect(through).toBe(3 * 3 * 60);
  });

  it('report nothing of a key with few calls, and at most the given number of keys', () => {
    const [limit] = processes(1);
    expect(passed(limit as RateLimit, 9)).toBe(9);
    expect(limit?.report(100)).toEqual([]);
    expect(passed(limit as RateLimit, 1)).toBe(1);
    for (let i = 0; i < 10; i += 1) limit?.take('other');
    expect(limit?.report(1)).toEqual([{ keyId: 'key', calls: 10 }]);
    expect(limit?.report(100)).toEqual([{ keyId: 'other', calls: 10 }]);
    expect(limit?.report(100)).toEqual([]);
  });

  it('owe at most the calls of a minute', () => {
    const [limit] = processes(1);
    limit?.charge({ keyId: 'key', calls: 1_000_000 });
    expect(passed(limit as RateLimit, 1)).toBe(0);
    now += 60_200;
    expect(passed(limit as RateLimit, 1)).toBe(1);
  });
});

describe('a server', () => {
  /** Calls it a dozen times at once; returns the statuses in ascending order. */
  const statuses = async (server: TestServer, headers = server.headers): Promise<number[]> => {
    const calls = Array.from({ length: 12 }, () => server.call('GET', '/v0/tags', { headers }));
    return (await Promise.all(calls)).map(({ status }) => status).sort((a, b) => a - b);
  };

  it.each([
    { when: 'by default on loopback', config: {} },
    { when: 'when it is 0', config: { host: '0.0.0.0', rateLimit: 0 } },
    { when: 'by default on the network for the first thousand calls', config: { host: '0.0.0.0' } },
  ])('has no limit $when', async ({ config }) => {
    const server = await startServer({ config });
    const found = await statuses(server);
    await server.close();
    expect([...new Set(found)]).toEqual([200]);
  });

  describe('with one', () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await startServer({ config: { rateLimit: 1 } });
    });
    afterAll(() => server.close());

    it('responds with 429 and Retry-After, to that key alone, and keeps taking traces', async () => {
      expect(await statuses(server)).toEqual([200, ...Array<number>(11).fill(429)]);
      const rejected = await server.call('GET', '/v0/tags');
      expect(rejected).toMatchObject({
        status: 429,
        json: { message: 'This key may send at most 1 call per minute; retry later' },
      });
      expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(Object.keys(rejected.json as object)).toEqual(['message']);
      const other = await server.newKey(['read']);
      expect((await server.call('GET', '/v0/tags', { headers: other })).status).toBe(200);
      const traces = await server.call('POST', '/v1/traces', { body: { resourceSpans: [] } });
      expect(traces.status).toBe(200);
    });

    it('counts no calls without a good key', async () => {
      const wrong = { ...server.headers, 'x-api-key': `sk_${'a'.repeat(12)}_${'b'.repeat(43)}` };
      expect(new Set(await statuses(server, wrong))).toEqual(new Set([401]));
    });
  });
});
