import { expect, it } from 'vitest';
import { fittingColumns } from '../../src/dashboard/ui/fitting-columns.ts';

const COLUMNS = [
  { id: 'time', width: 'w-[100px]' },
  { id: 'input' },
  { id: 'output' },
  { id: 'passed', width: 'w-[100px]', priority: 1 },
  { id: 'scale', width: 'w-[100px]', priority: 9 },
  { id: 'cost', width: 'w-[100px]', priority: 2 },
  { id: 'actions', width: 'w-[40px]' },
];

it.each([
  [880, ['time', 'input', 'output', 'passed', 'scale', 'cost', 'actions']],
  [879, ['time', 'input', 'output', 'passed', 'cost', 'actions']],
  [779, ['time', 'input', 'output', 'passed', 'actions']],
  [679, ['time', 'input', 'output', 'actions']],
  [100, ['time', 'input', 'output', 'actions']],
])('in %d px there is space for %j', (available, expected) =>
  expect(fittingColumns(COLUMNS, available).map(({ id }) => id)).toEqual(expected),
);

it('without a priority, columns of fixed width leave from the right', () => {
  const columns = COLUMNS.map(({ id, width }) => ({ id, ...(width !== undefined && { width }) }));
  expect(fittingColumns(columns, 779).map(({ id }) => id)).not.toContain('cost');
  expect(fittingColumns(columns, 779).map(({ id }) => id)).toContain('passed');
});
