/** Actions of admins and operators. */
import { join } from 'node:path';
import { type Action, type Done, statusOf } from './action.ts';
import type { Fixture } from './fixture.ts';

const HOUR_MS = 3_600_000;
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
  const delivery = fixture.pick((json as { data?: { id: string }[] } | undefined)?.data ?? []);
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
    run: async (fixture) => statusOf(fixture.call('POST', `${await applicationPath(fixture)}/example-data`)),
  },
  {
    name: 'remove example data',
    weight: 1,
    run: async (fixture) =>
      statusOf(fixture.call('DELETE', `${await applicationPath(fixture)}/example-data`)),
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
  { name: 'restart', weight: 1, run: (fixture) => restart(fixture, 'SIGTERM') },
];

/** Chosen only with `--kill`. */
export const killAction: Action = {
  name: 'kill -9',
  weight: 4,
  run: (fixture) => restart(fixture, 'SIGKILL'),
};
