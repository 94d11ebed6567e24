/** The Model Context Protocol by its official client, over standard input and output and over HTTP. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAIN } from '../support/build.ts';
import { sharedServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let taskId: string;
let traceId: string;
const started: ChildProcess[] = [];
beforeAll(async () => {
  server = await sharedServer();
  const { json } = await server.call('POST', '/v0/tasks', {
    body: { title: 'Refunds', type: 'STATIC', inputExamples: ['When do I get my money?'] },
  });
  taskId = (json as { task: { id: string } }).task.id;
  await server.call('POST', '/v0/ingest', {
    body: { events: [{ type: 'trace', timestamp: new Date().toISOString(), input: 'Hello', output: 'Hi' }] },
  });
  const traces = await server.ok('GET', '/v0/traces');
  traceId = traces.data[0]?.id ?? '';
});
afterAll(async () => {
  for (const child of started) child.kill();
  await server.close();
});

const environment = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  TOUCHSTONE_URL: server.url,
  TOUCHSTONE_API_KEY: server.apiKey,
  TOUCHSTONE_APPLICATION_ID: server.applicationId,
});

async function connected(...flags: string[]): Promise<Client & AsyncDisposable> {
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, 'mcp', ...flags],
      env: environment(),
    }),
  );
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

interface Result {
  isError: boolean | undefined;
  text: string;
}

async function callTool(client: Client, name: string, args: Record<string, unknown>): Promise<Result> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [first] = content as { type: string; text: string }[];
  return { isError, text: unfenced(first?.text ?? '') };
}

/** Returns what is between the marks of a result. */
function unfenced(text: string): string {
  // The library itself rejects invalid arguments.
  if (text.startsWith('Input validation error')) return text;
  const [, , inner] =
    /^Data between the two marks (\S+)\. .+\n<\1>\n([^]*)\n<\/\1>(?:\n… .*)?$/.exec(text) ?? [];
  expect(inner, text).toBeDefined();
  return inner ?? '';
}

const TOOL_THAT_WRITES = 'triggerTasks';

describe('over standard input and output', () => {
  it('offers calls that only read, each with a description and a schema', async () => {
    await using client = await connected();
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['listTests', 'diagnoseTest', 'getTrace', 'compareRuns']));
    expect(names).not.toContain(TOOL_THAT_WRITES);
    for (const { name, description, inputSchema, annotations } of tools) {
      expect(description?.length, name).toBeGreaterThan(20);
      expect(inputSchema.type, name).toBe('object');
      expect(annotations?.readOnlyHint, name).toBe(true);
    }
  });

  it('responds to a call as the API does, with parameters of path and query', async () => {
    await using client = await connected();
    const listed = await callTool(client, 'listTasks', { limit: 1, search: 'refund' });
    expect(JSON.parse(listed.text)).toMatchObject({ data: [{ id: taskId, title: 'Refunds' }] });
    const read = await callTool(client, 'getTrace', { id: traceId });
    expect(JSON.parse(read.text)).toMatchObject({ data: { id: traceId, input: 'Hello', output: 'Hi' } });
  });

  it('reports to the agent what was wrong with a call', async () => {
    await using client = await connected();
    const missing = await callTool(client, 'getTest', { id: '00000000-0000-4000-8000-000000000000' });
    expect(missing).toMatchObject({ isError: true, text: expect.stringMatching(/not found/i) as string });
    const wrong = await callTool(client, 'listTests', { limit: 'all' });
    expect(wrong.isError).toBe(true);
  });

  it('takes its key to no other server that a redirect names', async () => {
    const headers: IncomingHttpHeaders[] = [];
    const other = createServer((request, response) => {
      headers.push(request.headers);
      response.end('{}');
    }).listen(0, '127.0.0.1');
    const redirecting = createServer((request, response) => {
      const isDocument = request.url === '/openapi.json';
      const { port } = other.address() as AddressInfo;
      if (isDocument) response.end(document);
      else response.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end();
    }).listen(0, '127.0.0.1');
    const document = (await server.call('GET', '/openapi.json')).text;
    const { port } = redirecting.address() as AddressInfo;
    await using client = await connected('--url', `http://127.0.0.1:${port}`);
    expect(await callTool(client, 'listTasks', {})).toMatchObject({ isError: true });
    expect(headers).toEqual([]);
    redirecting.close();
    other.close();
  });

  it('starts tests only where it is allowed to write, with a body', async () => {
    await using reader = await connected();
    const rejected = await callTool(reader, TOOL_THAT_WRITES, { taskIds: [taskId] }).catch(String);
    expect(JSON.stringify(rejected)).toMatch(/not found|unknown/i);
    await using writer = await connected('--allow-writes');
    const { tools } = await writer.listTools();
    expect(tools.find(({ name }) => name === TOOL_THAT_WRITES)?.annotations?.readOnlyHint).toBe(false);
    const answer = await callTool(writer, TOOL_THAT_WRITES, { taskIds: [taskId] });
    expect(JSON.parse(answer.text)).toMatchObject({ data: [{ taskId, testIds: [expect.any(String)] }] });
    const made = await callTool(writer, 'createExample', { id: taskId, input: 'Where is my parcel?' });
    expect(made.isError).toBe(false);
  });
});

