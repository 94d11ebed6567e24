import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../src/people/audit-contract.ts';
import type { Login } from '../../src/people/login-contract.ts';
import type { Member } from '../../src/people/member-contract.ts';
import { besideServer } from '../support/beside-store.ts';
import { addPerson, type Person } from '../support/people.ts';
import { type Reply, startServer, type Tenant, type TestServer } from '../support/server.ts';

const PASSWORD = 'correct horse battery';
const NO_KEY = { 'x-api-key': null, 'x-application-id': null };

let server: TestServer;
let boss: Person;
beforeAll(async () => {
  server = await startServer();
  boss = addPerson(server, server, { role: 'admin', name: 'Boss' });
});
afterAll(() => server.close());

/** Calls from the browser of a person. */
const as = (
  { headers }: Pick<Person, 'headers'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Reply> =>
  server.call(method, path, { headers: { ...NO_KEY, ...headers }, ...(body !== undefined && { body }) });

const path = (rest: string, { applicationId }: Tenant = server): string =>
  `/v0/applications/${applicationId}/${rest}`;

async function invite(email: string, role = 'viewer', tenant: Tenant = server): Promise<string> {
  const { headers } = tenant;
  const { json, text } = await server.call('POST', path('invitations', tenant), {
    headers,
    body: { email, role },
  });
  const { link } = json as { link: string };
  expect(link, text).toContain('/#invitation=');
  return link.split('=')[1] as string;
}
const accept = (token: string, password = PASSWORD, name = 'Grace'): Promise<Reply> =>
  server.call('POST', '/v0/login/invitation', { headers: NO_KEY, body: { token, name, password } });

async function membersOf(): Promise<Member[]> {
  return (await server.ok('GET', `/v0/applications/${server.applicationId}/members`)).data;
}

describe('an invitation', () => {
  it('makes a member with a new account, once', async () => {
    const token = await invite('grace@example.com', 'editor');
    const { status, json } = await accept(token);
    expect([status, (json as Login).applications[0]?.role]).toEqual([200, 'editor']);
    expect((await accept(token)).status).toBe(403);
    expect((await membersOf()).map(({ email, role }) => `${email} ${role}`)).toContain(
      'grace@example.com editor',
    );
  });

  it('to an address with an account needs its password, so that no other person takes the account over', async () => {
    const other = await server.newTenant({ orgId: 'org-2' });
    const token = await invite('grace@example.com', 'viewer', other);
    expect((await accept(token, 'a password of the admin')).status).toBe(401);
    const { json } = await accept(token, PASSWORD, 'Renamed');
    const { user, applications } = json as Login;
    expect(user?.name).toBe('Grace');
    expect(applications.map(({ role }) => role)).toEqual(['editor', 'viewer']);
  });

  it('to an account of another organisation ends what was signed in before', async () => {
    const theirs = await server.newTenant({ orgId: 'org-3' });
    const { json, headers } = await accept(await invite('late@example.com', 'viewer'));
    const cookie = headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    const before = { cookie, 'x-csrf': (json as Login).csrf };
    const read = (): Promise<Reply> => server.call('GET', '/v0/login', { headers: { ...NO_KEY, ...before } });
    expect((await accept(await invite('late@example.com', 'viewer', theirs))).status).toBe(200);
    expect((await read()).status).toBe(401);
  });

  it('is void after a newer one, and is not made for a member', async () => {
    const first = await invite('new@example.com');
    await invite('New@example.com');
    expect((await accept(first)).status).toBe(403);
    const reply = await server.call('POST', path('invitations'), {
      body: { email: 'grace@example.com', role: 'viewer' },
    });
    expect(reply.status).toBe(409);
  });
});

describe('an invitation', () => {
  const INVITATIONS = () => `/v0/applications/${server.applicationId}/invitations` as const;

  it('is listed without its link until it is revoked, which ends its link', async () => {
    const token = await invite('revoked@example.com');
    const { data } = await server.ok('GET', INVITATIONS());
    const invitation = data.find(({ email }) => email === 'revoked@example.com');
    expect(Object.keys(invitation ?? {})).toEqual(['id', 'email', 'role', 'createdAt', 'expiresAt']);
    await server.ok('DELETE', `${INVITATIONS()}/${invitation?.id ?? ''}`);
    expect((await accept(token)).status).toBe(403);
    expect((await server.ok('GET', INVITATIONS())).data.map(({ id }) => id)).not.toContain(invitation?.id);
  });
});

describe('a person', () => {
  it('changes the own password with the current one', async () => {
    const { json, headers } = await accept(await invite('changes@example.com'));
    const cookie = headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    const own = { headers: { cookie, 'x-csrf': (json as Login).csrf } };
    const newPassword = 'another long password';
    const change = async (currentPassword: string): Promise<number> => {
      const body = { currentPassword, newPassword };
      return (await as(own, 'PUT', '/v0/login/password', body)).status;
    };
    const signIn = async (password: string): Promise<number> => {
      const body = { email: 'changes@example.com', password };
      return (await server.call('POST', '/v0/login', { headers: NO_KEY, body })).status;
    };
    expect(await change('a wrong password')).toBe(422);
    expect(await change(PASSWORD)).toBe(200);
    expect([await signIn(PASSWORD), await signIn(newPassword)]).toEqual([401, 200]);
  });
});

describe('roles', () => {
  it('change what a signed-in member may do at once', async () => {
    const member = addPerson(server, server, { role: 'viewer', name: 'Member' });
    const create = () => as(member, 'POST', '/v0/tags', { name: 'Urgent' });
    expect((await create()).json).toEqual({ message: 'Your role lacks the scope "write"' });
    await as(boss, 'PUT', path(`members/${member.id}`), { role: 'editor' });
    expect((await create()).status).toBe(201);
    await as(boss, 'DELETE', path(`members/${member.id}`));
    expect((await create()).status).toBe(403);
  });

  it('leave an application its last admin', async () => {
    const tenant = await server.newTenant();
    const alone = addPerson(server, tenant, { role: 'admin' });
    const one = path(`members/${alone.id}`, tenant);
    expect((await as(alone, 'PUT', one, { role: 'viewer' })).status).toBe(409);
    expect((await as(alone, 'DELETE', one)).status).toBe(409);
    addPerson(server, tenant, { role: 'admin' });
    expect((await as(alone, 'DELETE', one)).status).toBe(204);
  });

  it('make whoever creates an application its admin', async () => {
    const { json } = await as(boss, 'POST', '/v0/applications', { title: 'New', type: 'AGENT' });
    const { id } = (json as { data: { id: string } }).data;
    const login = (await as(boss, 'GET', '/v0/login')).json as Login;
    expect(login.applications.find((application) => application.id === id)?.role).toBe('admin');
  });

  it('are admins of an application that a key creates if they are admins of every other one', async () => {
    const own = await startServer();
    const people = [addPerson(own, own, { role: 'admin' }), addPerson(own, own, { role: 'editor' })] as const;
    const counts = (): Promise<number[]> =>
      Promise.all(
        people.map(async ({ headers }) => {
          const { json } = await own.call('GET', '/v0/login', { headers: { ...NO_KEY, ...headers } });
          return (json as Login).applications.length;
        }),
      );
    const create = (): Promise<Reply> =>
      own.call('POST', '/v0/applications', { body: { title: 'By key', type: 'AGENT' } });
    await create();
    expect(await counts()).toEqual([2, 1]);
    await own.newTenant();
    await create();
    expect(await counts()).toEqual([2, 1]);
    await own.close();
  });
});

describe('an annotator', () => {
  let traceId: string;
  beforeAll(async () => {
    const event = { type: 'trace', timestamp: new Date().toISOString(), input: 'Hello', output: 'Hi' };
    const { json } = await server.call('POST', '/v0/ingest', { body: { events: [event] } });
    traceId = (json as { data: [{ id: string }] }).data[0].id;
  });
  const judge = async (person: Person | null): Promise<{ id: string; annotatorId: string }> => {
    const body = { traceId, verdict: true, source: 'TRACE_PAGE', annotatorId: 'somebody' };
    const { json, text, status } = person
      ? await as(person, 'POST', '/v0/human-annotations', body)
      : await server.call('POST', '/v0/human-annotations', { body });
    expect(status, text).toBe(201);
    return (json as { data: { id: string; annotatorId: string } }).data;
  };

  it('judges under the own id, whatever the body says', async () => {
    const ann = addPerson(server, server, { role: 'annotator' });
    expect((await judge(ann)).annotatorId).toBe(ann.id);
    expect((await judge(null)).annotatorId).toBe('somebody');
  });

  it('is named by no key: neither a member nor another key, nor anyone by a key that only annotates', async () => {
    const by = async (annotatorId: string | undefined, headers = server.headers): Promise<number> => {
      const body = {
        traceId,
        verdict: true,
        source: 'TRACE_PAGE',
        ...(annotatorId !== undefined && { annotatorId }),
      };
      return (await server.call('POST', '/v0/human-annotations', { headers, body })).status;
    };
    const ann = addPerson(server, server, { role: 'annotator', name: 'Ann' });
    const annotating = await server.newKey(['annotate']);
    const ownId = String(annotating['x-api-key']).split('_')[1];
    expect(await by(ann.id)).toBe(403);
    expect(await by(ann.email.toUpperCase())).toBe(403);
    expect(await by(ownId)).toBe(403);
    expect(await by('somebody', annotating)).toBe(403);
    expect(await by(ownId, annotating)).toBe(201);
    expect(await by(undefined, annotating)).toBe(201);
  });

  it('is named by no key: nor anyone who was a member, is one elsewhere, or is invited', async () => {
    const theirs = await server.newTenant({ orgId: 'org-4' });
    const former = addPerson(server, server, { role: 'annotator' });
    await as(boss, 'DELETE', path(`members/${former.id}`));
    const elsewhere = addPerson(server, theirs, { role: 'viewer' });
    await invite('soon@example.com');
    const theirKey = String(theirs.headers['x-api-key']).split('_')[1];
    const by = async (annotatorId: string): Promise<number> => {
      const body = { traceId, verdict: true, source: 'TRACE_PAGE', annotatorId };
      return (await server.call('POST', '/v0/human-annotations', { body })).status;
    };
    for (const id of [former.id, elsewhere.id.toUpperCase(), theirKey ?? '', 'Soon@example.com'])
      expect([id, await by(id)]).toEqual([id, 403]);
    // Texts that look the same: with a character without a width, with a soft hyphen, in full-width letters.
    for (const id of ['soon@example.com\u200b', 'so\u00adon@example.com', '\uff53oon@example.com'])
      expect([id, await by(id)]).toEqual([id, 403]);
    expect(await by(`${theirKey}\u2060`)).toBe(403);
    // The same for an address with an account elsewhere and without one, which tells nothing about others.
    expect(await by(elsewhere.email)).toBe(201);
    expect(await by('without-account@example.com')).toBe(201);
  });

  it('changes the own verdicts only', async () => {
    const [ann, bob] = [1, 2].map(() => addPerson(server, server, { role: 'annotator' })) as [Person, Person];
    const editor = addPerson(server, server, { role: 'editor' });
    const { id } = await judge(ann);
    const one = `/v0/human-annotations/${id}`;
    expect((await as(bob, 'PUT', one, { verdict: true })).status).toBe(403);
    expect((await as(bob, 'DELETE', one)).status).toBe(403);
    expect((await as(ann, 'PUT', one, { verdict: true })).status).toBe(200);
    expect((await as(editor, 'PUT', one, { verdict: true })).status).toBe(200);
    expect((await as(ann, 'DELETE', one)).status).toBe(204);
    expect((await as(ann, 'POST', '/v0/tags', { name: 'A' })).status).toBe(403);
  });
});

describe('the audit', () => {
  const entries = async (query: string): Promise<AuditEntry[]> => {
    return (await server.ok('GET', `/v0/audit?${query}`)).data;
  };

  it('names who changed what, without contents', async () => {
    const { json, headers } = await as(boss, 'POST', '/v0/tags', { name: 'Confidential' });
    const { id } = (json as { data: { id: string } }).data;
    await server.call('PUT', `/v0/tags/${id}`, { body: { name: 'Public' } });
    const [updated, created] = await entries('action=createTag,updateTag&limit=2');
    expect(created).toEqual({
      id: expect.any(Number) as number,
      createdAt: expect.any(String) as string,
      actor: { type: 'user', id: boss.id, name: 'Boss' },
      action: 'createTag',
      resourceId: id,
      requestId: headers.get('x-request-id'),
      detail: null,
    });
    expect(updated).toMatchObject({ actor: { type: 'key' }, action: 'updateTag', resourceId: id });
    expect((await entries(`actorId=${boss.id}`)).every(({ actor }) => actor.id === boss.id)).toBe(true);
    expect(await entries(`endDate=${encodeURIComponent('2020-01-01T00:00:00Z')}`)).toEqual([]);
  });

  const newTask = async (title: string) =>
    (await server.ok('POST', '/v0/tasks', { body: { title, type: 'STATIC', inputExamples: ['Hello'] } }))
      .task;

  it('is read for one record, with the records in it and no others', async () => {
    const { id } = await newTask('Watched');
    const [example] = (await server.ok('GET', `/v0/tasks/${id}/examples`)).data;
    await server.call('PUT', `/v0/tasks/${id}/examples/${example?.id}`, { body: { weight: 2 } });
    await newTask('Other');
    expect((await entries(`resourceId=${id}`)).map(({ action }) => action)).toEqual([
      'updateExample',
      'createTask',
    ]);
    expect(await entries(`resourceId=${id.slice(0, 8)}`)).toEqual([]);
  });

  it('has one entry for a call of several commands, and none for reads and failures', async () => {
    const before = (await entries('limit=100')).length;
    const { id } = (await server.ok('POST', '/v0/tags', { body: { name: 'Urgent' } })).data;
    await server.call('GET', '/v0/tags');
    expect((await server.call('POST', '/v0/tags', { body: {} })).status).toBe(422);
    expect((await server.call('DELETE', `/v0/tags/${boss.id}`)).status).toBe(404);
    expect((await server.call('DELETE', `/v0/tags/${id}`)).status).toBe(204);
    const after = await entries('limit=100');
    expect(after.length - before).toBe(2);
    expect(after.slice(0, 2).map(({ action }) => action)).toEqual(['deleteTag', 'createTag']);
  });

  it('is stored with the change or not at all', async () => {
    besideServer(server.folder, (database) =>
      database.run(`CREATE TRIGGER no_audit BEFORE INSERT ON audit_entry WHEN new.action = 'createTag'
                    BEGIN SELECT RAISE(ABORT, 'no room'); END`),
    );
    const before = (await server.call('GET', '/v0/tags')).text;
    expect((await server.call('POST', '/v0/tags', { body: { name: 'Lost' } })).status).toBe(500);
    // By another program, as ours does not open a store with a foreign trigger.
    const database = new Sqlite(join(server.folder, 'touchstone.db'));
    database.exec('DROP TRIGGER no_audit');
    database.close();
    expect((await server.call('GET', '/v0/tags')).text).toBe(before);
  });

  it('names sign-ins in the applications of the user', async () => {
    await server.call('POST', '/v0/login', {
      headers: NO_KEY,
      body: { email: 'grace@example.com', password: PASSWORD },
    });
    expect((await entries('action=signIn'))[0]).toMatchObject({ actor: { type: 'user', name: 'Grace' } });
  });
});

describe('a removed member', () => {
  it('leaves no view of their own; shared ones stay', async () => {
    const leaver = addPerson(server, server, { role: 'editor', name: 'Leaver' });
    for (const [name, isShared] of [
      ['Own', false],
      ['For all', true],
    ] as const)
      expect(
        (await as(leaver, 'POST', '/v0/views', { screen: 'traces', name, filter: {}, isShared })).status,
      ).toBe(201);
    const members = (await as(boss, 'GET', path('members'))).json as { data: Member[] };
    const { id } = members.data.find(({ name }) => name === 'Leaver') as Member;
    expect((await as(boss, 'DELETE', path(`members/${id}`))).status).toBe(204);
    const names = besideServer(server.folder, (database) =>
      database.all<{ name: string }>('SELECT name FROM saved_view ORDER BY name').map(({ name }) => name),
    );
    expect(names).toEqual(['For all']);
  });
});

describe('attempts to sign in', () => {
  it('are limited to five at once on one account', async () => {
    const attempt = async () =>
      (
        await server.call('POST', '/v0/login', {
          headers: NO_KEY,
          body: { email: 'nobody@example.com', password: 'wrong' },
        })
      ).status;
    // At once, so that all are within a minute.
    const statuses = await Promise.all(Array.from({ length: 6 }, attempt));
    expect(statuses.sort((a, b) => a - b)).toEqual([401, 401, 401, 401, 401, 429]);
  });
});
