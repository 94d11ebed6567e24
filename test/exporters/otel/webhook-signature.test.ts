import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { createWebhookHandler } from '../../../exporters/otel/src/webhook.ts';
import {
  answerOf,
  type Headers as Signatures,
  newSecret,
  serviceHeaders,
  standardHeaders,
  toRequest,
} from './support/webhook.ts';
import { effort } from '../../support/effort.ts';

const SECRET = newSecret();
const ID = randomUUID();
// Key order, spaces and escapes that a JSON writer would not make.
const BODY = `{ "testId": "${ID}",\n "prompt": "caf\\u00e9 \u2603" , "later": 1.0 }`;
const MINUTE = 60_000;
const JSON_TYPE = { 'content-type': 'application/json' };

interface Options {
  body?: string;
  secret?: string | string[];
  toleranceMs?: number;
}

async function deliver(
  headers: Signatures,
  { body = BODY, secret = SECRET, toleranceMs }: Options = {},
): Promise<{ status: number; body: unknown; runs: number }> {
  let runs = 0;
  const handler = createWebhookHandler({ secret, toleranceMs, run: () => (runs += 1) });
  const answer = await answerOf(handler(toRequest({ body, headers: { ...JSON_TYPE, ...headers } })));
  return { ...answer, runs };
}

const without = (headers: Signatures, name: string): Signatures =>
  Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));

const service = (at?: number): Signatures => serviceHeaders(SECRET, BODY, at);
const standard = (at = Date.now()): Signatures => standardHeaders(SECRET, BODY, { id: ID, at });

const MISSING = 'The header webhook-signature is missing, and x-service-signature too';
const STALE = 'The timestamp is too far from the current time';
const WRONG = 'The signature does not match the body';

// The tables hold functions, so that the time of a signature is that of its test.
describe('a delivery runs the app when', () => {
  it.each<[string, () => Signatures]>([
    ['it has both signatures', () => ({ ...service(), ...standard() })],
    ['it has the one of the service alone', () => service()],
    ['it has the one of Standard Webhooks alone', () => standard()],
    [
      'the one of Standard Webhooks is wrong',
      () => ({ ...service(), ...standard(), 'webhook-signature': 'v1,AAAA' }),
    ],
    [
      'a header of Standard Webhooks got lost',
      () => ({ ...service(), ...without(standard(), 'webhook-id') }),
    ],
    ['the one of the service is wrong', () => ({ ...standard(), ...service(), 'x-service-signature': '00' })],
    [
      'one of several signatures is right',
      () => ({ ...standard(), 'webhook-signature': `v1a,AAAA v1,BBBB ${standard()['webhook-signature']}` }),
    ],
    ['it is nearly too old', () => service(Date.now() - 4 * MINUTE)],
    ['it is a little early', () => standard(Date.now() + 4 * MINUTE)],
  ])('%s', async (_, sign) => {
    expect(await deliver(sign())).toEqual({ status: 200, body: { ok: true }, runs: 1 });
  });

  it('another program signed it by Standard Webhooks', async () => {
    const at = new Date();
    const headers = {
      'webhook-id': ID,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(SECRET).sign(ID, at, BODY),
    };
    expect(await deliver(headers)).toMatchObject({ status: 200, runs: 1 });
  });

  it.each([0, 1])('secret %i of two signed it', async (n) => {
    const secrets = [newSecret(), newSecret()];
    for (const sign of [serviceHeaders, standardHeaders]) {
      expect(await deliver(sign(secrets[n] ?? '', BODY), { secret: secrets })).toMatchObject({ status: 200 });
    }
  });
});

