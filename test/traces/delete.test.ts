import { describe, expect, it } from 'vitest';
import { deleteTrace } from '../../src/traces/delete.ts';
import { commands } from '../../src/operations.ts';
import { pendingPurges } from '../../src/traces/purge.ts';
import { BASE_MS, traceBytes, uuid } from '../support/spans.ts';
import { openDatabase, temporaryFolder, Tenant, useStore } from '../support/storage.ts';

const { database, newTenant } = useStore();

describe('deleting a trace', () => {
  const PIECES = [
    'trace',
    'trace_preview',
    'trace_test',
    'trace_attr',
    'chunk',
    'span',
    'open_step',
    'closed_step',
    'rewrite',
    'purge',
  ];
  const resources = (application: number): number =>
    database().get<{ n: number }>('SELECT count(*) AS n FROM resource WHERE application = ?', application)
      ?.n ?? -1;

  it('is completed by the same request sent again', () => {
    const tenant = newTenant();
    const { application } = tenant;
    tenant.store([{ id: 1 }]);
    const remove = () =>
      deleteTrace(database(), { application, traceIds: [traceBytes(2), traceBytes(1)], at: BASE_MS });
    const deleted = remove();
    expect(tenant.count('chunk', deleted?.tkey ?? -1)).toBe(1);
    expect(remove()).toEqual(deleted);
    while (commands.purgeTrace(database(), { tkey: deleted?.tkey ?? -1 }));
    expect(tenant.count('chunk', deleted?.tkey ?? -1)).toBe(0);
    expect(remove()).toBeNull();
  });

  it('leaves nothing of it, and rejects what comes for it later', () => {
    const tenant = newTenant();
    const attributes = {
      'service.test.id': uuid(1),
      'input.value': 'secret',
      'llm.model_name': 'm',
      'tag.tags': ['t'],
    };
    tenant.store([
      { id: 1, attributes },
      { id: 2, attributes },
    ]);
    tenant.store([{ id: 2, name: 'other', attributes }]);
    const tkey = tenant.delete(1) ?? 0;
    for (const table of PIECES) expect([table, tenant.count(table, tkey)]).toEqual([table, 0]);
    expect(resources(tenant.application)).toBe(0);
    expect([tenant.read(1), tenant.spans(1), tenant.byTest(uuid(1)), tenant.list().data]).toEqual([
      null,
      null,
      null,
      [],
    ]);

    const late = tenant.store([
      { id: 3, attributes },
      { trace: 2, id: 1 },
    ]);
    expect(late).toMatchObject({ stored: 1, duplicate: 0, replaced: 0 });
    expect(late.rejected).toEqual([{ reason: 'deleted', spans: 1, traceId: traceBytes(1).toString('hex') }]);
    expect(tenant.read(1)).toBeNull();
    expect(tenant.ledger()).toMatchObject({ received: 5, stored: 3, replaced: 1, rejected: 1 });
    expect(resources(tenant.application)).toBe(1);
    expect(tenant.delete(1)).toBeNull();
  });

  it('keeps the resources that other traces name', () => {
    const tenant = newTenant();
    const shared = { 'service.name': 'shared' };
    tenant.store([
      { trace: 1, id: 1, resource: shared },
      { trace: 2, id: 1, resource: shared },
    ]);
    tenant.store([{ trace: 1, id: 2, resource: { 'service.name': 'own' } }]);
    expect(resources(tenant.application)).toBe(2);
    tenant.delete(1);
    expect(resources(tenant.application)).toBe(1);
    expect(tenant.spans(2, { payload: true })?.data).toMatchObject([{ resource: { attributes: shared } }]);
    tenant.delete(2);
    expect(resources(tenant.application)).toBe(0);
  });

  it('counts a resource right that one request names in two envelopes', () => {
    const tenant = newTenant();
    const [a, b] = [{ 'service.name': 'a' }, { 'service.name': 'b' }];
    tenant.store([
      { id: 1, resource: a },
      { id: 2, resource: b },
      { id: 3, resource: a },
    ]);
    tenant.store([{ trace: 2, id: 1, resource: a }]);
    tenant.rewrite(1);
    tenant.delete(1);
    expect(tenant.spans(2, { payload: true })?.data).toMatchObject([{ resource: { attributes: a } }]);
    tenant.delete(2);
    expect(resources(tenant.application)).toBe(0);
  });

  it('removes a large trace in steps, which continue after a restart', () => {
    using place = temporaryFolder();
    const file = place.file('store.db');
    const first = openDatabase(file);
    const tenant = new Tenant(first, 1);
    for (let batch = 0; batch < 600; batch++) tenant.store([{ id: batch + 1 }]);
    const tkey = deleteTrace(first, { application: 1, traceIds: [traceBytes(1)], at: BASE_MS })?.tkey ?? 0;
    expect(tenant.read(1)).toBeNull();
    expect(commands.purgeTrace(first, { tkey })).toBe(true);
    expect(tenant.count('chunk', tkey)).toBe(100);
    first.connection.close();

    const second = openDatabase(file);
    expect(pendingPurges(second, null)).toEqual([tkey]);
    expect(commands.purgeTrace(second, { tkey })).toBe(false);
    expect(pendingPurges(second, null)).toEqual([]);
    expect(second.all('SELECT * FROM chunk')).toEqual([]);
    expect(second.all('SELECT * FROM span')).toEqual([]);
    expect(second.all('SELECT * FROM resource')).toEqual([]);
    second.connection.close();
  });

  it('never gives its key to another trace, be it purged and the store reopened', () => {
    using place = temporaryFolder();
    const file = place.file('store.db');
    const keys: number[] = [];
    for (let round = 1; round <= 3; round++) {
      const reopened = openDatabase(file);
      const tenant = new Tenant(reopened, 1);
      for (const trace of [round * 10, round * 10 + 1]) {
        tenant.store([{ trace, id: 1 }]);
        keys.push(tenant.tkey(trace) ?? -1);
        tenant.delete(trace);
      }
      reopened.connection.close();
    }
    expect(keys).toEqual([...new Set(keys)].sort((a, b) => a - b));
  });

  it('finds the trace under the first of the ids it may have', () => {
    const tenant = newTenant();
    tenant.store([{ trace: 7, id: 1 }]);
    const traceIds = [traceBytes(8), traceBytes(7)];
    const args = { application: tenant.application, traceIds, at: BASE_MS };
    const deleted = deleteTrace(database(), args);
    expect(deleted?.traceId).toEqual(traceBytes(7));
    while (commands.purgeTrace(database(), { tkey: deleted?.tkey ?? -1 }));
    expect(deleteTrace(database(), args)).toBeNull();
    expect(tenant.store([{ trace: 8, id: 1 }]).rejected).toEqual([]);
  });
});