describe('over HTTP', () => {
  async function startAgent(): Promise<string> {
    const child = spawn(process.execPath, [MAIN, 'mcp', '--port', '0'], { env: environment() });
    started.push(child);
    child.stderr.setEncoding('utf8');
    const [line] = (await once(child.stderr, 'data')) as [string];
    return /http:\/\/\S+/.exec(line)?.[0] ?? line;
  }

  it('offers the same tools, and rejects other hosts and origins', async () => {
    const url = await startAgent();
    const client = new Client({ name: 'agent', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    const { text } = await callTool(client, 'listTasks', {});
    expect(JSON.parse(text)).toMatchObject({ data: [{ id: taskId }] });
    await client.close();

    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const post = (more: Record<string, string>): Promise<Response> =>
      fetch(url, { method: 'POST', headers: { ...headers, ...more }, body });
    expect((await post({ origin: 'https://evil.example' })).status).toBe(403);
    expect((await fetch(new URL('/other', url))).status).toBe(404);
  });
});

describe('at /mcp of the server', () => {
  async function connectedTo(
    path: string,
    headers: Record<string, string>,
  ): Promise<Client & AsyncDisposable> {
    const client = new Client({ name: 'agent', version: '1' });
    const url = new URL(path, server.url);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
  }
  const bearer = (): Record<string, string> => ({ authorization: `Bearer ${server.apiKey}` });

  it('offers the tools that read, and calls them with the key of the request', async () => {
    await using client = await connectedTo('/mcp', { ...server.headers });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain(TOOL_THAT_WRITES);
    const { text } = await callTool(client, 'listTasks', {});
    expect(JSON.parse(text)).toMatchObject({ data: [{ id: taskId }] });
    await using other = await connectedTo('/mcp', (await server.newTenant()).headers);
    expect(JSON.parse((await callTool(other, 'listTasks', {})).text)).toMatchObject({ data: [] });
    expect(await callTool(other, 'getTask', { id: taskId })).toMatchObject({ isError: true });
  });

  it('accepts the key as a bearer token, and offers tools that write if the address says so', async () => {
    await using client = await connectedTo('/mcp?allow-writes=true', bearer());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain(TOOL_THAT_WRITES);
    const created = await callTool(client, 'createExample', { id: taskId, input: 'By an agent?' });
    expect(created).toMatchObject({ isError: false });
    await using reader = await connectedTo('/mcp?allow-writes=true', await server.newKey(['read']));
    const rejected = await callTool(reader, 'createExample', { id: taskId, input: 'No' });
    expect(rejected).toMatchObject({ isError: true, text: expect.stringContaining('scope') as string });
  });

  it('takes an issue from its note to its end, as far as the scopes allow', async () => {
    const ofNote = randomUUID();
    const timestamp = new Date().toISOString();
    const texts = { input: 'Where?', output: 'It was refunded.' };
    const events = [{ type: 'trace' as const, timestamp, traceId: ofNote, ...texts }];
    await server.ok('POST', '/v0/ingest', { body: { events } });
    await using client = await connectedTo('/mcp?allow-writes=true', bearer());
    const made = async (name: string, args: Record<string, unknown>) => {
      const { text, isError } = await callTool(client, name, args);
      expect(isError, text).toBe(false);
      return (JSON.parse(text) as { data: Record<string, unknown> }).data;
    };
    const issue = await made('createIssue', { source: 'API', title: 'Promises a refund' });
    const other = await made('createIssue', { source: 'API', title: 'Promises money' });
    const id = String(issue['number']);
    const note = await made('createNote', { traceId: ofNote, text: 'Nobody refunded it.' });
    expect(await made('linkIssue', { id, noteIds: [note['id']] })).toMatchObject({ done: 1 });
    expect(await made('listIssueOccurrences', { id })).toMatchObject([{ traceId: ofNote }]);
    expect(await made('listNotes', { issueId: [issue['id']] })).toMatchObject([
      { text: 'Nobody refunded it.' },
    ]);
    expect(await made('listIssues', { status: ['OPEN'], search: 'money' })).toMatchObject([
      { id: other['id'] },
    ]);
    expect(await made('getIssueEvidence', { id })).toHaveLength(5);
    const rejected = await callTool(client, 'resolveIssue', { id });
    expect(rejected).toMatchObject({
      isError: true,
      text: expect.stringContaining('Evidence is missing') as string,
    });
    expect(await made('resolveIssue', { id, withoutEvidence: true, reason: 'Prompt 16' })).toMatchObject({
      status: 'RESOLVED',
      resolution: { withoutEvidence: true, reason: 'Prompt 16' },
    });
    expect(await made('reopenIssue', { id, reason: 'It is back' })).toMatchObject({ status: 'OPEN' });
    expect(await made('mergeIssue', { id: String(other['number']), into: id })).toBeDefined();
    expect(await made('listIssueActivity', { id, orderDir: 'asc' })).toMatchObject(
      ['CREATED', 'LINKED', 'RESOLVED', 'REOPENED', 'MERGED'].map((kind) => ({ kind })),
    );
    await using annotator = await connectedTo(
      '/mcp?allow-writes=true',
      await server.newKey(['read', 'annotate']),
    );
    expect(await callTool(annotator, 'createNote', { traceId, text: 'Twice.' })).toMatchObject({
      isError: false,
    });
    for (const name of ['resolveIssue', 'reopenIssue'])
      expect(await callTool(annotator, name, { id })).toMatchObject({
        isError: true,
        text: expect.stringContaining('scope') as string,
      });
    await using reader = await connectedTo('/mcp', bearer());
    const names = (await reader.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['getIssue', 'listIssueActivity']));
    expect(names.filter((name) => /^(?:create|link|resolve|reopen|reject|merge|update)/.test(name))).toEqual(
      [],
    );
  });

  it('rejects requests without a valid key, and bodies that are too large', async () => {
    const post = (headers: Record<string, string>, body: string): Promise<Response> =>
      fetch(`${server.url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body,
      });
    expect((await post({}, '{}')).status).toBe(401);
    expect((await post({ authorization: 'Bearer sk_wrong' }, '{}')).status).toBe(401);
    expect((await post(bearer(), 'x'.repeat(2 * 1024 * 1024))).status).toBe(413);
    expect((await post(bearer(), 'no json')).status).toBe(400);
  });
});
