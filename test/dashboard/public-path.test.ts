/** The server below a path of a host, behind proxies of both styles. */
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { runCommandLine } from '../../src/cli/run.ts';
import { withStore } from '../../src/cli/data-folder.ts';
import { createSetupLink } from '../../src/people/setup-store.ts';
import { newSpanId, newTraceId } from '../e2e/otlp-sender.ts';
import { type PathProxy, startPathProxy } from '../support/path-proxy.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { otlpRequest } from '../support/spans.ts';
import { Visitor } from './support/visitor.ts';

const PATH = '/tools/touchstone';
const PASSWORD = 'correct horse battery';

describe.each(['keeps', 'removes'] as const)('behind a proxy that %s the path of the public URL', (style) => {
  let browser: Browser;
  let proxy: PathProxy;
  let server: TestServer;
  const traces = [newTraceId(), newTraceId()];

  beforeAll(async () => {
    browser = await chromium.connect(inject('browserEndpoint'));
    proxy = await startPathProxy(PATH, style);
    server = await startServer({ config: { publicUrl: proxy.url } });
    proxy.sendTo(server.url);
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
    await proxy.close();
  });

  it('exporters, the command line and agents reach it, and its documents name the path', async () => {
    for (const trace of traces) {
      const response = await fetch(`${proxy.url}/v1/traces`, {
        method: 'POST',
        headers: { ...server.headers, 'content-type': 'application/x-protobuf' },
        body: new Uint8Array(otlpRequest([{ trace, id: newSpanId(), name: 'turn' }])),
      });
      expect(response.status).toBe(200);
    }
    let printed = '';
    const code = await runCommandLine(['traces', '--json'], {
      env: {
        TOUCHSTONE_URL: proxy.url,
        TOUCHSTONE_API_KEY: server.apiKey,
        TOUCHSTONE_APPLICATION_ID: server.applicationId,
      },
      out: (text) => void (printed += text),
      err: () => undefined,
      isTerminal: false,
      program: 'touchstone',
    });
    expect(code).toBe(0);
    for (const trace of traces) expect(printed).toContain(trace);

    const get = async (path: string, accept = 'application/json') =>
      (await fetch(proxy.url + path, { headers: { ...server.headers, accept } })).text();
    expect(JSON.parse(await get('/openapi.json'))).toMatchObject({ servers: [{ url: `${PATH}/` }] });
    expect(JSON.parse(await get('/'))).toMatchObject({ links: { traces: `${PATH}/v1/traces` } });
    expect(await get('/packages/', 'text/html')).toContain(`href="${PATH}/packages/`);
    expect((await fetch(`${proxy.url}/mcp`, { headers: server.headers })).status).not.toBe(404);

    const invitations = `/v0/applications/${server.applicationId}/invitations`;
    const { json } = await server.call('POST', invitations, {
      body: { email: 'grace@example.com', role: 'viewer' },
    });
    expect((json as { link: string }).link).toMatch(`${proxy.url}/#invitation=`);
  });

  it('a person sets up an account, opens pages by links, keys and their address, signs out and in again', async () => {
    const token = withStore(server.folder, (database) =>
      createSetupLink(database, { userId: null, at: Date.now() }),
    );
    const visitor = await Visitor.arrive(browser, { url: proxy.url });
    const { page } = visitor;
    const heading = (name: string) => page.getByRole('heading', { level: 1, name });
    const path = (): string => new URL(page.url()).pathname;
    await visitor.open(`${PATH}/#setup=${token}`);
    await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
    await page.getByLabel('Email', { exact: true }).fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create the account' }).click();
    await heading('Home').waitFor();
    expect(path()).toBe(`${PATH}/`);
    const [cookie] = await page.context().cookies();
    expect(cookie?.path).toBe(PATH);

    await page.getByRole('link', { name: 'Traces' }).first().click();
    await heading('Traces').waitFor();
    expect(path()).toBe(`${PATH}/traces`);
    await page.reload();
    await heading('Traces').waitFor();
    const rows = page.locator(`a[href^="${PATH}/traces/"]`);
    await rows.first().click();
    await page.waitForURL(/traces\/[\da-f-]+/);
    const first = path();
    await page.keyboard.press(']');
    await page.waitForURL((url) => url.pathname !== first);
    expect(path()).toMatch(new RegExp(`^${PATH}/traces/`));
    await page.goBack();
    await expect.poll(path).toBe(first);

    await visitor.open(`${PATH}/docs`);
    await page.getByRole('searchbox', { name: 'Search operations' }).waitFor();
    await visitor.open(`${PATH}/`);
    await page.getByRole('button', { name: 'Ada Lovelace' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading('Sign in').waitFor();
    await page.getByLabel('Email', { exact: true }).fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await heading('Home').waitFor();
    expect(visitor.reported).toEqual([]);
    await visitor.leave();
  });

  it('opens at the address of the server too', async () => {
    const page = await (await fetch(`${server.url}/traces`, { headers: { accept: 'text/html' } })).text();
    const [, asset] = /src="([^"]+)"/.exec(page) ?? [];
    expect(asset).toMatch(new RegExp(`^${PATH}/assets/`));
    expect((await fetch(`${server.url}${asset}`)).status).toBe(200);
  });
});
