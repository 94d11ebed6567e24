import { afterEach, describe, expect, it, vi } from 'vitest';
import { grouped, type Progress, ProgressLine, progressText } from '../../src/cli/progress.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('progressText', () => {
  it.each<[Progress, string]>([
    [{ done: 1, total: 3, seconds: 0.5 }, '1 of 3 (33 %), 2 a second, 1 s left'],
    [{ done: 500, total: 12_034, seconds: 1 }, '500 of 12 034 (4 %), 500 a second, 24 s left'],
    [{ done: 100, total: 20_100, seconds: 1 }, '100 of 20 100 (0 %), 100 a second, 4 min left'],
    [{ done: 1, total: 9_000, seconds: 2 }, '1 of 9 000 (0 %), 1 a second, 5 h left'],
    [{ done: 999, total: 1_000, seconds: 999 }, '999 of 1 000 (99 %), 1 a second, 1 s left'],
    [{ done: 2, total: 2, seconds: 1 }, '2 of 2 (100 %), 2 a second, 0 s left'],
  ])('says of %j: %s', (progress, text) => {
    expect(progressText(progress)).toBe(text);
  });
});

describe('grouped', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1 000'],
    [1_234_567, '1 234 567'],
  ])('writes %d as %s', (count, text) => {
    expect(grouped(count)).toBe(text);
  });
});

describe('ProgressLine', () => {
  /** What it wrote when it received a step every 100 ms for 12 s. */
  function written(isTerminal: boolean): string[] {
    vi.useFakeTimers({ toFake: ['performance'] });
    const out: string[] = [];
    const io = { env: {}, out: (text: string) => out.push(text), err: () => undefined, program: '' };
    const line = new ProgressLine({ ...io, isTerminal }, 1_000);
    for (let done = 1; done <= 120; done++) {
      vi.advanceTimersByTime(100);
      line.show(done);
    }
    line.end();
    return out;
  }

  it('writes one line again and again on a terminal, and leaves it empty', () => {
    const out = written(true);
    expect(out).toHaveLength(61);
    expect(out[0]).toBe('\r\x1b[K2 of 1 000 (0 %), 10 a second, 2 min left');
    expect(out.at(-1)).toBe('\r\x1b[K');
  });

  it('writes a line every five seconds elsewhere', () => {
    expect(written(false)).toEqual([
      '50 of 1 000 (5 %), 10 a second, 2 min left\n',
      '100 of 1 000 (10 %), 10 a second, 2 min left\n',
    ]);
  });
});
