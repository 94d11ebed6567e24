import type { Case, Step } from '../case.ts';
import { invalid, MESSAGE } from '../records.ts';
import { only, type Shape } from '../shapes.ts';

/** The request as a receiver makes it, the body as it came. */
const forwarded = (signed: string, body = `{{${signed}.body}}`): string =>
  `{"signature":"{{${signed}.signature}}","timestamp":{{${signed}.timestamp}},"body":${body}}`;
/** In canonical form: what the service sends. */
const BODY = '{"list":[1,2.5,null],"prompt":"Grüße 😀","testId":"22222222-2222-4222-8222-222222222222"}';
const signed = (more: { afterMs?: number; secret?: string } = {}, body = BODY): Step => ({
  as: 'signed',
  sign: { body, ...more },
});

const validated = (
  name: string,
  line: string,
  valid: boolean,
  more: Partial<Case> & { body?: unknown } = {},
): Case => ({
  name,
  line,
  given: ['webhook', signed()],
  request: 'POST /v0/validate-webhook',
  body: forwarded('signed'),
  status: 200,
  contains: only({ valid }),
  ...more,
});
const VALID = 'ValidateWebhook.valid';
const WRONG = 'ValidateWebhook.not valid';
const EVENT = 'Events.forwarded whole';

const rejected = (name: string, line: string, body: unknown, contains: Shape): Case => ({
  name,
  line: [`ValidateWebhook.${line}`, 'Errors.*'],
  given: ['webhook', signed()],
  request: 'POST /v0/validate-webhook',
  body,
  status: 422,
  contains,
});
const FIELDS = {
  signature: '{{signed.signature}}',
  timestamp: '{{signed.timestamp}}',
  body: { prompt: 'A' },
} as const;
const left = (name: keyof typeof FIELDS): unknown =>
  Object.fromEntries(Object.entries(FIELDS).filter(([field]) => field !== name));

const atTime = (timestamp: string, status: number, contains: Shape): Case => ({
  name: `the timestamp ${timestamp} is answered ${status}`,
  line: ['ValidateWebhook.timestamp', 'Limits.timestamp'],
  given: ['webhook', signed()],
  request: 'POST /v0/validate-webhook',
  body: `{"signature":"{{signed.signature}}","timestamp":${timestamp},"body":{}}`,
  status,
  contains,
});

