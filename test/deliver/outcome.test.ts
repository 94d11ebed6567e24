import { describe, expect, it } from 'vitest';
import { failureOf, isOverloaded, isRetryable, type Outcome } from '../../src/deliver/outcome.ts';

const timings = { totalMs: 1 };
const message = 'What happened.';
const answered = (status: number): Outcome => ({
  kind: 'answered',
  status,
  headers: {},
  body: Buffer.alloc(0),
  bodyBytes: 0,
  truncated: false,
  timings,
});

describe('what became of a delivery', () => {
  it.each<[outcome: Outcome, code: string, retryable: boolean]>([
    ...(['dns', 'refused', 'tls', 'unreachable'] as const).map((reason): [Outcome, string, boolean] => [
      { kind: 'not_sent', reason, message, hint: 'Do this.', timings },
      'webhook_unreachable',
      true,
    ]),
    [
      { kind: 'not_sent', reason: 'invalid_url', message, hint: 'Do this.', timings },
      'webhook_unreachable',
      false,
    ],
    [
      { kind: 'not_sent', reason: 'blocked', message, hint: 'Do this.', timings },
      'webhook_blocked_address',
      false,
    ],
    [{ kind: 'timeout', phase: 'connect', wasSent: false, message, timings }, 'webhook_timeout', true],
    [{ kind: 'timeout', phase: 'headers', wasSent: true, message, timings }, 'webhook_timeout', false],
    [{ kind: 'timeout', phase: 'body', wasSent: true, message, timings }, 'webhook_timeout', false],
    [{ kind: 'lost', message, timings }, 'delivery_unknown', false],
  ])('%j is %s, to be sent again: %j', (outcome, code, retryable) => {
    const failure = failureOf(outcome);
    expect(failure).toMatchObject({ code, message });
    expect(failure?.hint).toMatch(/^[A-Z].*\.$/);
    expect(isRetryable(outcome)).toBe(retryable);
  });

  it.each<[body: string, said: string]>([
    ['', '.'],
    ['timestamp is too far', ': “timestamp is too far”'],
    ['{"error":"bad signature"}', ': “bad signature”'],
    ['{"error":{"message":"bad signature"}}', ': “bad signature”'],
    ['"no"', ': “no”'],
    ['{"code":7}', ': “{"code":7}”'],
    ['two\r\nlines\u001b[31m\u202e', ': “two lines [31m”'],
    ['<html><body>Bad Gateway</body></html>', '.'],
    ['x'.repeat(300), `: “${'x'.repeat(199)}…”`],
  ])('quotes what the app responded: %j', (text, said) => {
    const outcome = { ...answered(400), body: Buffer.from(text) } as Outcome;
    expect(failureOf(outcome)?.message).toBe(`The webhook responded with status 400${said}`);
  });

  it.each<[outcome: Outcome, overloaded: boolean]>([
    ...[429, 502, 503, 504].map((status): [Outcome, boolean] => [answered(status), true]),
    ...[200, 400, 401, 404, 413, 500, 501].map((status): [Outcome, boolean] => [answered(status), false]),
    [{ kind: 'timeout', phase: 'connect', wasSent: false, message, timings }, true],
    [{ kind: 'timeout', phase: 'headers', wasSent: true, message, timings }, true],
    [{ kind: 'lost', message, timings }, true],
    [{ kind: 'not_sent', reason: 'refused', message, hint: 'Do this.', timings }, false],
  ])('%j may mean that the app has too much to do: %j', (outcome, overloaded) => {
    expect(isOverloaded(outcome)).toBe(overloaded);
  });

  it('is success with 200', () => {
    expect(failureOf(answered(200))).toBeNull();
    expect(isRetryable(answered(200))).toBe(false);
  });

  it.each<[status: number, hint: string]>([
    [201, 'exactly 200'],
    [204, 'exactly 200'],
    [302, 'Redirects are not followed'],
    [400, 'JSON'],
    [401, 'secret of this webhook'],
    [404, 'path'],
    [418, 'rejected the request'],
    [429, 'request rate'],
    [500, "app's log"],
    [503, 'not ready'],
    [599, "app's log"],
  ])('is a failure with %d, final, and the hint says: %s', (status, hint) => {
    expect(failureOf(answered(status))).toEqual({
      code: 'webhook_status',
      message: `The webhook responded with status ${status}.`,
      hint: expect.stringContaining(hint) as string,
    });
    expect(isRetryable(answered(status))).toBe(false);
  });
});
