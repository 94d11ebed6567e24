import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createAddressGuard } from '../../../src/deliver/address-guard.ts';
import { createGuardedClient } from '../../../src/deliver/guarded-client.ts';
import { signedPost } from '../../../src/deliver/signed-post.ts';
import { generateSecret, isSignedBy } from '../../../src/deliver/signature.ts';
import { AppError } from '../../../src/errors.ts';
import { http } from '../../../src/evaluate/evaluators/http.ts';
import { createScore, MAX_RESPONSE_BYTES } from '../../../src/evaluate/scorer/scorers.ts';
import type { Subject } from '../../../src/evaluate/subject.ts';
import {
  answer,
  type Behaviour,
  breakOff,
  type CustomerApp,
  hang,
  startCustomerApp,
} from '../../support/customer-app.ts';
import { appliedDefinition, documentsOf, subjectOf } from '../../support/judged.ts';

const AT = 1_800_000_000_000;
const SECRETS: readonly [string, string] = [generateSecret(), generateSecret()];
const EVAL_ID = 'e0000000-0000-4000-8000-000000000000';
const TEST_ID = '70000000-0000-4000-8000-000000000000';

let scorer: CustomerApp;
beforeAll(async () => {
  scorer = await startCustomerApp();
});
afterAll(() => scorer.close());
beforeEach(() => {
  scorer.received.length = 0;
  scorer.behave(says({ score: 1 }));
});

const says = (body: unknown): Behaviour => answer(200, JSON.stringify(body));
const client = createGuardedClient({ guard: createAddressGuard({ allow: [], isLoopbackOpen: true }) });

interface Given {
  config?: object;
  subject?: Partial<Subject>;
  secretsOf?: () => Promise<readonly [string, ...string[]] | null>;
  isLoopbackOpen?: boolean;
  signal?: AbortSignal;
}

function score({ config = {}, subject = {}, secretsOf, isLoopbackOpen = true, signal }: Given = {}) {
  const guarded = isLoopbackOpen
    ? client
    : createGuardedClient({ guard: createAddressGuard({ allow: [], isLoopbackOpen }) });
  const send = signedPost({ secretsOf: secretsOf ?? (async () => SECRETS), client: guarded, now: () => AT });
  const definition = appliedDefinition('HTTP', {
    config: { url: scorer.url, ...config },
    expected: '30 days',
  });
  const scored = { application: 1, evalId: EVAL_ID, testId: TEST_ID, traceId: null };
  return createScore(send)(
    { definition, subject: subjectOf(subject), evaluator: http, scored },
    { signal: signal ?? new AbortController().signal, beforeSend: async () => undefined },
  );
}

it('a scorer gets what it needs, signed as a webhook is', async () => {
  const documents = documentsOf('Returns: 30 days.');
  await score({ config: { parameters: { strict: true } }, subject: { documents } });
  const { method, headers, body } = scorer.last();
  expect(method).toBe('POST');
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': EVAL_ID });
  expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
  const signature = String(headers['x-service-signature']);
  expect(isSignedBy(SECRETS, signature, { body, timestampMs: AT })).toBe(true);
  expect(JSON.parse(body)).toEqual({
    type: 'score',
    id: EVAL_ID,
    testId: TEST_ID,
    traceId: null,
    definition: { id: expect.any(String) as string, name: 'Rule', version: 1 },
    parameters: { strict: true },
    expected: '30 days',
    rubric: null,
    input: 'How long may I return it?',
    output: 'Within 30 days.',
    toolCalls: [],
    documents,
    isTruncated: false,
  });
});

it('a definition chooses the parts that are sent, and only those change its input', async () => {
  const config = { url: scorer.url, send: ['output', 'cost'] };
  await score({ config, subject: { cost: 0.5 } });
  const sent = JSON.parse(scorer.last().body) as object;
  expect(sent).toMatchObject({ output: 'Within 30 days.', cost: 0.5 });
  expect(sent).not.toHaveProperty('input');
  expect(http.reads(appliedDefinition('HTTP', { config }))).toEqual(['output', 'cost']);
});

it('text without a canonical form is sent too', async () => {
  await score({ subject: { output: 'half \ud800' } });
  expect(JSON.parse(scorer.last().body)).toMatchObject({ output: 'half \ud800' });
});

it.each<[what: string, body: object, config: object, verdict: object, cost: number | null]>([
  ['passes from 0.5', { score: 0.5 }, {}, { score: 0.5, normalised: 0.5, passed: true, reason: null }, null],
  ['fails below 0.5', { score: 0.49, reason: 'No.' }, {}, { passed: false, reason: 'No.' }, null],
  ['passes from its threshold', { score: 0.8 }, { passThreshold: 0.9 }, { passed: false }, null],
  ['decides itself', { score: 0.1, passed: true }, { passThreshold: 0.9 }, { passed: true }, null],
  [
    'shows results and its cost',
    { score: 1, results: { words: 3 }, cost: 0.002 },
    {},
    { status: 'COMPLETED', results: { words: 3 } },
    0.002,
  ],
  ['skips', { skip: 'Not in English.' }, {}, { status: 'SKIPPED', reason: 'Not in English.' }, null],
])('a scorer %s', async (_what, body, config, verdict, cost) => {
  scorer.behave(says(body));
  const judged = await score({ config });
  expect(judged.verdict).toMatchObject(verdict);
  expect(judged.record).toEqual({
    scorer: scorer.url,
    attempts: 1,
    latencyMs: expect.any(Number) as number,
    cost,
  });
});

