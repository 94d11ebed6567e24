/** The typed client as its package has it: types, retries, lists, and a browser on another origin. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf, createClient, entriesOf } from '../../exporters/client/src/client.ts';
import { startChromium } from '../dashboard/support/chromium.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { chromium } from 'playwright-core';

const ROOT = join(import.meta.dirname, '../..');

interface Serving extends AsyncDisposable {
  url: string;
}

async function serve(listener: RequestListener): Promise<Serving> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Files of a page that uses the built client. */
const FILES: Readonly<Record<string, [type: string, file: string]>> = {
  '/client.js': ['text/javascript', join(ROOT, 'exporters/client/dist/client.js')],
  '/openapi-fetch.js': ['text/javascript', join(ROOT, 'node_modules/openapi-fetch/dist/index.mjs')],
};
const PAGE = `<!doctype html><title>Client</title>
<script type="importmap">{ "imports": { "openapi-fetch": "/openapi-fetch.js" } }</script>`;

let page: Serving;
let server: TestServer;
beforeAll(async () => {
  page = await serve((request, response) => {
    const [type, file] = FILES[request.url ?? ''] ?? [];
    response
      .setHeader('content-type', type ?? 'text/html')
      .end(file === undefined ? PAGE : readFileSync(file));
  });
  server = await startServer({ config: { corsOrigins: [page.url] } });
});
afterAll(async () => {
  await page[Symbol.asyncDispose]();
  await server.close();
});

it('makes calls from a page of another origin in a browser, and reads all of a list and the fields of an error', async () => {
  await using browserServer = { value: await startChromium(), [Symbol.asyncDispose]: async () => undefined };
  const browser = await chromium.connect(browserServer.value.wsEndpoint());
  const tab = await browser.newPage();
  await tab.goto(page.url);
  const settings = {
    baseUrl: server.url,
    apiKey: server.apiKey,
    applicationId: server.applicationId,
    retries: 2,
  };
  const result = await tab.evaluate(`(async () => {
    const { answerOf, ApiError, createClient, entriesOf } = await import('/client.js');
    const client = createClient(${JSON.stringify(settings)});
    for (const name of ['a', 'b', 'c'])
      await answerOf(client.POST('/v0/tags', { body: { name, color: '#000000' } }));
    const names = [];
    for await (const tag of entriesOf((query) => client.GET('/v0/tags', { params: { query } }), 2)) names.push(tag.name);
    const id = '3f0d7b0e-5c43-4a0b-9a53-6c1c8f3f5a10';
    const error = await answerOf(client.GET('/v0/tags/{id}', { params: { path: { id } } })).catch((one) => one);
    return { names, isApiError: error instanceof ApiError, status: error.status, hasId: error.requestId !== null };
  })()`);
  await browser.close();
  await browserServer.value.close();
  expect(result).toMatchObject({ isApiError: true, status: 404, hasId: true });
  expect((result as { names: string[] }).names.toSorted()).toEqual(['a', 'b', 'c']);
});

it('yields all entries of a list, a page at a time', async () => {
  const { apiKey, applicationId } = await server.newTenant();
  const client = createClient({ baseUrl: server.url, apiKey, applicationId });
  for (const name of ['a', 'b', 'c'])
    await answerOf(client.POST('/v0/tags', { body: { name, color: '#000000' } }));
  const asked: number[] = [];
  const names: string[] = [];
  const tags = entriesOf((query) => {
    asked.push(query.skip);
    return client.GET('/v0/tags', { params: { query: { ...query, orderBy: 'name', orderDir: 'asc' } } });
  }, 2);
  for await (const { name } of tags) names.push(name);
  expect([names, asked]).toEqual([
    ['a', 'b', 'c'],
    [0, 2],
  ]);
});

describe('with retries, the client', () => {
  it.each<[what: string, method: 'GET' | 'POST', statuses: number[], requests: number, status: number]>([
    ['sends a call again after 503 and 429', 'POST', [503, 429, 200], 3, 200],
    ['sends an idempotent call again after 502', 'GET', [502, 200], 2, 200],
    ['sends an idempotent call again that got no response', 'GET', [0, 200], 2, 200],
    ['does not send another call again after 502', 'POST', [502, 200], 1, 502],
    ['does not send a call again that is wrong', 'GET', [422, 200], 1, 422],
    ['returns the last response', 'GET', [503, 503, 503, 200], 3, 503],
  ])('%s', async (_what, method, statuses, requests, status) => {
    const bodies: string[] = [];
    await using stand = await serve((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (part: string) => (text += part));
      request.on('end', () => {
        const next = statuses[bodies.push(text) - 1] ?? 200;
        if (next === 0) response.destroy();
        else response.writeHead(next, { 'content-type': 'application/json', 'retry-after': '0' }).end('{}');
      });
    });
    const client = createClient({ baseUrl: stand.url, apiKey: 'k', applicationId: 'a', retries: 2 });
    const body = { name: 'a', color: '#000000' };
    const { response } = await (method === 'GET'
      ? client.GET('/v0/tags')
      : client.POST('/v0/tags', { body }));
    expect([response.status, bodies.length]).toEqual([status, requests]);
    expect(new Set(bodies)).toEqual(new Set([method === 'GET' ? '' : JSON.stringify(body)]));
  });

  it('rejects a call that is not idempotent and got no response', async () => {
    await using stand = await serve((_request, response) => response.destroy());
    const client = createClient({ baseUrl: stand.url, apiKey: 'k', applicationId: 'a', retries: 2 });
    await expect(client.POST('/v0/tags', { body: { name: 'a', color: '#000000' } })).rejects.toThrow(
      'fetch failed',
    );
  });
});

it('says in the error of the compiler that a path is unknown', async () => {
  const folder = mkdtempSync(join(ROOT, 'node_modules/.client-'));
  writeFileSync(
    join(folder, 'use.mts'),
    `import { answerOf, createClient, entriesOf } from '../../exporters/client/dist/client.js';
const client = createClient({ baseUrl: '', apiKey: '', applicationId: '', retries: 3 });
export const title: string = (await answerOf(client.GET('/v0/tasks/{id}', { params: { path: { id: '' } } }))).task.title;
for await (const { name } of entriesOf((query) => client.GET('/v0/tags', { params: { query } }))) name.trim();
await client.GET('/v0/taskz');
await client.DELETE('/v0/tasks');
`,
  );
  const options =
    '--ignoreConfig --noEmit --strict --skipLibCheck --module nodenext --target es2023 --lib es2023,dom,dom.iterable --types';
  const command = [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options.split(' '), '', 'use.mts'];
  const failed = ({ stdout }: { stdout: string }): { stdout: string } => ({ stdout });
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: folder }).catch(failed);
  rmSync(folder, { recursive: true });
  expect(stdout.match(/^use\.mts\(\d+/gm)).toEqual(['use.mts(5', 'use.mts(6']);
  expect(stdout).toContain('The API has no GET with this path');
  expect(stdout).toContain('The API has no DELETE with this path');
});
