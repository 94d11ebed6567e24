import { expect, it } from 'vitest';
import { accuracy, accuracyTable, readLabelled } from '../../bench/masking-accuracy.ts';
import { readFileSync } from 'node:fs';
import { DETECTED_KINDS } from '../../src/detect/finding.ts';
import { compileRules, Masker } from '../../src/masking/masker.ts';
import { compileOwnPattern } from '../../src/masking/own-pattern.ts';
import { type MaskingRules, NO_RULES } from '../../src/masking/rules.ts';
import { cpuMsOf } from '../support/cpu-ms.ts';

const open = (rules: Partial<MaskingRules> = {}): Masker =>
  new Masker(
    compileRules({ rules: { ...NO_RULES, detectors: DETECTED_KINDS, ...rules }, key: Buffer.alloc(32, 7) }),
  );
const withoutDigests = (text: string): string => text.replaceAll(/:[\da-f]{12}>/g, '>');

it.each<[rule: string, text: string, attribute: string, expected: string]>([
  ['a value in a text becomes a token', 'to a@b.io now', 'x', 'to <email> now'],
  ['strings of JSON stay valid', '{"a":"x\\ny@b.io \\u0061@c.io"}', 'x', '{"a":"x\\n<email> <email>"}'],
  ['JSON in JSON stays valid', '{"a":"{\\"b\\":\\"y@b.io\\"}"}', 'x', '{"a":"{\\"b\\":\\"<email>\\"}"}'],
  ['numbers of JSON become strings', '{"a":4111111111111111}', 'x', '{"a":"<card>"}'],
  ['names of members count', '{"y@b.io":1}', 'x', '{"<email>":1}'],
  ['a member named as a secret is one', '{"password":"open sesame"}', 'x', '{"password":"<secret>"}'],
  ['an attribute named as a secret is one', 'open sesame', 'db.apiKey', '<secret>'],
  ['a truncated JSON text is masked', '[{"to":"y@b.io and z@', 'x', '[{"to":"<email> and z@'],
  ['a text that begins like JSON is masked', '[10:32] "y@b.io" z@b.io', 'x', '[10:32] "<email>" <email>'],
  ['percent-encoding is read', 'to=anna%40example.com&x=1', 'x', 'to=<email>&x=1'],
  [
    'character references are read',
    'anna&#64;b.io, anna&#x40;b.io, anna&commat;b.io',
    'x',
    '<email>, <email>, <email>',
  ],
  [
    'full-width characters are read',
    '４１１１１１１１１１１１１１１１ anna＠ｂ．ｉｏ',
    'x',
    '<card> <email>',
  ],
  ['invisible characters are passed over', 'an\u200bna@exa\u00admple.com\u2060!', 'x', '<email>\u2060!'],
  ['encoded and plain values that overlap become one', 'a@b.io%2eexample.com', 'x', '<email>'],
  ['what is encoded twice is not read', 'anna%2540example', 'x', 'anna%2540example'],
  ['a uuid stays', '4a5b6c7d-1234-4123-8123-123456789012', 'x', '4a5b6c7d-1234-4123-8123-123456789012'],
])('%s', (_rule, text, attribute, expected) => {
  expect(withoutDigests(open().text(text, attribute))).toBe(expected);
});

it('masking twice changes nothing more', () => {
  const text = `{"a":"y@b.io 030 5550123","authorization":"Basic x1y2z3","n":4111111111111111}`;
  const once = open().text(text, 'x');
  expect(open().text(once, 'x')).toBe(once);
});

it.each<[kind: string, spellings: string[]]>([
  [
    'encoded email',
    ['anna@example.com', 'anna%40example.com', 'anna＠example.com', 'an\u200dna&#64;example.com'],
  ],
  ['email', ['Anna@Example.com', 'anna@example.com']],
  ['card', ['4111 1111 1111 1111', '4111-1111-1111-1111', '4111111111111111']],
  ['phone', ['+49 30 5550123', '+49-30-5550123', '0049 30 5550123']],
  ['iban', ['DE89370400440532013000', 'DE89 3704 0044 0532 0130 00']],
])('spellings of one %s have one token', (_kind, spellings) => {
  const tokens = new Set(spellings.map((value) => open().text(value, 'x')));
  expect([...tokens]).toEqual([expect.stringMatching(/^<\w+:[\da-f]{12}>$/)]);
});

