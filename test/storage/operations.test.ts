import { expect, it } from 'vitest';
import { commands } from '../../src/operations.ts';
import { sourcesOf } from '../support/sources.ts';
import {
  type Commands,
  locking,
  lockingAsInner,
  lockOf,
  mergeHooks,
  mergeOperations,
  needsSavepoint,
  withHooks,
  withoutSavepoint,
} from '../../src/storage/operations.ts';

const LOCKS = new Set(['trace', 'application', 'jobs', 'people', 'attempts', 'leader', 'inner']);

const read = (): string => 'read';
const write = (): string => 'write';

it('merges sets of operations', () => {
  expect(mergeOperations({ read }, { write })).toEqual({ read, write });
});

it('rejects a name that two sets use', () => {
  expect(() => mergeOperations({ read, write }, { write: read })).toThrow('Two operations are named write');
});

it('merges hooks by name, in the order of the features', () => {
  const [first, second, other] = [(): string => 'first', (): string => 'second', (): string => 'other'];
  const hooks: Record<'onEnd' | 'onBegin', readonly (() => string)[]> = mergeHooks(
    { onEnd: [first] },
    { onBegin: [other] },
    { onEnd: [second] },
  );
  expect(hooks).toEqual({ onEnd: [first, second], onBegin: [other] });
});

it('a hook that no feature has is no hook', () => {
  // @ts-expect-error: nothing is there to be called.
  const hooks: { onEnd: readonly unknown[] } = mergeHooks({ onBegin: [read] });
  expect(hooks.onEnd).toBeUndefined();
});

it('a command that calls hooks gets those that there are when it runs', () => {
  const hooks: { onEnd: readonly ((end: number) => void)[] } = { onEnd: [] };
  const ends: number[] = [];
  const end = (_database: unknown, at: number, { onEnd }: typeof hooks): number => {
    for (const call of onEnd) call(at);
    return at;
  };
  const command = withHooks(hooks)(end);
  hooks.onEnd = [(at) => void ends.push(at)];
  expect(command(undefined as never, 7)).toBe(7);
  expect(ends).toEqual([7]);
});

it('every command declares what it locks', () => {
  const undeclared = Object.entries<Partial<Commands[string]>>(commands)
    .filter(([, { lock }]) => lock === undefined || !LOCKS.has(lock))
    .map(([name]) => name);
  expect(undeclared).toEqual([]);
});

it('only commands of the leader may change any record', () => {
  const ofLeader = Object.entries(commands as Commands)
    .filter(([, { lock }]) => lock === 'leader')
    .map(([name]) => name);
  expect(ofLeader.toSorted()).toEqual([
    'catchUpSchedules',
    'correctFutureTimes',
    'dropTombstones',
    'dropWaitingLogs',
    'fillOutcomes',
    'indexEarlierResponses',
    'noteArrivedSpans',
    'noteLiveSessions',
    'noteLiveTraces',
    'planMonitoring',
    'planSessions',
    'purgeLogins',
    'recoverDeliveries',
    'releasePages',
    'replanSchedules',
    'runDueSchedules',
    'saveMetrics',
    'settledTraceKey',
  ]);
});

it('a command that runs another one locks what that one locks, also when it runs a third', () => {
  const run = (_database: unknown, _args: { command: string; args: unknown }): void => undefined;
  const declared = {
    ...lockingAsInner({ run }),
    ...locking('people', { write }),
  } as Commands;
  const args = { command: 'run', args: { command: 'write', args: 7 } };
  expect(lockOf(declared, 'run', args)).toEqual({ lock: 'people', args: 7 });
  expect(() => lockOf(declared, 'run', { command: 'toString', args: 0 })).toThrow('no command toString');
  const change = { application: 1, id: 'a', at: 0 };
  expect(lockOf(commands as Commands, 'audited', { command: 'cancelTest', args: change })).toEqual({
    lock: 'application',
    args: change,
  });
});

it('no command that runs others declares a lock of its own', () => {
  const running = [...sourcesOf('src')].filter(
    ([path, source]) => source.includes('findOperation(') && !/^src\/(?:storage|workers)\//.test(path),
  );
  expect(running.map(([path]) => path)).toEqual(['src/people/audit-store.ts']);
  const declarations = running.flatMap(([, source]) => source.split(/(?=\blocking(?:AsInner)?\()/));
  const locked = declarations.filter((text) => text.includes('findOperation('));
  expect(locked).toHaveLength(1);
  expect(locked[0]).toMatch(/^lockingAsInner\(/);
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
