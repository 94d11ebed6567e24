import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCommandLine } from '../../src/cli/run.ts';
import { SCHEMA_VERSION } from '../../src/storage/sqlite/migrate.ts';
import { makeOldFolder, OLD_SCHEMA, type OldFolder, stateOf } from '../support/old-store.ts';
import { startServer } from '../support/server.ts';
import { type Folder, temporaryFolder } from '../support/storage.ts';

let folder: Folder;
let data: string;
let store: string;
let told: OldFolder;
beforeEach(() => {
  folder = temporaryFolder();
  data = folder.file('data');
  store = `${data}/touchstone.db`;
  told = makeOldFolder(data);
});
afterEach(() => folder[Symbol.dispose]());

async function cli(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const ran = { code: -1, out: '', err: '' };
  ran.code = await runCommandLine([...args, '--data-dir', data], {
    env: {},
    out: (text) => (ran.out += text),
    err: (text) => (ran.err += text),
    isTerminal: false,
    program: 'touchstone',
  });
  return ran;
}

it('a store that was only migrated goes back to exactly what it was', async () => {
  const before = stateOf(store);
  expect(await cli('migrate', 'rollback')).toMatchObject({
    code: 1,
    err: `${store} has the schema ${OLD_SCHEMA}, and this version of Touchstone has ${SCHEMA_VERSION}: a rollback needs the version that made the last migration.\n`,
  });
  expect(JSON.parse((await cli('migrate', 'up', '--json')).out)).toMatchObject({
    migrated: { from: OLD_SCHEMA, to: SCHEMA_VERSION, snapshot: `${store}.before-${OLD_SCHEMA}` },
  });
  const status = await cli('migrate', 'status');
  expect(status.out).toContain(
    `has schema ${SCHEMA_VERSION}; this version of Touchstone has ${SCHEMA_VERSION}.`,
  );
  expect(status.out).toContain(`Snapshot of schema ${OLD_SCHEMA}: ${store}.before-${OLD_SCHEMA}, `);

  const { code, out, err } = await cli('migrate', 'rollback', '--json');
  expect([code, err]).toEqual([0, '']);
  const done = JSON.parse(out) as { replaced: string };
  expect(done).toMatchObject({ from: SCHEMA_VERSION, to: OLD_SCHEMA, lost: {}, traces: [] });
  expect(stateOf(store)).toEqual(before);
  expect(stateOf(`${done.replaced}/touchstone.db`).version).toBe(SCHEMA_VERSION);
  expect((await cli('migrate', 'rollback')).code).toBe(1);
});

it('newer rows need --discard; their traces are exported, and can be imported', async () => {
  const before = stateOf(store);
  const [reader] = told.readers as [OldFolder['readers'][number]];
  const config = {
    dataDir: data,
    bootstrapOrgId: 'org-1',
    bootstrapApplicationId: reader.ids.application,
    bootstrapApiKey: String(reader.headers['x-api-key']),
  };
  const traceId = '0123456789abcdef0123456789abcdef';
  const at = `${Date.now()}000000`;
  const span = { traceId, spanId: 'a'.repeat(16), name: 'newer', startTimeUnixNano: at, endTimeUnixNano: at };
  {
    const server = await startServer({ config });
    await server.call('POST', '/v1/traces', {
      body: { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] },
    });
    await server.call('POST', '/v0/tags', { body: { name: 'newer' } });
    await server.close();
  }
  const migrated = stateOf(store);
  const rejected = await cli('migrate', 'rollback', '--json');
  const { wouldLose } = JSON.parse(rejected.out) as { wouldLose: Record<string, number> };
  expect([rejected.code, wouldLose]).toEqual([1, expect.objectContaining({ trace: 1, tag: 1 })]);
  expect((await cli('migrate', 'rollback')).out).toContain('1 of trace, ');
  expect(stateOf(store)).toEqual(migrated);

  const { code, out } = await cli('migrate', 'rollback', '--discard');
  expect([code, out]).toEqual([0, expect.stringContaining(`from schema ${SCHEMA_VERSION} to ${OLD_SCHEMA}`)]);
  expect(stateOf(store)).toEqual(before);
  const file = `${data}/newer-than-${OLD_SCHEMA}-${reader.ids.application}.otlp.jsonl`;
  expect(existsSync(file)).toBe(true);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    resourceSpans: [{ scopeSpans: [{ spans: [span] }] }],
  });
});

it('a damaged snapshot is not used', async () => {
  await cli('migrate');
  writeFileSync(`${store}.before-${OLD_SCHEMA}`, 'nothing');
  const state = stateOf(store);
  expect((await cli('migrate', 'rollback', '--discard')).code).toBe(1);
  expect(stateOf(store)).toEqual(state);
});
