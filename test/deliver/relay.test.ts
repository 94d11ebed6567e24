import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GuardedClient, OutboundRequest } from '../../src/deliver/guarded-client.ts';
import type { Outcome } from '../../src/deliver/outcome.ts';
import { Relay, type RelayedAnswer, type RelayedRequest } from '../../src/deliver/relay.ts';
import { NEVER_REVOKED } from '../../src/runtime/open-calls.ts';
import { openListener } from '../../src/resources/webhook-listen/stream.ts';

const OURS = 1;
const THEIRS = 2;
const REQUEST: OutboundRequest = {
  url: 'https://app.example.com/webhook',
  method: 'POST',
  headers: { 'webhook-id': 'test-1', 'x-service-signature': 'ab' },
  body: Buffer.from('{"prompt":"Grüße"}'),
  timeoutMs: 60_000,
};

class Listener {
  readonly got: RelayedRequest[] = [];
  isFull = false;
  isEnded = false;
  readonly leave: () => void;

  constructor(relay: Relay, application: number) {
    this.leave = relay.listen(application, {
      send: (request) => {
        if (!this.isFull) this.got.push(request);
        return !this.isFull;
      },
      end: () => {
        this.isEnded = true;
      },
    });
  }

  get lastId(): string {
    return this.got.at(-1)?.id ?? 'none';
  }
}

let relay: Relay;
beforeEach(() => {
  relay = new Relay();
});

function send(application: number, more: Partial<OutboundRequest> = {}): Promise<Outcome> {
  const client: GuardedClient | null = relay.clientFor(application);
  if (!client) throw new Error('nobody listens');
  return client.request({ ...REQUEST, ...more });
}

const OK: RelayedAnswer = { status: 200, headers: {}, body: '' };

describe('a request', () => {
  it('is sent to the listener as it would have been to the webhook', async () => {
    const listener = new Listener(relay, OURS);
    const outcome = send(OURS);
    expect(listener.got).toEqual([
      {
        id: expect.stringMatching(/^[\da-f-]{36}$/) as string,
        headers: REQUEST.headers,
        body: '{"prompt":"Grüße"}',
        timeoutMs: 60_000,
      },
    ]);
    relay.answer(OURS, listener.lastId, { status: 503, headers: { 'Retry-After': '1' }, body: 'später' });
    expect(await outcome).toEqual({
      kind: 'answered',
      status: 503,
      headers: { 'retry-after': '1' },
      body: Buffer.from('später'),
      bodyBytes: 7,
      truncated: false,
      timings: { totalMs: expect.any(Number) as number },
    });
  });

  it('keeps 16 KiB of an answer', async () => {
    const listener = new Listener(relay, OURS);
    const outcome = send(OURS);
    relay.answer(OURS, listener.lastId, { ...OK, body: 'ü'.repeat(10_000) });
    expect(await outcome).toMatchObject({
      body: Buffer.from('ü'.repeat(8_192)),
      bodyBytes: 20_000,
      truncated: true,
    });
  });

  it.each<['refused' | 'dns' | 'timeout' | 'lost', Partial<Outcome>]>([
    ['refused', { kind: 'not_sent', reason: 'refused' }],
    ['dns', { kind: 'not_sent', reason: 'dns' }],
    ['timeout', { kind: 'timeout', phase: 'headers', wasSent: true }],
    ['lost', { kind: 'lost' }],
  ])('ends as its listener says: %s', async (kind, expected) => {
    const listener = new Listener(relay, OURS);
    const outcome = send(OURS);
    relay.answer(OURS, listener.lastId, { error: { kind, message: 'So it was.' } });
    expect(await outcome).toMatchObject({ ...expected, message: 'So it was.' });
  });

  it('gets one response, by its own application, and not under another id', async () => {
    const listener = new Listener(relay, OURS);
    const other = new Listener(relay, THEIRS);
    const outcome = send(OURS);
    expect(relay.answer(THEIRS, listener.lastId, OK)).toBe(false);
    expect(relay.answer(OURS, 'another', OK)).toBe(false);
    expect(relay.answer(OURS, listener.lastId, OK)).toBe(true);
    expect(relay.answer(OURS, listener.lastId, { ...OK, status: 500 })).toBe(false);
    expect(await outcome).toMatchObject({ status: 200 });
    expect(other.got).toEqual([]);
  });

  it('is lost with its listener', async () => {
    const listener = new Listener(relay, OURS);
    const outcome = send(OURS);
    listener.leave();
    expect(await outcome).toMatchObject({ kind: 'lost' });
    expect(relay.answer(OURS, listener.lastId, OK)).toBe(false);
  });

  it('was not sent when its listener has disconnected or takes no more', async () => {
    const listener = new Listener(relay, OURS);
    listener.isFull = true;
    expect(await send(OURS)).toMatchObject({ kind: 'not_sent', reason: 'unreachable' });
    const client = relay.clientFor(OURS);
    listener.isFull = false;
    listener.leave();
    expect(await client?.request(REQUEST)).toMatchObject({ kind: 'not_sent', reason: 'unreachable' });
    expect(listener.got).toEqual([]);
  });

  it('ends with the signal of who sends it', async () => {
    const listener = new Listener(relay, OURS);
    const stop = new AbortController();
    const outcome = send(OURS, { signal: stop.signal });
    stop.abort(new Error('cancelled'));
    await expect(outcome).rejects.toThrow('cancelled');
    expect(relay.answer(OURS, listener.lastId, OK)).toBe(false);
    await expect(send(OURS, { signal: stop.signal })).rejects.toThrow('cancelled');
    expect(listener.got).toHaveLength(1);
  });
});

