import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/contract/canonical-json.ts';
import { explainMismatch } from '../../src/deliver/explain-mismatch.ts';
import { generateSecret, sign } from '../../src/deliver/signature.ts';
import { type VerifyResult, verifyWebhook } from '../../src/deliver/verify.ts';
import { AppError } from '../../src/errors.ts';
import { isSame, type Json, type JsonObject, payload, placesOf, replaced, sendable } from './json-values.ts';
import { pythonDumps, WRITERS } from './json-writers.ts';
import { effort } from '../support/effort.ts';

const [secret, oldSecret] = [generateSecret(), generateSecret()];
const NOW = 1767225600123;
const TOLERANCE = 300_000;

const signatureOf = (body: string, timestampMs = NOW, signedBy = secret): string =>
  sign({ secrets: [signedBy], id: 'test', body, timestampMs })['x-service-signature'] as string;

const verifyText = (request: string | Uint8Array): VerifyResult =>
  verifyWebhook({
    rawBody: Buffer.from(request),
    secrets: [secret, oldSecret],
    toleranceMs: TOLERANCE,
    now: NOW,
  });

/** The verdict on a body written as `text`, under the signature of `sent`. */
const verdictOn = (text: string, sent: JsonObject): VerifyResult =>
  verifyText(`{"signature":"${signatureOf(canonicalJson(sent))}","timestamp":${NOW},"body":${text}}`);

const VALID = { kind: 'answer', valid: true };
const SENT = {
  prompt: 'Grüße 😀',
  testId: '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60',
  metadata: { n: [1, 0.1] },
};

/** The request that forwards SENT, with some parts changed. */
const requestWith = (parts: object): string =>
  JSON.stringify({ signature: signatureOf(canonicalJson(SENT)), timestamp: NOW, body: SENT, ...parts });

