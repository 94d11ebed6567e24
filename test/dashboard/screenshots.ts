/**
 * Writes pictures of every screen to `screenshots/`: light and dark, of a filled application, of an empty one, and while
 * the server fails.
 *
 *   npm run screenshots [-- part of a name]
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { setup as build } from '../support/build.ts';
import { addPerson } from '../support/people.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';
import { startChromium } from './support/chromium.ts';
import { SCREENS_TO_LOOK_AT } from './support/screen-list.ts';
import { openShop } from './support/shop.ts';
import { Visitor } from './support/visitor.ts';

const FOLDER = 'screenshots';
const THEMES = ['light', 'dark'] as const;

async function take(browser: Browser, server: TestServer, empty: Tenant, wanted: string): Promise<void> {
  const states = [
    { state: 'full', tenant: server, isFailing: false },
    { state: 'empty', tenant: empty, isFailing: false },
    { state: 'error', tenant: server, isFailing: true },
  ];
  for (const { state, tenant, isFailing } of states) {
    const person = addPerson(server, tenant, { role: 'admin', name: 'Ada Lovelace' });
    const visitor = await Visitor.arrive(browser, { url: server.url });
    await visitor.become(person);
    if (isFailing) await failAll(visitor);
    for (const [name, path] of SCREENS_TO_LOOK_AT) {
      const file = name.toLowerCase().replaceAll(/\W+/g, '-');
      if (!file.includes(wanted)) continue;
      await visitor.open(path);
      await visitor.page.waitForLoadState('networkidle');
      for (const theme of THEMES) {
        await visitor.useTheme(theme);
        await visitor.page.screenshot({ path: join(FOLDER, `${file}-${state}-${theme}.png`) });
      }
    }
    await visitor.leave();
  }
  await takeSignIn(browser, server);
}

async function takeSignIn(browser: Browser, server: TestServer): Promise<void> {
  const visitor = await Visitor.arrive(browser, { url: server.url });
  await visitor.open('/');
  for (const theme of THEMES) {
    await visitor.useTheme(theme);
    await visitor.page.screenshot({ path: join(FOLDER, `sign-in-${theme}.png`) });
  }
  await visitor.leave();
}

/** Makes every call but those of the login fail, as a server does that is overloaded. */
const failAll = ({ page }: Visitor): Promise<void> =>
  page.route(/\/v0\/(?!login)/, (route) =>
    route.fulfill({
      status: 503,
      headers: { 'retry-after': '7', 'x-request-id': '5f7a9c1e-3b5d-4f7a-8c1e-5d7f9a1c3e50' },
      json: { message: 'Too many requests are waiting to be read' },
    }),
  ) as unknown as Promise<void>;

build();
mkdirSync(FOLDER, { recursive: true });
const chromiumServer = await startChromium();
const server = await startServer();
try {
  const browser = await chromium.connect(chromiumServer.wsEndpoint());
  await openShop(server);
  await take(browser, server, await server.newTenant(), process.argv[2] ?? '');
} finally {
  await server.close();
  await chromiumServer.close();
}