export const VALIDATE_WEBHOOK_CASES: readonly Case[] = [
  validated('what the app received is valid', EVENT, true, {
    line: [VALID, EVENT, 'ValidateWebhook.answer', 'Events.sample'],
    given: ['sample'],
    body: `{"signature":"{{received.headers.x-service-signature}}","timestamp":{{received.headers.x-service-timestamp}},"body":{{received.body}}}`,
  }),
  validated('the timestamp may be the text of the header', 'ValidateWebhook.timestamp', true, {
    body: `{"signature":"{{signed.signature}}","timestamp":"{{signed.timestamp}}","body":{{signed.body}}}`,
  }),
  validated('white space in the body does not matter', VALID, true, {
    body: forwarded('signed', BODY.replaceAll(',"', ' ,\n "')),
  }),
  validated('the order of keys does not matter', VALID, true, {
    body: forwarded(
      'signed',
      '{"testId":"22222222-2222-4222-8222-222222222222","prompt":"Grüße 😀","list":[1,2.5,null]}',
    ),
  }),
  validated('escapes do not matter', VALID, true, {
    body: forwarded('signed', BODY.replace('Grüße 😀', 'Gr\\u00fc\\u00DFe \\ud83d\\ude00')),
  }),
  validated('numbers written otherwise do not matter', VALID, true, {
    body: forwarded('signed', BODY.replace('1,2.5', '1.0,25e-1')),
  }),
  validated('further fields of the call do not matter', VALID, true, {
    body: forwarded('signed').replace('{"signature"', '{"more":1,"signature"'),
  }),
  validated('a changed value is not valid', 'Events.false for a changed body', false, {
    line: [WRONG, 'Events.false for a changed body'],
    body: forwarded('signed', BODY.replace('2.5', '2.6')),
  }),
  ...(
    [
      ['an added field', BODY.replace('{', '{"a":1,')],
      ['a missing field', BODY.replace('"list":[1,2.5,null],', '')],
      ['a list in another order', BODY.replace('1,2.5', '2.5,1')],
      ['a number as text', BODY.replace('2.5', '"2.5"')],
      ['a capital letter', BODY.replace('Grüße', 'grüße')],
      ['another normal form of Unicode', BODY.replace('ü', 'u\u0308')],
      ['an empty object', '{}'],
      ['a key that appears twice', BODY.replace('{', '{"prompt":"Grüße 😀",')],
      ['a __proto__ key', BODY.replace('{', '{"__proto__":{},')],
      ['a number too large', BODY.replace('2.5', '9007199254740993')],
      ['half a surrogate pair', BODY.replace('😀', '\\ud83d')],
    ] as const
  ).map(([what, body]) =>
    validated(`a body with ${what} is not valid`, WRONG, false, { body: forwarded('signed', body) }),
  ),
  validated('another signature is not valid', WRONG, false, {
    body: { ...FIELDS, signature: '0'.repeat(64) },
  }),
  validated('a signature of another form is not valid', WRONG, false, {
    body: { ...FIELDS, signature: 'none' },
  }),
  validated('an empty signature is not valid', 'ValidateWebhook.signature', false, {
    body: { ...FIELDS, signature: '' },
  }),
  validated('a signature in capitals is not valid', 'ValidateWebhook.signature', false, {
    body: forwarded('signed').replace('signed.signature', 'signed.upperSignature'),
  }),
  validated('another secret is not valid', WRONG, false, {
    given: ['webhook', signed({ secret: `whsec_${Buffer.alloc(32).toString('base64')}` })],
  }),
  validated('another timestamp than the signed one is not valid', WRONG, false, {
    body: forwarded('signed').replace('{{signed.timestamp}}', '{{now}}'),
    given: ['webhook', signed({ afterMs: 60_000 })],
  }),
  validated('five minutes ago, nearly, is valid', 'ValidateWebhook.timestamp', true, {
    given: ['webhook', signed({ afterMs: -240_000 })],
  }),
  validated('five minutes ahead, nearly, is valid', 'ValidateWebhook.timestamp', true, {
    given: ['webhook', signed({ afterMs: 240_000 })],
  }),
  validated('more than five minutes ago is not valid', WRONG, false, {
    given: ['webhook', signed({ afterMs: -900_000 })],
  }),
  validated('more than five minutes ahead is not valid', WRONG, false, {
    given: ['webhook', signed({ afterMs: 900_000 })],
  }),
  validated('without a webhook nothing is valid', WRONG, false, {
    given: ['webhook', signed(), { request: 'DELETE /v0/webhook' }],
  }),
  validated('the secret before the last rotation verifies', VALID, true, {
    given: ['webhook', { request: 'POST /v0/webhook/rotate-secret' }, signed()],
  }),
  validated('the secret of another application does not', WRONG, false, {
    given: [
      'webhook',
      signed(),
      { as: 'other', whole: true, request: 'POST /v0/applications', body: { title: 'B', type: 'AGENT' } },
    ],
    headers: { 'x-api-key': '{{other.apiKey.key}}', 'x-application-id': '{{other.data.id}}' },
  }),
  ...(
    [
      ['stale', 'stale', { given: ['webhook', signed({ afterMs: -900_000 })] }],
      [
        'of another secret',
        'other_secret',
        { given: ['webhook', signed({ secret: `whsec_${Buffer.alloc(32).toString('base64')}` })] },
      ],
      ['malformed', 'malformed', { body: { ...FIELDS, signature: 'none' } }],
    ] as const
  ).map(([what, reason, more]) =>
    validated(`an admin is told that it is ${what}`, WRONG, false, {
      headers: { 'x-explain': 'true' },
      ...more,
      contains: { valid: false, reason },
    }),
  ),
  validated('an admin is told what has changed', WRONG, false, {
    given: ['sample'],
    headers: { 'x-explain': 'true' },
    body: `{"signature":"{{received.headers.x-service-signature}}","timestamp":{{received.headers.x-service-timestamp}},"body":{"prompt":"Other","testId":"{{received.json.testId}}","metadata":{"sample":true}}}`,
    contains: { valid: false, reason: 'body_changed', pointer: '/prompt' },
  }),
  validated('others are not told why', WRONG, false, {
    given: ['webhook', 'key', signed()],
    headers: { 'x-explain': 'true', 'x-api-key': '{{key.key}}' },
    body: { ...FIELDS, signature: 'none' },
  }),
  rejected(
    'the signature is required',
    'signature',
    left('signature'),
    invalid([['signature'], 'invalid_type']),
  ),
  rejected(
    'the timestamp is required',
    'timestamp',
    left('timestamp'),
    invalid([['timestamp'], 'invalid_type']),
  ),
  rejected('the body is required', 'body', left('body'), invalid([['body'], 'invalid_type'])),
  rejected(
    'the signature is text',
    'signature',
    { ...FIELDS, signature: 7 },
    invalid([['signature'], 'invalid_type']),
  ),
  ...(
    [
      ['a list', []],
      ['text', '{}'],
      ['null', null],
      ['a number', 1],
    ] as const
  ).map(([what, body]) =>
    rejected(
      `a body that is ${what} is invalid`,
      'body',
      { ...FIELDS, body },
      invalid([['body'], 'invalid_type']),
    ),
  ),
  rejected(
    'a timestamp that is a word is invalid',
    'timestamp',
    { ...FIELDS, timestamp: 'now' },
    {
      issues: [{ path: ['timestamp'] }],
    },
  ),
  atTime('1700000000000.5', 422, invalid([['timestamp'], 'invalid_type'])),
  atTime('9007199254740991', 200, only({ valid: false })),
  atTime('-9007199254740991', 200, only({ valid: false })),
  atTime('9007199254740992', 422, invalid([['timestamp'], 'too_big'])),
  atTime('-9007199254740992', 422, invalid([['timestamp'], 'too_small'])),
  {
    name: 'a call that is no JSON is a bad request',
    line: 'ValidateWebhook.body',
    request: 'POST /v0/validate-webhook',
    body: '{"signature":',
    status: 400,
    contains: MESSAGE,
  },
];
