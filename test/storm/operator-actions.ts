/** Actions of admins and operators. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { type Action, type Done, statusOf } from './action.ts';
import type { Fixture } from './fixture.ts';

const HOUR_MS = 3_600_000;
/** Time after which a trace is older than one day, whenever on its day it arrived. */
const RETENTION_MS = 50 * HOUR_MS;
const POLL_MS = 250;
const MAX_POLLS = 60;
const PASSWORD = 'correct horse battery';
const ROLES = ['viewer', 'annotator', 'editor', 'admin'];

async function createKey(fixture: Fixture): Promise<Done> {
  const { status, json } = await fixture.call('POST', '/v0/api-keys', {
    name: `Key ${fixture.hex(4)}`,
    scopes: ['ingest', 'read'],
  });
  const id = (json as { data?: { id: string } } | undefined)?.data?.id;
  if (id !== undefined) fixture.audited.push(id);
  return status;
}

async function revokeKey(fixture: Fixture): Promise<Done> {
  const id = fixture.pick(fixture.audited);
  return id === undefined ? 'skipped' : statusOf(fixture.call('DELETE', `/v0/api-keys/${id}`));
}

async function applicationPath(fixture: Fixture): Promise<string> {
  return `/v0/applications/${fixture.server.headers['x-application-id']}`;
}

async function invite(fixture: Fixture): Promise<Done> {
  const path = await applicationPath(fixture);
  const body = { email: `p${fixture.upTo(6)}@example.com`, role: fixture.pick(ROLES) };
  const { status, json } = await fixture.call('POST', `${path}/invitations`, body);
  const link = JSON.stringify(json ?? null);
  const [, token] = /#invitation=([^"\s\\]+)/.exec(link) ?? [];
  if (token === undefined) return status;
  return statusOf(
    fixture.call(
      'POST',
      '/v0/login/invitation',
      { token, name: 'Person', password: PASSWORD },
      { origin: fixture.server.url },
    ),
  );
}

async function onMember(fixture: Fixture, method: 'PUT' | 'DELETE'): Promise<Done> {
  const path = `${await applicationPath(fixture)}/members`;
  const { json } = await fixture.call('GET', path);
  const member = fixture.pick((json as { data?: { id: string }[] } | undefined)?.data ?? []);
  if (!member) return 'skipped';
  const body = method === 'PUT' ? { role: fixture.pick(ROLES) } : undefined;
  return statusOf(fixture.call(method, `${path}/${member.id}`, body));
}

async function replay(fixture: Fixture): Promise<Done> {
  const { json } = await fixture.call('GET', '/v0/webhook/deliveries?limit=50');
  const all = (json as { data?: { id: string; isSample: boolean }[] } | undefined)?.data ?? [];
  // Of the others, only those of failed tests can be replayed.
  const samples = all.filter(({ isSample }) => isSample);
  const delivery = fixture.pick(fixture.random() < 0.5 && samples.length > 0 ? samples : all);
  return delivery
    ? statusOf(fixture.call('POST', `/v0/webhook/deliveries/${delivery.id}/replay`))
    : 'skipped';
}

async function restart(fixture: Fixture, signal: 'SIGKILL' | 'SIGTERM'): Promise<Done> {
  const how = await fixture.server.stop(signal);
  if (signal === 'SIGTERM' && how !== 0) fixture.faults.push(`SIGTERM ended the server with ${how}`);
  await fixture.server.start();
  return 200;
}

async function loadExampleData(fixture: Fixture): Promise<Done> {
  const created = await fixture.call('POST', '/v0/applications', {
    title: `Examples ${fixture.hex(4)}`,
    type: 'AGENT',
  });
  const { data, apiKey } = (created.json ?? {}) as { data?: { id: string }; apiKey?: { key: string } };
  if (!data || !apiKey) return created.status;
  const path = `/v0/applications/${data.id}/example-data`;
  const headers = { 'x-api-key': apiKey.key, 'x-application-id': data.id };
  fixture.exampleApplications.push({ path, headers });
  return statusOf(fixture.call('POST', path, undefined, headers));
}

async function removeExampleData(fixture: Fixture): Promise<Done> {
  const chosen = fixture.pick(fixture.exampleApplications);
  return chosen ? statusOf(fixture.call('DELETE', chosen.path, undefined, chosen.headers)) : 'skipped';
}