it.each<[what: string, behaviour: Behaviour, reason: RegExp, attempts?: number]>([
  ['another status', answer(401), /^scorer_refused: the scorer responded with 401; expected: 200$/],
  ['a redirect', answer(302, '', { location: 'http://127.0.0.1/' }), /^scorer_refused: .* 302/],
  ['no JSON', answer(200, 'ok'), /^scorer_bad_answer: the response is not JSON$/],
  ['a score above 1', says({ score: 7 }), /^scorer_bad_answer: the response is not valid: `score` /],
  ['a text as the score', says({ score: '0.5' }), /`score` must be a number from 0 to 1, or true or false$/],
  ['no score', says({ passed: true }), /must have either `score` or `skip`$/],
  ['a list', says([1]), /^scorer_bad_answer: /],
  [
    'too much',
    answer(200, ' '.repeat(MAX_RESPONSE_BYTES + 1)),
    /^scorer_bad_answer: .* longer than 65536 bytes$/,
  ],
])('a scorer that responds with %s fails the eval at once', async (_what, behaviour, reason) => {
  scorer.behave(behaviour);
  const { verdict, record } = await score();
  expect(verdict).toEqual({ status: 'FAILED', reason: expect.stringMatching(reason) as string });
  expect(record).toMatchObject({ attempts: 1, cost: null });
  expect(scorer.received).toHaveLength(1);
});

it.each<[what: string, first: Behaviour]>([
  ['an overloaded scorer', answer(503, '', { 'retry-after': '0' })],
  ['a limited rate', answer(429, '', { 'retry-after': '0.01' })],
])('%s is called again with the same id', async (_what, first) => {
  scorer.behave((request, response) => {
    const isFirst = scorer.received.length === 1;
    (isFirst ? first : says({ score: 1 }))(request, response);
  });
  expect(await score()).toMatchObject({ verdict: { passed: true }, record: { attempts: 2 } });
  const [one, two] = scorer.received;
  expect(one?.headers['webhook-id']).toBe(two?.headers['webhook-id']);
});

it.each<[what: string, behaviour: Behaviour, timeoutMs: number, reason: RegExp]>([
  ['never responds', hang, 1_000, /^scorer_timeout: no response within 1000 ms$/],
  ['breaks off', breakOff, 60_000, /^scorer_unreachable: .* \(4 tries\)$/],
])('a scorer that %s fails the eval within its time', async (_what, behaviour, timeoutMs, reason) => {
  scorer.behave(behaviour);
  const { verdict } = await score({ config: { timeoutMs } });
  expect(verdict).toEqual({ status: 'FAILED', reason: expect.stringMatching(reason) as string });
});

it('an address that the guard blocks is not retried', async () => {
  const { verdict, record } = await score({ isLoopbackOpen: false });
  expect(verdict).toMatchObject({ status: 'FAILED', reason: expect.stringContaining('loopback') as string });
  expect(record.attempts).toBe(1);
  expect(scorer.received).toEqual([]);
});

it.each<[what: string, secretsOf: Given['secretsOf'], reason: RegExp]>([
  ['without a webhook', async () => null, /^The application has no webhook, whose secret signs/],
  [
    'with an unreadable secret',
    () => Promise.reject(new AppError('conflict', 'The webhook cannot be decrypted.')),
    /^The webhook cannot be decrypted\.$/,
  ],
])('an application %s sends nothing', async (_what, secretsOf, reason) => {
  const { verdict } = await score({ ...(secretsOf && { secretsOf }) });
  expect(verdict).toEqual({ status: 'SKIPPED', reason: expect.stringMatching(reason) as string });
  expect(scorer.received).toEqual([]);
});

it('a subject that is too large is not sent', async () => {
  const { verdict } = await score({ subject: { output: 'x'.repeat(4 * 1024 * 1024) } });
  expect(verdict).toMatchObject({
    reason: expect.stringMatching(/^scorer_too_large: .*globalConfig\.send/) as string,
  });
  expect(scorer.received).toEqual([]);
});

it('a server that stops ends the request', async () => {
  scorer.behave(hang);
  const stop = new AbortController();
  const ended = score({ signal: stop.signal });
  await expect.poll(() => scorer.received.length).toBe(1);
  stop.abort(new Error('stopping'));
  await expect(ended).rejects.toThrow('stopping');
});