it('own patterns precede detectors, and the first of them counts', () => {
  const patterns = [
    { name: 'ticket', pattern: 'T-\\d+' },
    { name: 'any', pattern: '[A-Z]-\\d+@\\w+' },
  ];
  const text = 'T-17 and X-4@host.io';
  expect(withoutDigests(open({ patterns }).text(text, 'x'))).toBe('<ticket> and <any>.io');
});

it('a text of which tokens would make many times as much becomes one token', () => {
  const patterns = [{ name: 'letter', pattern: '[a-z]' }];
  expect(withoutDigests(open({ patterns }).text('a b', 'x'))).toBe('<letter> <letter>');
  const text = 'a b '.repeat(10_000);
  const masked = open({ patterns }).text(text, 'x');
  expect(withoutDigests(masked)).toBe('<letter>');
  expect(open({ patterns }).text(masked, 'x')).toBe(masked);
  expect(JSON.parse(open({ patterns }).text(JSON.stringify({ '1': text }), 'x'))).toEqual({ '1': masked });
});

it('a request that tokens make much longer is rejected with the reason', () => {
  const masker = open({ patterns: [{ name: 'letter', pattern: '[a-z]' }] });
  const numbers = open({ patterns: [{ name: 'digit', pattern: '\\d' }] });
  const maskAll = (): void => {
    for (let i = 0; i < 40_000; i += 1) masker.text('abcdefghijklmnopqrstuvwxyz', 'x');
  };
  expect(maskAll).toThrow(/masking makes this request longer by more than 16777216 characters/);
  // Texts that are searched whatever the speed of a pattern, so that a busy machine makes no difference.
  const digits = JSON.stringify(Array.from({ length: 100 }, () => 7));
  const maskNumbers = (): void => {
    for (let i = 0; i < 9_000; i += 1) numbers.text(digits, 'x');
  };
  expect(maskNumbers).toThrow(/longer by more than/);
});

it.each<[pattern: string, isValid: boolean]>([
  ['EMP-\\d{6}', true],
  ['(a+)+$', true],
  ['(a)\\1', false],
  ['a(?=b)', false],
  ['(', false],
  ['x*', false],
])('the pattern %s is valid: %s', (pattern, isValid) => {
  expect(typeof compileOwnPattern(pattern) === 'string').toBe(!isValid);
});

it('a pattern that backtracks without end ends in linear time', () => {
  const masker = open({ patterns: [{ name: 'slow', pattern: '(a+)+b' }] });
  const text = `${'a'.repeat(20_000)}!`;
  const cpuMs = cpuMsOf(() => expect(masker.text(text, 'x')).toBe(text));
  expect(cpuMs).toBeLessThan(5_000);
});

it('a pattern that is slow at each of many matches ends at the time limit', () => {
  const rules = { ...NO_RULES, patterns: [{ name: 'slow', pattern: '(?:x.*){3}y|x' }] };
  const masker = new Masker(compileRules({ rules, key: Buffer.alloc(32, 7) }), 10);
  expect(() => masker.text('x'.repeat(20_000), 'x')).toThrow('takes more than 0.01 s');
});

/** Least precision and recall in percent: lower ones mean that a detector has become worse. */
const LEAST: Readonly<Record<string, [precision: number, recall: number]>> = {
  email: [97, 89],
  phone: [98, 85],
  card: [100, 98],
  iban: [100, 96],
  secret: [100, 93],
};

it('no detector is worse than before in the labelled texts', () => {
  for (const { kind, precision, recall, missed, wrong } of accuracy(readLabelled())) {
    const [leastPrecision, leastRecall] = LEAST[kind] as [number, number];
    expect(precision * 100, `${kind} found ${wrong.join('; ')}`).toBeGreaterThanOrEqual(leastPrecision);
    expect(recall * 100, `${kind} missed ${missed.join('; ')}`).toBeGreaterThanOrEqual(leastRecall);
  }
});

it('docs/masking.md has the measured precision and recall', () => {
  const page = readFileSync('docs/masking.md', 'utf8');
  expect(page).toContain(accuracyTable(accuracy(readLabelled())));
});
