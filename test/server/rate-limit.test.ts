import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRateLimit } from '../../src/server/rate-limit.ts';
import { startServer, type TestServer } from '../support/server.ts';

describe('a rate limit', () => {
  /** Calls that are let through until one is rejected. */
  const burst = (take: (keyId: string) => void, keyId: string): { let: number; retryAfter: unknown } => {
    for (let i = 0; i < 100_000; i++) {
      try {
        take(keyId);
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
    expect(
      burst(
        createRateLimit(expected.perMinute, () => 0),
        'key',
      ),
    ).toEqual({
      let: expected.let,
      retryAfter: expected.retryAfter,
    });
  });

  it('counts each key for itself, fills up with time, and never beyond its burst', () => {
    let now = 0;
    const take = createRateLimit(600, () => now);
    expect(burst(take, 'a').let).toBe(100);
    expect(burst(take, 'b').let).toBe(100);
    now += 1_000;
    expect(burst(take, 'a').let).toBe(10);
    now += 3_600_000;
    expect(burst(take, 'a').let).toBe(100);
  });

  it('stands a clock that goes back', () => {
    let now = 1_000_000;
    const take = createRateLimit(60, () => now);
    expect(burst(take, 'a').let).toBe(10);
    now = 0;
    expect(burst(take, 'a').let).toBe(0);
    now = 60_000;
    expect(burst(take, 'a').let).toBe(10);
  });

  it('forgets the keys that asked longest ago', () => {
    const take = createRateLimit(6, () => 0);
    take('first');
    expect(() => take('first')).toThrow('6 calls per minute');
    for (let i = 0; i < 10_000; i++) take(`key-${i}`);
    expect(() => take('first')).not.toThrow();
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