describe('a delivery is rejected and runs nothing when', () => {
  it.each<[string, () => Signatures, string]>([
    ['it has no signature', () => ({}), MISSING],
    [
      'the signatures got lost',
      () => without(without({ ...service(), ...standard() }, 'webhook-signature'), 'x-service-signature'),
      MISSING,
    ],
    [
      'its time got lost',
      () => without(service(), 'x-service-timestamp'),
      'The header x-service-timestamp is missing',
    ],
    ['its id got lost', () => without(standard(), 'webhook-id'), 'The header webhook-id is missing'],
    [
      'its standard time got lost',
      () => without(standard(), 'webhook-timestamp'),
      'The header webhook-timestamp is missing',
    ],
    ['it is old', () => service(Date.now() - 6 * MINUTE), STALE],
    ['it is old by the standard', () => standard(Date.now() - 6 * MINUTE), STALE],
    ['it is from the future', () => service(Date.now() + 6 * MINUTE), STALE],
    ['its time is no number', () => ({ ...service(), 'x-service-timestamp': 'now' }), STALE],
    ['its time is empty', () => ({ ...service(), 'x-service-timestamp': '' }), STALE],
    ['its time has a fraction', () => ({ ...service(), 'x-service-timestamp': `${Date.now()}.5` }), STALE],
    ['its time is in seconds', () => service(Math.floor(Date.now() / 1_000)), STALE],
    ['its time is another', () => ({ ...service(), 'x-service-timestamp': String(Date.now() + 1) }), WRONG],
    ['its id is another', () => ({ ...standard(), 'webhook-id': randomUUID() }), WRONG],
    ['it is signed with another secret', () => serviceHeaders(newSecret(), BODY), WRONG],
    ['it is signed with another secret by the standard', () => standardHeaders(newSecret(), BODY), WRONG],
    [
      'both signatures are of another secret',
      () => ({ ...serviceHeaders(newSecret(), BODY), ...standardHeaders(newSecret(), BODY) }),
      WRONG,
    ],
    [
      'its signature is in upper case',
      () => ({ ...service(), 'x-service-signature': (service()['x-service-signature'] ?? '').toUpperCase() }),
      WRONG,
    ],
    ['its signature is empty', () => ({ ...service(), 'x-service-signature': '' }), WRONG],
    [
      'its signature is cut',
      () => ({ ...standard(), 'webhook-signature': (standard()['webhook-signature'] ?? '').slice(0, -1) }),
      WRONG,
    ],
    [
      'its signature has another version',
      () => ({
        ...standard(),
        'webhook-signature': (standard()['webhook-signature'] ?? '').replace('v1', 'v2'),
      }),
      WRONG,
    ],
    [
      'the signature is of the other kind',
      () => ({ ...service(), 'x-service-signature': standard()['webhook-signature'] ?? '' }),
      WRONG,
    ],
    ['the body was written again', () => serviceHeaders(SECRET, JSON.stringify(JSON.parse(BODY))), WRONG],
  ])('%s', async (_, sign, message) => {
    expect(await deliver(sign())).toEqual({ status: 401, body: { message }, runs: 0 });
  });

  it('any character of the body is another', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(BODY.length - 1), fc.string({ unit: 'grapheme' }), async (at, text) => {
        const body = BODY.slice(0, at) + text + BODY.slice(at + 1);
        fc.pre(body !== BODY);
        for (const headers of [service(), standard()]) {
          expect(await deliver(headers, { body })).toMatchObject({ status: 401, runs: 0 });
        }
      }),
      { numRuns: effort(17) },
    );
  });

  it('the app allows less age than it has', async () => {
    expect(await deliver(service(Date.now() - 2_000), { toleranceMs: 1_000 })).toMatchObject({ status: 401 });
    expect(await deliver(service(Date.now() - 2_000), { toleranceMs: MINUTE })).toMatchObject({
      status: 200,
    });
  });
});

describe('createWebhookHandler() throws for', () => {
  const run = (): void => undefined;
  const EITHER = "createWebhookHandler() takes either a `secret` or `validate: 'api'`";
  const FORM = 'A webhook secret is `whsec_` and the base64 of at least 16 bytes';

  it.each<[string, object, string]>([
    ['neither secret nor validate', {}, EITHER],
    ['an unset variable', { secret: process.env['NOT_SET'] }, EITHER],
    ['no secret of a list', { secret: [] }, EITHER],
    ['both', { secret: SECRET, validate: 'api' }, EITHER],
    ['an empty secret', { secret: '' }, FORM],
    ['a secret without key', { secret: 'whsec_' }, FORM],
    ['a secret with a key of no bytes', { secret: 'whsec_A' }, FORM],
    ['a secret with a short key', { secret: `whsec_${'A'.repeat(20)}` }, FORM],
    ['a secret without its beginning', { secret: SECRET.slice(6) }, FORM],
    ['one bad secret among good ones', { secret: [SECRET, 'sk_key'] }, FORM],
    [
      'a negative tolerance',
      { secret: SECRET, toleranceMs: -1 },
      'toleranceMs must be a number above 0 and below 2^31',
    ],
    [
      'no room for a body',
      { secret: SECRET, maxBodyBytes: 0 },
      'maxBodyBytes must be a number above 0 and below 2^31',
    ],
    [
      'a time that is none',
      { secret: SECRET, flushTimeoutMs: Number.NaN },
      'flushTimeoutMs must be a number above 0 and below 2^31',
    ],
  ])('%s', (_, options, message) => {
    expect(() => createWebhookHandler({ run, ...options })).toThrow(new TypeError(message));
  });
});
