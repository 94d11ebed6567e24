import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { generateSecret, isSignedBy, secretBytes, sign } from '../../src/deliver/signature.ts';

const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const OLD_SECRET = 'whsec_//////////////////////////////////////////8=';
const ID = '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60';
const BODY = '{"prompt":"Grüße 😀"}';
const TIME = 1767225600123;
const SIGNATURE = 'dd8c635ea687596e72ac79e2e9bb55f9cf61bebd4d506267d264f423149bd4cb';

describe('a secret', () => {
  it('is whsec_ and the base64 of 32 random bytes', () => {
    const secrets = Array.from({ length: 50 }, generateSecret);
    expect(new Set(secrets).size).toBe(50);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(secretBytes(secret)).toHaveLength(32);
    }
  });

  it('stands for its bytes', () => {
    expect(secretBytes(SECRET)).toEqual(Buffer.from(Array.from({ length: 32 }, (_, index) => index)));
  });

  it.each([
    '',
    'whsec_',
    SECRET.slice(6),
    SECRET.toUpperCase(),
    SECRET.slice(0, -1),
    `${SECRET}=`,
    ` ${SECRET}`,
    `${SECRET}\n`,
    SECRET.replace('8=', '9='),
    SECRET.replace('AAEC', 'AA*C'),
    OLD_SECRET.replaceAll('/', '_'),
    `whsec_${Buffer.alloc(31, 1).toString('base64')}`,
    `whsec_${Buffer.alloc(33, 1).toString('base64')}`,
  ])('is not %j, and the error does not show it', (text) => {
    expect(() => secretBytes(text)).toThrow(
      new TypeError('not a webhook secret; it must be whsec_ and the base64 of 32 bytes'),
    );
  });
});

describe('sign', () => {
  it('makes the headers of both manners', () => {
    // Computed with Python's hmac.
    expect(sign({ secrets: [SECRET], id: ID, body: BODY, timestampMs: TIME })).toEqual({
      'x-service-timestamp': '1767225600123',
      'x-service-signature': SIGNATURE,
      'webhook-id': ID,
      'webhook-timestamp': '1767225600',
      'webhook-signature': 'v1,oSfaYkXJSyielfEjuE0kltQt4Eh1+lIbCp3eYEs6Vzw=',
    });
  });

  it('signs with the newest secret, and in the manner of Standard Webhooks with all of them', () => {
    expect(sign({ secrets: [SECRET, OLD_SECRET], id: ID, body: BODY, timestampMs: TIME })).toMatchObject({
      'x-service-signature': SIGNATURE,
      'webhook-signature':
        'v1,oSfaYkXJSyielfEjuE0kltQt4Eh1+lIbCp3eYEs6Vzw= v1,/kxa/oH9EUwXfw6CyEIqijIS7Of6kUwZni+7bQGz+n8=',
    });
  });

  it('signs bytes as the text they are the UTF-8 of', () => {
    const delivery = { secrets: [SECRET], id: ID, timestampMs: TIME } as const;
    expect(sign({ ...delivery, body: Buffer.from(BODY) })).toEqual(sign({ ...delivery, body: BODY }));
  });

  it.each([SECRET, OLD_SECRET, generateSecret()])('is understood by Standard Webhooks, with %s', (secret) => {
    const timestampMs = Date.now();
    const headers = sign({ secrets: [secret], id: ID, body: BODY, timestampMs });
    expect(headers['webhook-signature']).toBe(new Webhook(secret).sign(ID, new Date(timestampMs), BODY));
    expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY));
  });

  it('is understood by Standard Webhooks with any one of the secrets, and with no other', () => {
    const headers = sign({ secrets: [SECRET, OLD_SECRET], id: ID, body: BODY, timestampMs: Date.now() });
    for (const secret of [SECRET, OLD_SECRET]) {
      expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY));
      expect(() => new Webhook(secret).verify(`${BODY} `, headers)).toThrow('No matching signature');
    }
    expect(() => new Webhook(generateSecret()).verify(BODY, headers)).toThrow('No matching signature');
  });
});

describe('isSignedBy', () => {
  const delivery = { body: BODY, timestampMs: TIME };

  it.each([
    ['the secret', [SECRET]],
    ['one of several', [generateSecret(), SECRET, OLD_SECRET]],
  ])('knows what %s signed', (_what, secrets) => {
    expect(isSignedBy(secrets, SIGNATURE, delivery)).toBe(true);
  });

  it.each([
    ['another secret', [OLD_SECRET], SIGNATURE, delivery],
    ['no secret', [], SIGNATURE, delivery],
    ['another time', [SECRET], SIGNATURE, { ...delivery, timestampMs: TIME + 1 }],
    ['another body', [SECRET], SIGNATURE, { ...delivery, body: `${BODY} ` }],
    ['upper case', [SECRET], SIGNATURE.toUpperCase(), delivery],
    ['too short a signature', [SECRET], SIGNATURE.slice(0, -1), delivery],
    ['half a signature', [SECRET], SIGNATURE.slice(0, 32), delivery],
    ['too long a signature', [SECRET], `${SIGNATURE}00`, delivery],
    ['a line break behind it', [SECRET], `${SIGNATURE}\n`, delivery],
    ['no signature', [SECRET], '', delivery],
    ['what is no hex', [SECRET], 'g'.repeat(64), delivery],
    ['64 characters of more bytes', [SECRET], 'é'.repeat(64), delivery],
    ['base64', [SECRET], Buffer.from(SIGNATURE, 'hex').toString('base64'), delivery],
  ] as const)('rejects %s', (_what, secrets, signature, signed) => {
    expect(isSignedBy(secrets, signature, signed)).toBe(false);
  });

  it('rejects a signature with any one digit changed', () => {
    for (let at = 0; at < SIGNATURE.length; at++) {
      const other = SIGNATURE[at] === '0' ? '1' : '0';
      const changed = SIGNATURE.slice(0, at) + other + SIGNATURE.slice(at + 1);
      expect(isSignedBy([SECRET], changed, delivery)).toBe(false);
    }
  });
});
