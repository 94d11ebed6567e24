import { expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { connectionLimit, connectionWarning } from '../src/config/machine.ts';

const MIB = 2 ** 20;
const inMib = (memoryMib: number, env: Record<string, string> = {}) => {
  const { config, warnings } = readConfig(new Map(), env, memoryMib * MIB);
  return { budget: config.memoryBudgetBytes / MIB, body: config.maxBodyBytes / MIB, warnings };
};

it.each<[memoryMib: number, budget: number, body: number]>([
  [16_384, 192, 64],
  [1_024, 192, 64],
  [512, 64, 32],
  [448, 42, 21],
  [384, 21, 10.5],
])('with %i MiB of memory, the budget is %i MiB and the largest body %d MiB', (memory, budget, body) => {
  expect(inMib(memory)).toEqual({ budget, body, warnings: [] });
});

it.each<[what: string, memoryMib: number, env: Record<string, string>, warning: RegExp]>([
  [
    'a budget beyond the memory',
    512,
    { TOUCHSTONE_MEMORY_BUDGET_BYTES: '192MiB' },
    /limit of 512 MiB is too low for a memory budget of 192 MiB; .* at most 64 MiB\.$/,
  ],
  [
    'a body that needs more than the budget',
    512,
    { TOUCHSTONE_MAX_BODY_BYTES: '64MiB' },
    /too low for a memory budget of 128 MiB/,
  ],
  ['less memory than the server needs', 256, {}, /limit of 256 MiB is less than the 384 MiB/],
])('the start warns of %s', (_what, memory, env, warning) => {
  expect(inMib(memory, env).warnings).toEqual([expect.stringMatching(warning)]);
});

it.each<[files: number | null, connections: number]>([
  [null, 4_096],
  [16_384, 4_096],
  [1_024, 256],
  [256, 64],
  [1, 1],
])('with a limit of %s open files, each port takes %i connections', (files, connections) => {
  expect(connectionLimit(4_096, files)).toBe(connections);
  expect(connectionWarning(4_096, files) === null).toBe(connections === 4_096);
});
