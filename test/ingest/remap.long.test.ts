import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { countOutdated, type RemapStep, remapTraces } from '../../src/ingest/remap.ts';
import { setOwnRules } from '../../src/traces/own-rules/store.ts';
import { createPriceList } from '../../src/traces/prices/price-list.ts';
import { type SpanSpec, type Values } from '../support/spans.ts';
import { openDatabase, temporaryFolder, Tenant, useStore } from '../support/storage.ts';

const { database, newTenant } = useStore();
const prices = createPriceList();
const remapAll = (): Iterable<RemapStep> => remapTraces(database(), prices);

const span = (trace: number, id: number): SpanSpec => ({
  trace,
  id,
  name: `span ${id}`,
  attributes: {
    'input.value': `in ${trace} ${id}`,
    'llm.model_name': `model ${trace}`,
    'gen_ai.usage.input_tokens': trace,
    'tag.tags': [`tag ${trace}`],
  },
});

/** Makes a trace what a version without any rules would have made of it. */
function forget(tenant: Tenant, trace: number): void {
  const tkey = tenant.tkey(trace) ?? 0;
  database().run(
    `UPDATE trace SET rule_set = 0, input_tokens = 0, kinds = 0, models = '[]', root_name = '?' WHERE tkey = ?`,
    tkey,
  );
  database().run('DELETE FROM trace_attr WHERE tkey = ?', tkey);
}

const shown = (tenant: Tenant, trace: number): unknown => ({
  read: tenant.read(trace),
  spans: tenant.spans(trace, { payload: true }),
  tagged: tenant.list({ tag: [`tag ${trace}`] }).pagination.total,
});

const outcomes = (steps: Iterable<RemapStep>): Record<number, string> =>
  Object.fromEntries([...steps].map(({ tkey, outcome }) => [tkey, outcome]));

/**
 * Runs something before the n-th transaction from now on. A trace takes two, to be loaded and to be stored; one that is
 * retried takes three more: one around those two.
 */
function before(events: Readonly<Record<number, () => void>>): Disposable & { happened: () => number } {
  const { connection } = database();
  const transaction = connection.transaction.bind(connection);
  let count = 0;
  let happened = 0;
  const intercepted = ((work: () => unknown) => {
    const event = events[++count];
    if (event) {
      happened += 1;
      connection.transaction = transaction;
      event();
      connection.transaction = intercepted;
    }
    return transaction(work);
  }) as typeof transaction;
  connection.transaction = intercepted;
  return {
    happened: () => happened,
    [Symbol.dispose]: () => {
      connection.transaction = transaction;
    },
  };
}