describe('of several listeners', () => {
  it('the newest of the application gets what is sent, then the one before it', () => {
    const first = new Listener(relay, OURS);
    const second = new Listener(relay, OURS);
    const other = new Listener(relay, THEIRS);
    void send(OURS);
    second.leave();
    void send(OURS);
    first.leave();
    expect(relay.clientFor(OURS)).toBeNull();
    expect([first, second, other].map(({ got }) => got.length)).toEqual([1, 1, 0]);
  });

  it('there are 10 of an application and 100 in all', () => {
    const ours = Array.from({ length: 10 }, () => new Listener(relay, OURS));
    expect(() => new Listener(relay, OURS)).toThrow(
      expect.objectContaining({ code: 'rate_limited' }) as Error,
    );
    const others = Array.from({ length: 90 }, (_, i) => new Listener(relay, 2 + Math.floor(i / 10)));
    expect(others).toHaveLength(90);
    expect(() => new Listener(relay, 11)).toThrow(expect.objectContaining({ code: 'unavailable' }) as Error);
    ours[0]?.leave();
    expect(() => new Listener(relay, OURS)).not.toThrow();
  });

  it('each has 64 requests in progress', async () => {
    const listener = new Listener(relay, OURS);
    const sent = Array.from({ length: 64 }, () => send(OURS));
    expect(await send(OURS)).toMatchObject({ kind: 'not_sent' });
    relay.answer(OURS, listener.lastId, OK);
    await sent[63];
    void send(OURS);
    expect(listener.got).toHaveLength(65);
  });

  it('all end with the relay, which takes no more', async () => {
    const listeners = [new Listener(relay, OURS), new Listener(relay, THEIRS)];
    const outcome = send(OURS);
    relay.close();
    expect(await outcome).toMatchObject({ kind: 'lost' });
    expect(listeners.map(({ isEnded }) => isEnded)).toEqual([true, true]);
    expect(relay.clientFor(OURS)).toBeNull();
    expect(() => new Listener(relay, OURS)).toThrow(
      expect.objectContaining({ code: 'unavailable' }) as Error,
    );
  });
});

describe('time', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('ends a request that is not answered', async () => {
    const listener = new Listener(relay, OURS);
    const outcome = send(OURS, { timeoutMs: 5_000 });
    await vi.advanceTimersByTimeAsync(4_999);
    expect(relay.answer(THEIRS, listener.lastId, OK)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toMatchObject({ kind: 'timeout', phase: 'headers', wasSent: true });
    expect(relay.answer(OURS, listener.lastId, OK)).toBe(false);
  });

  /** A stream and all that was read of it. */
  function open(revoked = NEVER_REVOKED): {
    text: () => string;
    isClosed: () => boolean;
  } {
    let text = '';
    let isClosed = false;
    openListener(relay, OURS, revoked)
      .on('data', (chunk: Buffer) => (text += chunk.toString()))
      .on('close', () => (isClosed = true));
    return { text: () => text, isClosed: () => isClosed };
  }

  it('makes a stream send something every 15 seconds', async () => {
    const stream = open();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(stream.text()).toBe(': listening\n\n: nothing new\n\n');
    await vi.advanceTimersByTimeAsync(15_000);
    expect(stream.text()).toBe(': listening\n\n: nothing new\n\n: nothing new\n\n');
  });

  it('ends a stream after 12 hours', async () => {
    const stream = open();
    await vi.advanceTimersByTimeAsync(12 * 3_600_000 - 1);
    expect(relay.clientFor(OURS)).not.toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    expect(relay.clientFor(OURS)).toBeNull();
    expect(stream.isClosed()).toBe(true);
  });

  it('ends a stream whose reader lost the permission, and what it was sent fails at once with the reason', async () => {
    const permission = new AbortController();
    const stream = open(permission.signal);
    const outcome = send(OURS);
    permission.abort();
    expect(relay.clientFor(OURS)).toBeNull();
    expect(await outcome).toMatchObject({
      kind: 'lost',
      message: 'The listener lost its permission before it responded.',
    });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(stream.isClosed()).toBe(true);
  });

  it('takes nothing from a stream without a reader, beyond 4 MiB', async () => {
    const stream = openListener(relay, OURS, NEVER_REVOKED);
    const body = Buffer.alloc(1024 * 1024, 'a');
    const sent = Array.from({ length: 5 }, () => send(OURS, { body }));
    expect(await sent[4]).toMatchObject({ kind: 'not_sent' });
    stream.destroy();
    expect(await sent[3]).toMatchObject({ kind: 'lost' });
  });

  it('destroys a stream that was ended and is not read', async () => {
    const stream = openListener(relay, OURS, NEVER_REVOKED);
    relay.close();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(stream.destroyed).toBe(true);
  });
});
