import { expect, it } from 'vitest';
import { mergeOperations } from '../../src/storage/operations.ts';

const read = (): string => 'read';
const write = (): string => 'write';

it('merges sets of operations', () => {
  expect(mergeOperations({ read }, { write })).toEqual({ read, write });
});

it('rejects a name that two sets use', () => {
  expect(() => mergeOperations({ read, write }, { write: read })).toThrow('Two operations are named write');
});
