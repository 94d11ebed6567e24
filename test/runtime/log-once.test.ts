import { expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { createLog } from '../../src/runtime/log.ts';
import { logUnavailableOnce } from '../../src/runtime/log-once.ts';

it('a warning of something unavailable is written once in ten minutes, and not at all when it is retried', () => {
  const lines: string[] = [];
  const inner = createLog({ level: 'info', write: (line) => lines.push(line), forPeople: false });
  let at = 0;
  const log = logUnavailableOnce(inner, () => at);
  const error = new AppError('unavailable', 'the store cannot accept data');
  const written = (message: string, thrown: Error = error): number => {
    const before = lines.length;
    log.warn(message, { error: thrown });
    return lines.length - before;
  };
  expect([written('a span was not stored'), written('a span was not stored')]).toEqual([1, 0]);
  expect([written('another text'), written('jobs could not be claimed; retrying')]).toEqual([1, 0]);
  expect([written('a bug; retrying', new Error('x')), written('a bug; retrying', new Error('x'))]).toEqual([
    1, 1,
  ]);
  at = 600_000;
  expect(written('a span was not stored')).toBe(1);
});
