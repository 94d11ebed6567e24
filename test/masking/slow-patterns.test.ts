import { expect, it } from 'vitest';
import { compileRules, Masker } from '../../src/masking/masker.ts';
import { MaskingClock } from '../../src/masking/masking-clock.ts';
import { PatternCost } from '../../src/masking/pattern-cost.ts';
import { type MaskingRules, NO_RULES } from '../../src/masking/rules.ts';
import { search } from '../../src/masking/search-patterns.ts';
import { Suspensions } from '../../src/masking/suspensions.ts';
import { inOneTurn } from '../../src/runtime/steps.ts';

const KEY = Buffer.alloc(32, 7);
const withoutDigests = (text: string): string => text.replaceAll(/:[\da-f]{12}>/g, '>');
const open = (rules: Partial<MaskingRules>, suspended: readonly string[] = []): Masker =>
  new Masker(compileRules({ rules: { ...NO_RULES, ...rules }, key: KEY, suspended }));
const EMPLOYEE = { name: 'employee', pattern: 'EMP-\\d+' };

it.each<[place: string, before: number]>([
  ['at the beginning', 0],
  ['across the end of a window', 48 * 1024 - 4],
  ['at the beginning of a window', 48 * 1024],
  ['in the last window', 300_000],
])('a value in a long text is found %s', (_place, before) => {
  const masker = open({ patterns: [EMPLOYEE], detectors: ['email'] });
  const text = `${'- '.repeat(before / 2)}EMP-990012 a@b.io${' -'.repeat(200_000)}`;
  expect(withoutDigests(masker.text(text, 'x'))).toBe(
    text.replace('EMP-990012', '<employee>').replace('a@b.io', '<email>'),
  );
});

it('a value that begins and ends within a window is found once, and a part of a word is no value', () => {
  const masker = open({ patterns: [{ name: 'code', pattern: '\\b\\d{6}\\b' }] });
  const text = '1234567890'.repeat(40_000);
  expect(masker.text(text, 'x')).toBe(text);
  expect(masker.tally.list()).toEqual([]);
});

it('masking a long text pauses, and its result does not depend on the pauses', () => {
  const text = 'EMP-1 '.repeat(200_000);
  const masker = open({ patterns: [EMPLOYEE] });
  const steps = masker.run(masker.textSteps(text, 'x'));
  let pauses = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) {
    pauses += 1;
    // Another request of the application, which shares the compiled patterns, has its turn.
    masker.patterns[0]?.expression.exec('EMP-2 EMP-3');
  }
  expect(pauses).toBeGreaterThan(1);
  expect(step.value).toBe(open({ patterns: [EMPLOYEE] }).text(text, 'x'));
});

it('texts that are too long for a suspended pattern are masked completely', () => {
  const masker = open({ patterns: [EMPLOYEE], detectors: ['email'] }, ['employee']);
  const long = 'x'.repeat(257);
  expect(withoutDigests(masker.text('EMP-1 is gpt-4', 'x'))).toBe('<employee> is gpt-4');
  expect(withoutDigests(masker.text(long, 'x'))).toBe('<employee>');
  const messages = JSON.stringify([{ role: 'user', content: long }]);
  expect(withoutDigests(masker.text(messages, 'x'))).toBe('[{"role":"user","content":"<employee>"}]');
  const numbers = JSON.stringify(Array.from({ length: 300 }, () => 7));
  expect(withoutDigests(masker.text(numbers, 'x'))).toBe('<employee>');
  expect(withoutDigests(inOneTurn(masker.run(masker.nameSteps(long))))).toBe('<employee>');
});

it('a pattern that becomes slow within a text masks all of it', () => {
  const masker = open({ patterns: [EMPLOYEE] });
  const steps = masker.run(masker.textSteps('EMP-1 '.repeat(200_000), 'x'));
  steps.next();
  const [pattern] = masker.patterns;
  if (pattern) pattern.cost.isSlow = true;
  expect(withoutDigests(inOneTurn(steps))).toBe('<employee>');
});

/** Counts the characters of the longest text that a search sees. */
class Observed extends RegExp {
  longest = 0;
  override exec(text: string): RegExpExecArray | null {
    this.longest = Math.max(this.longest, text.length);
    return super.exec(text);
  }
}

it('a pattern sees long pieces of a text only after it has searched much without being slow', () => {
  const longest = (cost: PatternCost): number => {
    const expression = new Observed('EMP-\\d+', 'g');
    const rules = { patterns: [{ name: 'employee', expression, cost }], kinds: new Set<never>() };
    inOneTurn(search('- '.repeat(40_000), rules, new MaskingClock(10_000)));
    return expression.longest;
  };
  const cost = new PatternCost();
  expect(longest(cost)).toBeLessThan(21_000);
  cost.measure(1_000_000, () => []);
  expect(longest(cost)).toBeGreaterThan(60_000);
});

/** Measures searches of so many characters; each takes as long as the clock says. */
function measured(searches: number, characters: number, cpuMs: () => number): PatternCost {
  const cost = new PatternCost(false, cpuMs);
  const busy = (): number[] => {
    const end = performance.now() + 60;
    while (performance.now() < end);
    return [];
  };
  for (let i = 0; i < searches && !cost.isSlow; i += 1) cost.measure(characters, busy);
  return cost;
}

it('a pattern is slow by processor time, never by that of other processes', () => {
  let cpuMs = 0;
  expect(measured(20, 100_000, () => (cpuMs += 50))).toMatchObject({ isSlow: true, measured: 500 });
  expect(measured(20, 100_000, () => 0)).toMatchObject({ isSlow: false, measured: null });
  expect(measured(20, 10_000_000, () => (cpuMs += 50))).toMatchObject({ isSlow: false });
});

it('a suspension ends after an hour, or when the rules are saved', () => {
  let now = 0;
  const suspensions = new Suspensions(() => now);
  const slow = [{ name: 'employee', msPerMillion: 400 }];
  expect(suspensions.suspend(1, slow)).toHaveLength(1);
  expect(suspensions.suspend(1, slow)).toEqual([]);
  expect(suspensions.of(1)).toMatchObject([{ name: 'employee', until: 3_600_000 }]);
  expect([suspensions.of(2), suspensions.count()]).toEqual([[], 1]);
  now = 3_600_000;
  expect(suspensions.of(1)).toEqual([]);
  suspensions.suspend(1, slow);
  const before = suspensions.saveOf(1);
  suspensions.end(1);
  expect([suspensions.of(1), suspensions.count()]).toEqual([[], 0]);
  expect(suspensions.saveOf(1)).not.toBe(before);
});