describe('remapping', () => {
  it('maps what older rules gave again, from the oldest on, and leaves all other traces alone', () => {
    const tenant = newTenant();
    tenant.store([1, 2, 3].flatMap((trace) => [span(trace, 1), span(trace, 2)]));
    const asMapped = [1, 2, 3].map((trace) => shown(tenant, trace));
    for (const trace of [1, 2, 3]) forget(tenant, trace);
    database().run('UPDATE trace SET rule_set = 1000 WHERE tkey = ?', tenant.tkey(3) ?? 0);
    const forgotten = shown(tenant, 3);
    expect(countOutdated(database(), 10)).toBe(2);
    expect(countOutdated(database(), 1)).toBe(1);

    expect([...remapAll()]).toEqual(
      [1, 2].map((trace) => ({ tkey: tenant.tkey(trace), outcome: 'mapped', reason: '' })),
    );
    expect([1, 2, 3].map((trace) => shown(tenant, trace))).toEqual([asMapped[0], asMapped[1], forgotten]);
    expect(countOutdated(database(), 10)).toBe(0);
    expect([...remapAll()]).toEqual([]);
  });

  const call = (id: number, scope: string, more: Values = {}): SpanSpec => ({
    id,
    parent: 1,
    scope,
    attributes: {
      'llm.model_name': 'gpt-5-mini',
      'gen_ai.usage.input_tokens': 196,
      'gen_ai.usage.output_tokens': 40,
      ...more,
    },
  });
  const response = { 'gen_ai.response.id': 'r' };
  it.each<[rule: string, second: SpanSpec]>([
    ['siblings', call(3, 'b')],
    ['of one response', call(3, 'b', response)],
    ['below another span', { ...call(3, 'b', response), parent: 4 }],
  ])('counts a call that two instrumentations report once, as at ingest: %s', (_rule, second) => {
    const tenant = newTenant();
    const root = { id: 1, name: 'agent' };
    const spans = [root, call(2, 'a', response), second, { id: 4, parent: 1 }];
    tenant.store(spans.map((one) => ({ ...one, trace: 1 })));
    for (const one of spans) tenant.store([{ ...one, trace: 2 }]);
    const sums = (trace: number): unknown => {
      const { usage, cost } = tenant.read(trace) as unknown as { usage: object; cost: number };
      return { usage, cost };
    };
    const [together, apart] = [sums(1), sums(2)];
    expect(together).toMatchObject({ usage: { promptTokens: 196, completionTokens: 40 } });
    expect(apart).toEqual(together);
    for (const trace of [1, 2]) forget(tenant, trace);
    database().run('UPDATE trace SET input_tokens = 392, output_tokens = 80, cost = 1');
    expect([...remapAll()]).toHaveLength(2);
    expect([sums(1), sums(2)]).toEqual([together, together]);
  });

  it('goes through more traces than it requests at once', () => {
    const tenant = newTenant();
    const ids = Array.from({ length: 1_300 }, (_, index) => index + 1);
    tenant.store(ids.map((trace) => span(trace, 1)));
    const outdated = database().run(
      'UPDATE trace SET rule_set = 0 WHERE application = ? AND tkey % 6 <> 0',
      tenant.application,
    );
    const steps = [...remapAll()];
    expect(outdated).toBeGreaterThan(1_000);
    expect(steps).toHaveLength(outdated);
    expect(new Set(steps.map(({ tkey }) => tkey)).size).toBe(outdated);
    expect(countOutdated(database(), 10)).toBe(0);
  });

  it('continues with the rest when it was broken off', () => {
    const tenant = newTenant();
    tenant.store([span(1, 1), span(2, 1), span(3, 1)]);
    for (const trace of [1, 2, 3]) forget(tenant, trace);
    for (const { tkey } of remapAll()) if (tkey === tenant.tkey(2)) break;
    expect(outcomes(remapAll())).toEqual({ [tenant.tkey(3) ?? 0]: 'mapped' });
  });

  it('tries a trace again when spans arrived meanwhile, keeping others from writing then', () => {
    const tenant = newTenant();
    tenant.store([span(1, 1), span(2, 1)]);
    for (const trace of [1, 2]) forget(tenant, trace);
    const server = new Sqlite(database().connection.name, { timeout: 0 });
    using events = before({
      2: () => tenant.store([span(1, 2)]),
      // Of the second trace, and then of the first one again.
      4: () => server.exec('BEGIN IMMEDIATE; COMMIT'),
      7: () => expect(() => server.exec('BEGIN IMMEDIATE')).toThrow('locked'),
    });
    expect([...remapAll()].map(({ tkey, outcome }) => [tkey, outcome])).toEqual([
      [tenant.tkey(2), 'mapped'],
      [tenant.tkey(1), 'mapped'],
    ]);
    expect(events.happened()).toBe(3);
    server.close();
    expect(tenant.read(1)).toMatchObject({ spanCount: 2, rootName: 'span 1', usage: { promptTokens: 2 } });
    expect(tenant.spans(1)?.data).toHaveLength(2);
  });

  it('passes over a trace that is deleted meanwhile', () => {
    const tenant = newTenant();
    tenant.store([span(1, 1), span(2, 1)]);
    for (const trace of [1, 2]) forget(tenant, trace);
    const [first, second] = [tenant.tkey(1) ?? 0, tenant.tkey(2) ?? 0];
    using events = before({ 2: () => tenant.delete(1) });
    expect(outcomes(remapAll())).toEqual({ [first]: 'deleted', [second]: 'mapped' });
    expect(events.happened()).toBe(1);
    expect(tenant.read(1)).toBeNull();
    expect(tenant.count('chunk', first)).toBe(0);
  });

  it('tries a trace again when the store was written to just as it was found to be too large', () => {
    using folder = temporaryFolder();
    const file = folder.file('store.db');
    const writes: string[] = [];
    const own = openDatabase(file, (sql) => {
      if (!sql.startsWith('DELETE FROM rewrite')) return;
      writes.push(sql);
      server.exec(`INSERT INTO organisation VALUES ('acme', 1)`);
    });
    const server = new Sqlite(file);
    const tenant = new Tenant(own, 1);
    tenant.store([span(1, 1)]);
    own.run(`UPDATE chunk SET payload = zeroblob(33 * 1048576)`);
    own.run('UPDATE trace SET rule_set = 0');
    expect(outcomes(remapTraces(own, prices))).toEqual({ [tenant.tkey(1) ?? 0]: 'tooLarge' });
    expect(writes).toHaveLength(1);
    server.close();
    own.connection.close();
  });

  it('leaves a trace of more spans than a request may have as it is', () => {
    const tenant = newTenant();
    const half = Array.from({ length: 65_537 }, (_, index) => index + 1);
    tenant.store(half.map((id) => ({ id })));
    tenant.store(half.map((id) => ({ id: id + 65_537 })));
    forget(tenant, 1);
    expect(outcomes(remapAll())).toEqual({ [tenant.tkey(1) ?? 0]: 'tooLarge' });
    tenant.delete(1);
  });

  it('leaves a trace of more than 32 MiB and a damaged one as they are, and continues', () => {
    const tenant = newTenant();
    tenant.store([span(1, 1), span(2, 1), span(3, 1)]);
    for (const trace of [1, 2, 3]) forget(tenant, trace);
    const [large, damaged, good] = [1, 2, 3].map((trace) => tenant.tkey(trace) ?? 0) as [
      number,
      number,
      number,
    ];
    database().run(
      `INSERT INTO chunk SELECT application, tkey, seq + 1000, skeleton, zeroblob(33 * 1048576) FROM chunk
       WHERE tkey = ?`,
      large,
    );
    database().run(`UPDATE chunk SET payload = x'09' WHERE tkey = ?`, damaged);
    const steps = [...remapAll()];
    expect(outcomes(steps)).toEqual({ [large]: 'tooLarge', [damaged]: 'failed', [good]: 'mapped' });
    expect(steps.find(({ tkey }) => tkey === damaged)?.reason).not.toBe('');
    expect(countOutdated(database(), 10)).toBe(2);
    database().run('UPDATE trace SET rule_set = 1000');
  });
});

