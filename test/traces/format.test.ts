import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationMs, flagNames, formatNs, statusName, stepType } from '../../src/traces/format.ts';
import { TraceFlag } from '../../src/traces/rollup.ts';
import { SPAN_KINDS } from '../../src/traces/span-kinds.ts';

describe('formatNs', () => {
  it.each([
    [0n, '1970-01-01T00:00:00.000Z'],
    [1_767_225_600_000_000_000n, '2026-01-01T00:00:00.000Z'],
    [1_767_225_600_123_000_000n, '2026-01-01T00:00:00.123Z'],
    [1_767_225_600_123_456_789n, '2026-01-01T00:00:00.123456789Z'],
    [1_767_225_600_000_000_001n, '2026-01-01T00:00:00.000000001Z'],
    [2n ** 63n - 1n, '2262-04-11T23:47:16.854775807Z'],
  ])('writes %s as %s', (ns, text) => {
    expect(formatNs(ns)).toBe(text);
  });

  it('loses no nanosecond, and sorts as text like the times do where digits are equally many', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), (ns) => {
        const text = formatNs(ns);
        const fraction = /\.(\d+)Z$/.exec(text)?.[1] ?? '';
        const seconds = BigInt(Date.parse(text.replace(/\.\d+Z$/, 'Z')) / 1000);
        expect(seconds * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'))).toBe(ns);
        expect([3, 9]).toContain(fraction.length);
      }),
    );
  });
});

describe('what traces and spans are described with', () => {
  it('durations keep their fraction of a millisecond', () => {
    expect(durationMs(1n, 1_500_001n)).toBe(1.5);
    expect(durationMs(7n, 7n)).toBe(0);
  });

  it('every status has a name, an unknown one is UNSET', () => {
    expect([0, 1, 2, 3, 255].map(statusName)).toEqual(['UNSET', 'OK', 'ERROR', 'UNSET', 'UNSET']);
  });

  it('flags have names, but for internal ones', () => {
    const all = Object.values(TraceFlag).reduce((flags: number, flag) => flags | flag, 0);
    expect(flagNames(all)).toEqual([
      'replaced',
      'unpaired',
      'skew',
      'redacted',
      'dropped',
      'oddTokens',
      'sample',
    ]);
    expect(flagNames(TraceFlag.overlap)).toEqual([]);
  });

  it('every kind is shown as an event of the interface', () => {
    expect(SPAN_KINDS.map(stepType)).toEqual([
      'group',
      'llm',
      'embedding',
      'tool',
      'retriever',
      'reranker',
      'agent',
      'group',
      'guardrail',
      'evaluator',
    ]);
  });
});
