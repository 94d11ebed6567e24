/** Deletions in a store whose statements take as long as over a network: commands end before they hold up all others. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { CommandMeter, storeOwner } from '../support/command-meter.ts';
import { openDatabase, temporaryFolder, Tenant } from '../support/storage.ts';

const TRACES = 12;
const STATEMENT_MS = 10;

/** Opens a store with traces of one user, and counts the commands that `run` calls. */
function slowStore(file: string) {
  let milliseconds = 0;
  const nap = new Int32Array(new SharedArrayBuffer(4));
  const database = openDatabase(file, () => {
    if (milliseconds > 0) Atomics.wait(nap, 0, 0, milliseconds);
  });
  const owner = storeOwner(database);
  for (let trace = 1; trace <= TRACES; trace += 1)
    new Tenant(database, 1).store([{ trace, id: 1, attributes: { 'user.id': 'ada' } }]);
  const meter = new CommandMeter(database);
  let calls = 0;
  const run = (name: Parameters<CommandMeter['run']>[0], args: unknown): unknown => {
    milliseconds = STATEMENT_MS;
    calls += 1;
    const result = meter.run(name, args);
    milliseconds = 0;
    return result;
  };
  return { database, owner, meter, run, calls: () => calls };
}

it('traces are deleted by several commands', () => {
  using folder = temporaryFolder();
  const { database, run, calls } = slowStore(folder.file('store.db'));
  let tkeys = database.all<{ tkey: number }>('SELECT tkey FROM trace').map(({ tkey }) => tkey);
  while (tkeys.length > 0) {
    const done = run('pruneTraces', { application: 1, tkeys, at: 1, rejectUntil: null }) as number;
    expect(done).toBeGreaterThan(0);
    tkeys = tkeys.slice(done);
  }
  expect(calls()).toBeGreaterThan(1);
});

it('an erasure is done by several commands, and counts each trace once', () => {
  using folder = temporaryFolder();
  const { database, owner, meter, run, calls } = slowStore(folder.file('store.db'));
  const id = randomUUID();
  const subject = { subjectType: 'user', value: 'ada', otherForms: [] };
  meter.run('createErasure', { owner, id, subject, actor: { type: 'key', id: 'k', name: 'k' }, at: 1 });
  for (let begun: number | null = null, isComplete = false; !isComplete; )
    ({ begun, isComplete } = run('eraseSome', { application: 1, id, at: 1, begun }) as {
      begun: number | null;
      isComplete: boolean;
    });
  expect(calls()).toBeGreaterThan(1);
  const { counts } = database.get<{ counts: string }>('SELECT counts FROM erasure') as { counts: string };
  expect(JSON.parse(counts)).toMatchObject({ traces: TRACES, spans: TRACES });
  expect(meter.count('SELECT count(*) AS n FROM trace')).toBe(0);
});
