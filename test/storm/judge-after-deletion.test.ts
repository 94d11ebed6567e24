import { expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { Fixture } from './fixture.ts';
import { changedVerdicts, type Verdicts } from './judge-after-deletion.ts';
import { ACTIONS } from './run.ts';

it('judging again after a deletion deletes the traces of a test, and its verdict stays', async () => {
  await using fixture = await Fixture.open(1);
  const created = await fixture.call('POST', '/v0/definitions', {
    name: 'Says Paris',
    type: 'ASSERT',
    globalConfig: { assertions: [{ type: 'contains', value: 'Paris' }] },
  });
  expect(created.status, created.text).toBe(201);
  const definition = await fixture.idOf('/v0/definitions');
  const task = await fixture.idOf('/v0/tasks');
  await fixture.call('POST', '/v0/definitions/link', { evalIds: [definition], taskIds: [task] });
  await fixture.call('POST', '/v0/tasks/trigger', { taskIds: [task] });
  const completed = await until(
    () => fixture.list('/v0/tests?status=COMPLETED'),
    ({ length }) => length > 0,
  );
  const id = String(completed[0]?.['id']);
  const traces = (): ReturnType<Fixture['list']> => fixture.list(`/v0/traces?testId=${id}`, 'timestamp');
  expect(await traces()).not.toEqual([]);
  const action = ACTIONS.find(({ name }) => name === 'judge again after a deletion');
  expect(await action?.run(fixture)).toBe(200);
  expect(await traces()).toEqual([]);
  expect(fixture.faults).toEqual([]);
  expect(await fixture.list(`/v0/evals?testId=${id}`)).toMatchObject([
    { status: 'COMPLETED', passed: true, version: 1 },
  ]);
}, 120_000);

it.each<[name: string, after: Verdicts, changed: string[]]>([
  ['is as before', new Map([['a', true]]), []],
  ['is another', new Map([['a', false]]), ['a']],
  ['is removed', new Map(), ['a']],
  ['is replaced by a newer one', new Map([['b', true]]), ['a', 'b']],
  [
    'is joined by a new one',
    new Map([
      ['a', true],
      ['b', null],
    ]),
    ['b'],
  ],
])('a verdict that %s', (_name, after, changed) => {
  expect(changedVerdicts(new Map([['a', true]]), after)).toEqual(changed);
});
