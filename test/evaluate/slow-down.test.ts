import { describe, expect, it } from 'vitest';
import { isLargerThanQuota, isRejectedAsTooMany, resetOf, slowDownOf } from '../../src/evaluate/slow-down.ts';
import { cpuMsOf } from '../support/cpu-ms.ts';

const NOW = Date.parse('2026-06-01T12:00:00Z');
/** The clock of the endpoint is an hour behind. */
const DATE = 'Mon, 01 Jun 2026 11:00:00 GMT';
const message = (text: string): string => JSON.stringify({ error: { message: text } });

describe('the delay that a response requests', () => {
  it.each<[who: string, headers: Record<string, string>, body: string, delayMs: number | null]>([
    ['HTTP, in seconds', { 'retry-after': '2' }, '', 2_000],
    ['HTTP, in parts of seconds', { 'retry-after': '0.5' }, '', 500],
    ['HTTP, as a date', { 'retry-after': 'Mon, 01 Jun 2026 12:00:07 GMT' }, '', 7_000],
    [
      'HTTP, as a date of a server with another clock',
      { 'retry-after': 'Mon, 01 Jun 2026 11:00:07 GMT', date: DATE },
      '',
      7_000,
    ],
    ['OpenAI and Azure', { 'retry-after-ms': '1500' }, message('call rate limit'), 1_500],
    ['Azure, with both', { 'retry-after-ms': '1500', 'retry-after': '2' }, '', 1_500],
    ['Azure, other services', { 'x-ms-retry-after-ms': '250' }, '', 250],
    ['OpenAI, in its message', {}, message('Limit 3, Used 3. Please try again in 20s.'), 20_000],
    ['OpenAI, in milliseconds', {}, message('Please try again in 86ms. Visit …'), 86],
    ['Groq, in its message', {}, message('Please try again in 7m12.5s. Need more tokens?'), 432_500],
    ['Azure, in its message', {}, message('Please retry after 26 seconds.'), 26_000],
    [
      'Google',
      {},
      JSON.stringify([
        {
          error: {
            code: 429,
            details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.07s' }],
          },
        },
      ]),
      34_070,
    ],
    [
      'Google, as protobuf',
      {},
      '{"error":{"details":[{"retryDelay":{"seconds":"3","nanos":500000000}}]}}',
      3_500,
    ],
    ['a gateway', {}, '{"retry_after":1.5}', 1_500],
    ['a gateway, in milliseconds', {}, '{"error":{"retry_after_ms":800}}', 800],
    [
      'OpenRouter',
      {},
      JSON.stringify({
        error: {
          metadata: { headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': String(NOW + 4_000) } },
        },
      }),
      4_000,
    ],
    [
      'OpenAI, by its limits',
      {
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '1m30s',
        'x-ratelimit-remaining-tokens': '40',
        'x-ratelimit-reset-tokens': '6m0s',
      },
      '',
      90_000,
    ],
    [
      'Anthropic, by its limits',
      {
        'anthropic-ratelimit-requests-remaining': '0',
        'anthropic-ratelimit-requests-reset': '2026-06-01T11:00:12Z',
        date: DATE,
      },
      '',
      12_000,
    ],
    ['Mistral', { 'ratelimitbysize-remaining': '0', 'ratelimitbysize-reset': '42' }, '', 42_000],
    ['the IETF', { ratelimit: '"default";r=0;t=9' }, '', 9_000],
    ['drafts of the IETF', { 'ratelimit-remaining': '0', 'ratelimit-reset': '8' }, '', 8_000],
    [
      'a gateway, by the time after which its limit is reset',
      { 'x-ratelimit-reset-after': '1.5' },
      '',
      1_500,
    ],
    ['a gateway, in a header of its own', { 'x-retry-after': '2' }, '', 2_000],
    [
      'a gateway, which does not report what remains',
      { 'x-ratelimit-limit': '60', 'x-ratelimit-reset': String(NOW / 1_000 + 3) },
      '',
      3_000,
    ],
    ['Hugging Face, which loads the model', {}, '{"error":"loading","estimated_time":20.5}', 20_500],
    ['nobody, by a negative number', { 'retry-after': '-1' }, '', null],
    [
      'nobody',
      { 'x-ratelimit-remaining-requests': '5', 'x-ratelimit-reset-requests': '1s' },
      message('slow'),
      null,
    ],
    ['nobody, in words that only resemble a delay', {}, message('Retry with 5 messages in 3 hops.'), null],
  ])('is read as %s says it', (_who, headers, body, delayMs) => {
    expect(slowDownOf(headers, body, NOW)).toEqual({ delayMs, isExhausted: false });
  });

  it.each<[what: string, body: string]>([
    ['OpenAI', '{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}'],
    ['Anthropic', message('Your credit balance is too low to access the API.')],
    [
      'Google',
      '{"error":{"details":[{"violations":[{"quotaId":"GenerateRequestsPerDayPerProject-FreeTier"}]}]}}',
    ],
  ])('does not matter when %s says that the quota does not come back soon', (_what, body) => {
    expect(slowDownOf({}, body, NOW).isExhausted).toBe(true);
  });
});

describe('too many requests', () => {
  it.each<[who: string, status: number, headers: Record<string, string>, body: string]>([
    ['all', 429, {}, ''],
    ['Groq, without capacity', 498, {}, message('capacity exceeded')],
    ['Bedrock, by a header', 400, { 'x-amzn-errortype': 'ThrottlingException:http://…' }, '{"message":""}'],
    ['Bedrock, by its message', 400, {}, '{"__type":"ThrottlingException","message":"Rate exceeded"}'],
    ['GitHub', 403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW) }, ''],
    ['GitHub, by its message', 403, {}, message('You have exceeded a secondary rate limit.')],
    ['OpenAI', 500, {}, message('The server is currently overloaded with other requests.')],
    ['Anthropic, inside a stream', 500, {}, '{"error":{"type":"overloaded_error"}}'],
  ])('are what %s rejects', (_who, status, headers, body) => {
    expect(isRejectedAsTooMany(status, headers, body)).toBe(true);
  });

  it.each<[what: string, status: number, body: string]>([
    ['a wrong key', 401, message('rate limit')],
    ['a wrong parameter', 400, message('temperature must be 1')],
    ['a forbidden model', 403, message('You have no access to this model.')],
    ['a failure', 500, message('Internal server error')],
    [
      'a wrong parameter, with the request',
      400,
      message('temperature must be 1 in "What is your rate limit?"'),
    ],
    ['a failure, with the request', 500, message(`Failed: ${'x'.repeat(300)} What is your rate limit?`)],
  ])('are not %s', (_what, status, body) => {
    expect(isRejectedAsTooMany(status, {}, body)).toBe(false);
  });

  it('do not include one that exceeds the quota of a minute by itself', () => {
    const words =
      'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 34000. The input or output tokens must be reduced in order to run successfully.';
    expect(isLargerThanQuota(message(words))).toBe(true);
    expect(isLargerThanQuota(message('Rate limit reached. Please try again in 1s.'))).toBe(false);
  });
});