describe('verifyWebhook', () => {
  it.each<[what: string, request: string]>([
    ['a body as it was sent', requestWith({})],
    ['the timestamp as text', requestWith({ timestamp: String(NOW) })],
    ['fields of no meaning', requestWith({ body: SENT, other: [1] })],
    ['a byte order mark', `\ufeff${requestWith({})}`],
    ['the older secret', requestWith({ signature: signatureOf(canonicalJson(SENT), NOW, oldSecret) })],
    ['a timestamp written as 1e3', requestWith({}).replace(String(NOW), `${NOW}000e-3`)],
    ['an empty body', requestWith({ signature: signatureOf('{}'), body: {} })],
  ])('accepts %s', (_what, request) => {
    expect(verifyText(request)).toEqual(VALID);
  });

  it.each([
    ['earlier, just within the tolerance', -TOLERANCE, VALID],
    ['later, just within the tolerance', TOLERANCE, VALID],
    ['too early', -TOLERANCE - 1, { kind: 'answer', valid: false, reason: 'stale' }],
    ['too late', TOLERANCE + 1, { kind: 'answer', valid: false, reason: 'stale' }],
  ])('verifies a body signed %s', (_when, offset, verdict) => {
    const timestamp = NOW + offset;
    const signature = signatureOf(canonicalJson(SENT), timestamp);
    expect(verifyText(requestWith({ timestamp, signature }))).toEqual(verdict);
  });

  it.each<[what: string, request: string]>([
    ['the signature of another body', requestWith({ signature: signatureOf('{}') })],
    ['the signature of another time', requestWith({ timestamp: NOW + 1 })],
    ['a timestamp in seconds', requestWith({ timestamp: Math.floor(NOW / 1000) })],
    [
      'an unknown secret',
      requestWith({ signature: signatureOf(canonicalJson(SENT), NOW, generateSecret()) }),
    ],
  ])('rejects %s as a mismatch', (_what, request) => {
    expect(verifyText(request)).toEqual({ kind: 'answer', valid: false, reason: 'mismatch', body: SENT });
  });

  const signed = signatureOf(canonicalJson(SENT));
  it.each<[what: string, signature: string]>([
    ['upper case', signed.toUpperCase()],
    ['too short', signed.slice(1)],
    ['too long', `${signed}0`],
    ['empty', ''],
    ['no hex', 'z'.repeat(64)],
    ['in the manner of Standard Webhooks', `v1,${Buffer.from(signed, 'hex').toString('base64')}`],
  ])('rejects a signature that is %s as malformed', (_what, signature) => {
    expect(verifyText(requestWith({ signature }))).toEqual({
      kind: 'answer',
      valid: false,
      reason: 'malformed',
      detail: '/signature is not 64 lower-case hex digits',
    });
  });

  it.each([
    ['{"a":9007199254740992}', '/body/a is a number that a double cannot represent exactly'],
    ['{"a":[1,1e400]}', '/body/a/1 is a number that a double cannot represent exactly'],
    [String.raw`{"a":"\ud83d"}`, '/body/a contains half of a surrogate pair'],
    ['{"a":{"b":1,"b":1}}', '/body/a/b appears twice'],
    ['{"__proto__":{}}', '/body/__proto__ is named __proto__'],
    ['{},"body":{}', '/body appears twice'],
  ])('rejects the body %s as malformed, whatever its signature', (text, detail) => {
    const readAsOthersDo = JSON.parse(`{"body":${text}}`) as { body: object };
    const signature = signatureOf(JSON.stringify(readAsOthersDo.body));
    expect(verifyText(`{"signature":"${signature}","timestamp":${NOW},"body":${text}}`)).toEqual({
      kind: 'answer',
      valid: false,
      reason: 'malformed',
      detail,
    });
  });

  it.each([
    [
      '{}',
      [
        ['invalid_type', 'signature'],
        ['invalid_type', 'timestamp'],
        ['invalid_type', 'body'],
      ],
    ],
    ['[]', [['invalid_type']]],
    ['null', [['invalid_type']]],
    [requestWith({ signature: 1 }), [['invalid_type', 'signature']]],
    [requestWith({ timestamp: 1.5 }), [['invalid_type', 'timestamp']]],
    [requestWith({ timestamp: '1.5' }), [['invalid_type', 'timestamp']]],
    [requestWith({ timestamp: '' }), [['invalid_type', 'timestamp']]],
    [requestWith({ timestamp: ' 1' }), [['invalid_type', 'timestamp']]],
    [requestWith({ timestamp: '0x10' }), [['invalid_type', 'timestamp']]],
    [requestWith({ timestamp: 'now' }), [['invalid_type', 'timestamp']]],
    [requestWith({ timestamp: null }), [['invalid_type', 'timestamp']]],
    [requestWith({ timestamp: 2 ** 53 }), [['too_big', 'timestamp']]],
    [requestWith({ timestamp: '-9007199254740992' }), [['too_small', 'timestamp']]],
    [requestWith({}).replace(String(NOW), '1e400'), [['invalid_type', 'timestamp']]],
    [requestWith({ timestamp: '9'.repeat(1000) }), [['invalid_type', 'timestamp']]],
    [requestWith({ body: [] }), [['invalid_type', 'body']]],
    [requestWith({ body: null }), [['invalid_type', 'body']]],
    [requestWith({ body: '{}' }), [['invalid_type', 'body']]],
  ])('says what is wrong with the request %.60s', (request, issues) => {
    const verdict = verifyText(request);
    expect(verdict.kind).toBe('invalid_request');
    const found = verdict.kind === 'invalid_request' ? verdict.issues : [];
    expect(found.map(({ code, path }) => [code, ...path])).toEqual(issues);
    expect(found.every(({ message }) => message.length > 0)).toBe(true);
  });

  it('names a field that is missing', () => {
    expect(verifyText('{"signature":"","timestamp":0}')).toEqual({
      kind: 'invalid_request',
      issues: [{ code: 'invalid_type', message: 'Required', path: ['body'] }],
    });
  });

  it.each([
    ['no JSON', Buffer.from('signature=1')],
    ['no UTF-8', Buffer.concat([Buffer.from('{"signature":"'), Buffer.of(0xff), Buffer.from('"}')])],
    ['nothing', Buffer.from('')],
    ['too deep', Buffer.from(`{"body":${'{"a":'.repeat(129)}1${'}'.repeat(130)}`)],
  ])('rejects a request that is %s', (_what, rawBody) => {
    expect(() => verifyText(rawBody)).toThrow(expect.objectContaining({ code: 'bad_request' }));
  });

  it('accepts a body of 128 levels', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(128)}1${'}'.repeat(128)}`) as JsonObject;
    expect(verdictOn(JSON.stringify(deep), deep)).toEqual(VALID);
  });

  it.each(WRITERS)('accepts a body rewritten by %s', (_name, write) => {
    fc.assert(
      fc.property(payload, (sent) => {
        expect(verdictOn(write(sent), sent)).toEqual(VALID);
      }),
      { numRuns: effort(100) },
    );
  });

  it("accepts bodies rewritten as by Python's json.dumps", () => {
    for (const sent of fc.sample(payload, 1000)) expect(verdictOn(pythonDumps(sent), sent)).toEqual(VALID);
  });

  const isDetected = (changed: Json, sent: JsonObject): boolean => {
    const verdict = verdictOn(JSON.stringify(changed), sent);
    return (
      verdict.kind === 'answer' &&
      !verdict.valid &&
      verdict.reason === 'mismatch' &&
      explainMismatch(canonicalJson(sent), verdict.body) !== null
    );
  };
  const somewhere = (body: JsonObject, at: number): string[] => {
    const places = placesOf(body);
    return places[at % places.length] as string[];
  };
  const valueAt = (body: Json, place: readonly string[]): Json =>
    place.reduce((value, step) => (value as JsonObject)[step] as Json, body);

  it('detects any one value that was changed', () => {
    fc.assert(
      fc.property(payload, fc.nat(), sendable, (sent, at, other) => {
        const place = somewhere(sent, at);
        fc.pre(place.length > 0 && !isSame(valueAt(sent, place), other));
        expect(isDetected(replaced(sent, place, other), sent)).toBe(true);
      }),
      { numRuns: effort(333) },
    );
  });

  it('detects any one value that was removed', () => {
    fc.assert(
      fc.property(payload, fc.nat(), (sent, at) => {
        const place = somewhere(sent, at);
        fc.pre(place.length > 0);
        expect(isDetected(replaced(sent, place, undefined), sent)).toBe(true);
      }),
      { numRuns: effort(333) },
    );
  });

  it('detects any one value that was added', () => {
    fc.assert(
      fc.property(payload, fc.nat(), sendable, (sent, at, added) => {
        const place = somewhere(sent, at);
        const parent = valueAt(sent, place);
        fc.pre(typeof parent === 'object' && parent !== null);
        const larger = Array.isArray(parent) ? [...parent, added] : { ...parent, 'a new key': added };
        expect(isDetected(replaced(sent, place, larger), sent)).toBe(true);
      }),
      { numRuns: effort(333) },
    );
  });

  it.each<[type: string, retype: (value: Json) => Json]>([
    ['text', (value) => (typeof value === 'string' ? value.length : JSON.stringify(value))],
    ['an array around it', (value) => [value]],
    ['an object around it', (value) => ({ value })],
    ['null', (value) => (value === null ? false : null)],
    ['a boolean', (value) => value !== true],
  ])('detects any one value that became %s', (_type, retype) => {
    fc.assert(
      fc.property(payload, fc.nat(), (sent, at) => {
        const place = somewhere(sent, at);
        fc.pre(place.length > 0);
        expect(isDetected(replaced(sent, place, retype(valueAt(sent, place))), sent)).toBe(true);
      }),
      { numRuns: effort(100) },
    );
  });

  it('accepts, of all texts with one byte changed, only those of the same value', () => {
    const bytes = Buffer.from(canonicalJson({ ...SENT, more: [-1.5e-9, true, null, { '': 'a\n' }] }));
    const sent = JSON.parse(bytes.toString()) as JsonObject;
    const head = Buffer.from(`{"signature":"${signatureOf(bytes.toString())}","timestamp":${NOW},"body":`);
    const tail = Buffer.from('}');
    let accepted = 0;
    for (let at = 0; at < bytes.length; at++) {
      for (const byte of Buffer.from(' 0e-"\\u{}[],:\u00ff')) {
        const changed = Buffer.from(bytes);
        changed[at] = byte;
        try {
          const verdict = verifyText(Buffer.concat([head, changed, tail]));
          if (verdict.kind !== 'answer' || !verdict.valid) continue;
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          continue;
        }
        accepted++;
        expect(isSame(JSON.parse(changed.toString()), sent)).toBe(true);
      }
    }
    // Those in which the byte was there before.
    expect(accepted).toBeGreaterThan(0);
  });
});
