import { expect, it } from 'vitest';
import { maxOpenFiles, openFiles } from '../src/runtime/open-files.ts';

it('open files and their limit are read from the system', () => {
  expect(openFiles()).toBeGreaterThan(2);
  expect(maxOpenFiles()).toBeGreaterThan(openFiles() ?? Infinity);
});
