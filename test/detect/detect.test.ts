import { expect, it } from 'vitest';
import { detect } from '../../src/detect/detect.ts';
import { DETECTED_KINDS, type DetectedKind, type Finding } from '../../src/detect/finding.ts';
import { cpuMsOf } from '../support/cpu-ms.ts';
import { LABELLED } from './labelled.ts';

const ALL = new Set(DETECTED_KINDS);
const same = (a: Finding, b: Finding): boolean => a.kind === b.kind && a.start === b.start && a.end === b.end;

/** Counts the findings of one kind in all labelled texts, in which every kind is searched for. */
function countsOf(kind: DetectedKind) {
  const wrong: string[] = [];
  let [found, expected, right] = [0, 0, 0];
  for (const { text, expected: labels } of LABELLED) {
    const here = detect(text, ALL).filter((one) => one.kind === kind);
    const wanted = labels.filter((one) => one.kind === kind);
    found += here.length;
    expected += wanted.length;
    right += here.filter((one) => wanted.some((other) => same(one, other))).length;
    for (const one of here)
      if (!wanted.some((other) => same(one, other))) wrong.push(text.slice(one.start, one.end));
    for (const one of wanted) if (!here.some((other) => same(one, other))) wrong.push(`missed: ${text}`);
  }
  return { precision: right / found, recall: right / expected, wrong };
}

it.each(DETECTED_KINDS)('in the labelled texts, precision and recall of %s are complete', (kind) => {
  expect(countsOf(kind)).toEqual({ precision: 1, recall: 1, wrong: [] });
});

it('only the chosen kinds are found, in their order', () => {
  const text = 'a@b.io 4111 1111 1111 1111 c@d.io';
  expect(detect(text, new Set(['email'])).map(({ start }) => start)).toEqual([0, 27]);
  expect(detect(text, ALL).map(({ kind }) => kind)).toEqual(['email', 'card', 'email']);
});

it('what a secret contains is not found once more', () => {
  const text = 'password=+4930901820abc';
  expect(detect(text, ALL)).toEqual([{ kind: 'secret', start: 9, end: text.length }]);
});

const LENGTH = 400_000;
it.each<[what: string, unit: string]>([
  ['letters', 'a'],
  ['digits', '4'],
  ['groups of digits', '4111 '],
  ['dashes', '4-'],
  ['half addresses', 'a@'],
  ['labels of a domain', 'a@b.'],
  ['half tokens', 'eyJaaaaaaaa.'],
  ['beginnings of keys', '-----BEGIN PRIVATE KEY-----\n'],
  ['half numbers of accounts', 'DE89 '],
  ['names of secrets', 'password='],
  ['prefixes', 'sk-'],
  ['phone numbers', '+49 '],
  ['brackets', '(555) '],
  ['spaces', ' '],
])('a long text of %s is searched at once', (_what, unit) => {
  const text = unit.repeat(LENGTH / unit.length);
  // It takes some 50 ms, of half addresses more than a second; quadratic time would be minutes.
  expect(cpuMsOf(() => detect(text, ALL))).toBeLessThan(5_000);
});