/** Lets retention delete what arrived until now, as far as nothing pins it. */
async function deleteByAge(fixture: Fixture): Promise<Done> {
  const alive = fixture.traces.filter(({ isDeleted }) => !isDeleted);
  if (alive.length === 0) return 'skipped';
  // A server that runs does not believe such a jump of its clock, and deletes nothing.
  fixture.server.shiftClock(fixture.server.shiftMs + RETENTION_MS);
  await restart(fixture, 'SIGTERM');
  const since = fixture.now;
  const { status } = await fixture.call('PUT', '/v0/retention', { days: 1 });
  const storedIds = (): Set<string> => {
    const store = new Sqlite(fixture.store, { readonly: true });
    try {
      const ids = store.prepare<[], string>('SELECT lower(hex(trace_id)) FROM trace').pluck().all();
      return new Set(ids);
    } finally {
      store.close();
    }
  };
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    const { json } = await fixture.call('GET', '/v0/retention');
    const lastRun = (json as { data?: { lastRun: { at: string } | null } } | undefined)?.data?.lastRun;
    if (lastRun && Date.parse(lastRun.at) >= since) break;
    await delay(POLL_MS);
  }
  await fixture.call('PUT', '/v0/retention', { days: null, maxBytes: null });
  const stored = storedIds();
  const gone = new Set(alive.filter(({ id }) => !stored.has(id)));
  fixture.expired.push(...gone);
  fixture.traces = fixture.traces.filter((trace) => !gone.has(trace));
  return gone.size > 0 ? status : 'skipped';
}

async function changePrices(fixture: Fixture): Promise<Done> {
  const price = { input: 1 + fixture.upTo(9), output: 1 + fixture.upTo(9) };
  writeFileSync(fixture.pricesFile, JSON.stringify({ 'model-a': price, 'model-b': price }));
  return restart(fixture, 'SIGTERM');
}

export const operatorActions: readonly Action[] = [
  { name: 'create a key', weight: 2, run: createKey },
  { name: 'revoke a key', weight: 1, run: revokeKey },
  { name: 'invite a person', weight: 2, run: invite },
  { name: 'change a role', weight: 2, run: (fixture) => onMember(fixture, 'PUT') },
  { name: 'remove a person', weight: 1, run: (fixture) => onMember(fixture, 'DELETE') },
  {
    name: 'rotate the secret',
    weight: 2,
    run: (fixture) => statusOf(fixture.call('POST', '/v0/webhook/rotate-secret')),
  },
  {
    name: 'break or mend the app',
    weight: 2,
    run: async (fixture) => {
      fixture.appWorks(fixture.random() < 0.6);
      return 200;
    },
  },
  {
    name: 'test the webhook',
    weight: 1,
    run: (fixture) => statusOf(fixture.call('POST', '/v0/webhook/test')),
  },
  { name: 'replay a delivery', weight: 2, run: replay },
  {
    name: 'limit what is kept',
    weight: 1,
    run: (fixture) =>
      statusOf(
        fixture.call(
          'PUT',
          '/v0/retention',
          fixture.random() < 0.5 ? { days: 1 + fixture.upTo(90) } : { days: null, maxBytes: null },
        ),
      ),
  },
  {
    name: 'let time pass',
    weight: 3,
    run: async (fixture) => {
      fixture.server.shiftClock(fixture.server.shiftMs + Math.round((0.1 + fixture.random()) * HOUR_MS));
      return 200;
    },
  },
  {
    name: 'load example data',
    weight: 1,
    run: loadExampleData,
  },
  {
    name: 'remove example data',
    weight: 1,
    run: removeExampleData,
  },
  {
    name: 'back up',
    weight: 1,
    run: async (fixture) =>
      (await fixture.command('backup', join(fixture.folder, 'backup'), '--overwrite')) === 0 ? 200 : 500,
  },
  {
    name: 'map traces again',
    weight: 1,
    run: async (fixture) => ((await fixture.command('remap')) === 0 ? 200 : 500),
  },
  {
    name: 'run doctor',
    weight: 1,
    run: async (fixture) => ((await fixture.command('doctor')) >= 0 ? 200 : 500),
  },
  { name: 'delete by age', weight: 1, run: deleteByAge },
  { name: 'change prices', weight: 1, run: changePrices },
  { name: 'restart', weight: 1, run: (fixture) => restart(fixture, 'SIGTERM') },
];

/** Chosen only with `--kill`. */
export const killAction: Action = {
  name: 'kill -9',
  weight: 4,
  run: (fixture) => restart(fixture, 'SIGKILL'),
};
