import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson, type Person } from '../support/people.ts';
import { type Reply, sharedServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let ann: Person;
let bob: Person;
let editor: Person;
beforeAll(async () => {
  server = await sharedServer();
  ann = addPerson(server, server, { role: 'annotator', name: 'Ann' });
  bob = addPerson(server, server, { role: 'annotator', name: 'Bob' });
  editor = addPerson(server, server, { role: 'editor', name: 'Eve' });
});
afterAll(() => server.close());

const NO_KEY = { 'x-api-key': null, 'x-application-id': null };
const NAMES = 'orderBy=name&orderDir=asc';
interface View {
  id: string;
  name: string;
  filter: Record<string, string[]>;
}

/** Calls from the browser of a person. */
const as = ({ headers }: Person, method: string, path: string, body?: object): Promise<Reply> =>
  server.call(method, path, { headers: { ...NO_KEY, ...headers }, ...(body && { body }) });

const dataOf = ({ json }: Reply): View => (json as { data: View }).data;

async function save(person: Person, fields: object): Promise<View> {
  const reply = await as(person, 'POST', '/v0/views', { screen: 'traces', ...fields });
  expect(reply.status, reply.text).toBe(201);
  return dataOf(reply);
}

const namesFor = async (person: Person): Promise<string[]> => {
  const { json } = await as(person, 'GET', `/v0/views?screen=traces&${NAMES}`);
  return (json as { data: View[] }).data.map(({ name }) => name);
};

describe('a view of a person', () => {
  it('is seen and changed by no other person', async () => {
    const view = await save(ann, { name: 'Mine', filter: { q: ['errors:yes'] } });
    expect(view).toMatchObject({ isShared: false, createdBy: { type: 'user', id: ann.id, name: 'Ann' } });
    expect(await namesFor(ann)).toContain('Mine');
    expect(await namesFor(editor)).not.toContain('Mine');
    const path = `/v0/views/${view.id}`;
    for (const [method, body] of [['GET'], ['PUT', { name: 'Theirs' }], ['DELETE']] as const) {
      expect((await as(editor, method, path, body)).status).toBe(404);
      expect((await server.call(method, path, body ? { body } : {})).status).toBe(404);
    }
    expect(dataOf(await as(ann, 'PUT', path, { sort: '-cost' }))).toMatchObject({
      name: 'Mine',
      sort: '-cost',
      filter: { q: ['errors:yes'] },
    });
    expect((await as(ann, 'DELETE', path)).status).toBe(204);
  });

  it('has a name of its own on its screen', async () => {
    const view = await save(ann, { name: 'Slow' });
    await save(bob, { name: 'Slow' });
    await save(ann, { name: 'Slow', screen: 'tests' });
    await save(editor, { name: 'Slow', isShared: true });
    const { status, json } = await as(ann, 'POST', '/v0/views', { name: 'Slow', screen: 'traces' });
    expect(status).toBe(409);
    expect(json).toEqual({ message: 'The screen already has a view with the name "Slow"' });
    const other = await save(ann, { name: 'Slower' });
    expect((await as(ann, 'PUT', `/v0/views/${other.id}`, { name: 'Slow' })).status).toBe(409);
    expect((await as(ann, 'PUT', `/v0/views/${view.id}`, { name: 'Slow' })).status).toBe(200);
  });
});

describe('a shared view', () => {
  it('is seen by everybody, and changed with the scope `write`', async () => {
    const body = { name: 'Team', screen: 'traces', isShared: true };
    expect((await as(ann, 'POST', '/v0/views', body)).status).toBe(403);
    const { id } = await save(editor, body);
    expect(await namesFor(ann)).toContain('Team');
    expect((await as(ann, 'PUT', `/v0/views/${id}`, { name: 'Mine' })).status).toBe(403);
    expect((await as(ann, 'DELETE', `/v0/views/${id}`)).status).toBe(403);
    expect((await server.call('PUT', `/v0/views/${id}`, { body: { name: 'All' } })).status).toBe(200);
  });

  it('becomes private only for its creator', async () => {
    const { id } = await save(editor, { name: 'Draft', isShared: true });
    const makePrivate = { isShared: false };
    expect((await server.call('PUT', `/v0/views/${id}`, { body: makePrivate })).status).toBe(403);
    expect((await as(editor, 'PUT', `/v0/views/${id}`, makePrivate)).status).toBe(200);
    expect(await namesFor(ann)).not.toContain('Draft');
    const own = await save(ann, { name: 'Private' });
    expect((await as(ann, 'PUT', `/v0/views/${own.id}`, { isShared: true })).status).toBe(403);
  });
});

describe('views', () => {
  it('are at most 200 for each person, and 200 shared', async () => {
    const tenant = await server.newTenant();
    const person = addPerson(server, tenant, { role: 'editor' });
    for (let start = 0; start < 200; start += 20)
      await Promise.all(Array.from({ length: 20 }, (_, i) => save(person, { name: `View ${start + i}` })));
    const one = await as(person, 'POST', '/v0/views', { name: 'More', screen: 'tests' });
    expect(one.status).toBe(409);
    expect(one.json).toEqual({ message: 'You already have 200 views of your own; delete one first' });
    const shared = await save(person, { name: 'More', isShared: true });
    const path = `/v0/views/${shared.id}`;
    expect((await as(person, 'PUT', path, { isShared: false })).status).toBe(409);
  });

  it.for([
    ['a name', { name: ' ' }, ['name']],
    ['a filter of lists', { filter: { q: 'errors:yes' } }, ['filter', 'q']],
    ['a short filter', { filter: { q: ['x'.repeat(9_999)], r: ['x'.repeat(9_999)], s: ['x'] } }, ['filter']],
    ['a field to order by', { sort: 'name; DROP' }, ['sort']],
    ['few columns', { columns: Array.from({ length: 101 }, () => 'name') }, ['columns']],
  ] as const)('need %s', async ([, fields, path]) => {
    const body = { name: 'View', screen: 'traces', ...fields };
    const { status, json } = await server.call('POST', '/v0/views', { body });
    expect(status).toBe(422);
    expect(json).toMatchObject({ issues: [{ path }] });
  });
});