it('a response that is no rejection reports when a limit that is used up is reset', () => {
  const headers = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '120ms' };
  expect(resetOf(headers, NOW)).toBe(120);
  expect(resetOf({ ...headers, 'x-ratelimit-remaining-requests': '1' }, NOW)).toBeNull();
});

describe('a long body is read in linear time', () => {
  const LENGTH = 64 * 1024;
  it.each([
    ['of words of a quota', 'GenerateRequestsPerDay'.repeat(LENGTH / 22)],
    ['of a member with digits', JSON.stringify({ retry_after: `${'1'.repeat(LENGTH - 100)}x` })],
    ['of digits', `retry in ${'1'.repeat(LENGTH)}`],
    ['of spaces', `retry${' '.repeat(LENGTH)}`],
    ['of advice without a number', 'retry after in '.repeat(LENGTH / 15)],
    ['of parts without an end', `wait ${'1 s '.repeat(LENGTH / 4)}`],
  ])('%s', (_what, body) => {
    expect(cpuMsOf(() => slowDownOf({}, body, NOW))).toBeLessThan(300);
  });

  it('of a header', () => {
    expect(cpuMsOf(() => slowDownOf({ 'retry-after': `${'1'.repeat(60_000)}x` }, '', NOW))).toBeLessThan(300);
  });
});