it('maps traces again after the own rules of their application have changed, once, and no others', () => {
  const [tenant, other] = [newTenant(), newTenant()];
  const attributes = { 'acme.model': 'acme-1', 'acme.in': 1000 };
  for (const one of [tenant, other]) one.store([{ trace: 1, id: 1, name: 'call', attributes }]);
  expect(countOutdated(database(), 10)).toBe(0);
  const set = (part: 'mappings' | 'prices', content: unknown): void => {
    const { application } = tenant;
    setOwnRules(database(), { application, part, content: JSON.stringify(content), at: 1 });
  };
  set('mappings', [
    { key: 'acme.model', field: 'model' },
    { key: 'acme.in', field: 'inputTokens' },
  ]);
  expect(countOutdated(database(), 10)).toBe(1);
  expect(outcomes(remapAll())).toEqual({ [tenant.tkey(1) ?? 0]: 'mapped' });
  expect(countOutdated(database(), 10)).toBe(0);
  expect(tenant.read(1)).toMatchObject({ models: ['acme-1'], cost: null });
  set('prices', { 'acme-1': { input: 3, output: 0 } });
  expect([...remapAll()]).toHaveLength(1);
  expect(tenant.read(1)).toMatchObject({ cost: 0.003 });
  expect([...remapAll()]).toHaveLength(0);
});

it('has nothing to do after a caller has ended with the last trace of an application with own rules', () => {
  const tenant = newTenant();
  tenant.store([1, 2, 3].map((trace) => ({ trace, id: 1, attributes: { 'acme.model': 'acme-1' } })));
  const { application } = tenant;
  const rules = [{ key: 'acme.model', field: 'model' }];
  setOwnRules(database(), { application, part: 'mappings', content: JSON.stringify(rules), at: 1 });
  let steps = 0;
  for (const { outcome } of remapAll()) {
    expect(outcome).toBe('mapped');
    if (++steps === 2) break;
  }
  expect(countOutdated(database(), 10)).toBe(1);
  const [rest] = remapAll();
  expect(rest?.outcome).toBe('mapped');
  expect(countOutdated(database(), 10)).toBe(0);
});
