/** The package bundled into a page, which sends by its backend as the README shows. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startChromium } from '../../dashboard/support/chromium.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { type App, makeApp } from './support/built-package.ts';

const TEST_ID = '3f0d7b0e-5c43-4a0b-9a53-6c1c8f3f5a10';
const BUNDLE = 'bundle.js';
const APP = `
import { trace } from '@opentelemetry/api';
import { observe, register, withTest } from 'touchstone-otel';

const touchstone = register({ url: new URL('/telemetry', location.href).href });
const answer = observe((question) => 'An answer to ' + question, { name: 'answer' });
globalThis.app = {
  ask: (question) => withTest('${TEST_ID}', () => answer(question)),
  flush: () => touchstone.flush(),
  stats: () => touchstone.stats(),
};
`;

let app: App;
let server: TestServer;
let backend: Server;
let browserServer: Awaited<ReturnType<typeof startChromium>>;
let browser: Browser;
beforeAll(async () => {
  app = await makeApp('bundlers');
  server = await startServer();
  const [entry, outfile] = [join(app.folder, 'page.mjs'), join(app.folder, BUNDLE)];
  writeFileSync(entry, APP);
  const esbuild = pathToFileURL(join(app.folder, '../esbuild/lib/main.js')).href;
  const { build } = (await import(esbuild)) as { build: (options: object) => Promise<unknown> };
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'browser', logLevel: 'error' });
  backend = createServer((request, response) => {
    if (request.method === 'POST')
      return void forward(request).then(({ status }) => response.writeHead(status).end('{}'));
    const isBundle = request.url === `/${BUNDLE}`;
    return void response
      .setHeader('content-type', isBundle ? 'text/javascript' : 'text/html')
      .end(
        isBundle
          ? readFileSync(outfile)
          : `<!doctype html><title>App</title><script src="/${BUNDLE}"></script>`,
      );
  });
  backend.listen(0, '127.0.0.1');
  await once(backend, 'listening');
  browserServer = await startChromium();
  browser = await chromium.connect(browserServer.wsEndpoint());
}, 900_000);
afterAll(async () => {
  await browser.close();
  await browserServer.close();
  backend.closeAllConnections();
  backend.close();
  app.remove();
  await server.close();
});

/** Adds the key, which the page does not have. */
const forward = (request: IncomingMessage): Promise<Response> =>
  fetch(`${server.url}${String(request.url).replace('/telemetry', '')}`, {
    method: 'POST',
    body: request,
    duplex: 'half',
    headers: {
      'content-type': 'application/json',
      'content-encoding': request.headers['content-encoding'] ?? 'identity',
      'x-api-key': server.apiKey,
      'x-application-id': server.applicationId,
    },
  } as unknown as RequestInit);

async function storedSpans(): Promise<number> {
  const { json } = await server.call('GET', '/v0/ingest/ledger');
  return (json as { data: { stored: number }[] }).data.reduce((sum, { stored }) => sum + stored, 0);
}

it('sends the spans of a page in their test, and those that are left when the page is hidden', async () => {
  const tab = await browser.newPage();
  const problems: string[] = [];
  tab.on('pageerror', ({ message }) => problems.push(message));
  tab.on('console', (message) => problems.push(message.text()));
  await tab.goto(`http://127.0.0.1:${(backend.address() as AddressInfo).port}/`);

  const counts = await tab.evaluate(`(async () => {
    for (const question of ['one', 'two', 'three']) app.ask(question);
    await app.flush();
    return app.stats();
  })()`);
  expect(counts).toMatchObject({ ended: 3, exported: 3, failed: 0, dropped: 0 });
  expect(await storedSpans()).toBe(3);
  const found = await server.call('GET', `/v0/traces/by-test/${TEST_ID}`);
  expect(found.json).toMatchObject({
    data: { testId: TEST_ID, rootName: 'answer', output: expect.any(String) as string },
  });

  await tab.evaluate(`app.ask('four')`);
  await tab.goto('about:blank');
  await expect.poll(storedSpans).toBe(4);
  // No error, and one line about what a browser cannot do.
  expect(problems).toEqual([
    expect.stringMatching(/^touchstone: this runtime loses the active context at `await`/),
  ]);
});
