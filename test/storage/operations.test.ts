import { expect, it } from 'vitest';
import { commands } from '../../src/operations.ts';
import {
  type Commands,
  locking,
  mergeOperations,
  needsSavepoint,
  withoutSavepoint,
} from '../../src/storage/operations.ts';

const read = (): string => 'read';
const write = (): string => 'write';

it('merges sets of operations', () => {
  expect(mergeOperations({ read }, { write })).toEqual({ read, write });
});

it('rejects a name that two sets use', () => {
  expect(() => mergeOperations({ read, write }, { write: read })).toThrow('Two operations are named write');
});

it('every command declares what it locks', () => {
  const undeclared = Object.entries<Partial<Commands[string]>>(commands)
    .filter(([, { lock }]) => lock === undefined || !['trace', 'application', 'global'].includes(lock))
    .map(([name]) => name);
  expect(undeclared).toEqual([]);
});

it('a declared command does what it did, with the savepoint that it had', () => {
  const add = (_database: unknown, { a, b }: { a: number; b: number }): number => a + b;
  const declared = locking('trace', { add, bare: withoutSavepoint((_database, n: number) => n) });
  expect(declared.add(undefined as never, { a: 1, b: 2 })).toBe(3);
  expect(declared.add.lock).toBe('trace');
  expect([needsSavepoint(declared.add), needsSavepoint(declared.bare)]).toEqual([true, false]);
});

it('a command that locks an application names it', () => {
  const create = (_database: unknown, _args: { owner: { application: number } }): void => undefined;
  const remove = (_database: unknown, _args: { id: string }): void => undefined;
  expect(locking('application', { create }).create.lock).toBe('application');
  // @ts-expect-error: what is to be locked is not in its arguments.
  expect(locking('application', { remove }).remove.lock).toBe('application');
});
