/**
 * Writes pictures of every screen to `screenshots/`: light and dark, of a filled application, of an empty one, and while
 * the server fails.
 *
 *   npm run screenshots [-- pattern of file names, such as `settings` or `(empty|error)-dark`]
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { setup as build } from '../support/global-setup.ts';
import { addPerson } from '../support/people.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';
import { startChromium } from './support/chromium.ts';
import { agentTrace } from '../../bench/agent-trace.ts';
import { richTrace } from './support/odd-traces.ts';
import { SCREENS_TO_LOOK_AT } from './support/screen-list.ts';
import { storeRefunds } from './support/refund-scenario.ts';
import { openShop, type Shop } from './support/shop.ts';
import { openTestedApp, QUICK_TESTS, type TestedApp } from './support/tested-app.ts';
import { Visitor } from './support/visitor.ts';

const FOLDER = 'screenshots';
const THEMES = ['light', 'dark'] as const;

type Picture = readonly [name: string, path: string, row?: string];

/** Stores what the screens of one record show, and returns their addresses; `row` is to be selected. */
async function storeRecords(server: TestServer, tested: TestedApp): Promise<Picture[]> {
  const now = Date.now();
  const rich = richTrace(now - 60_000);
  const other = richTrace(now - 90_000, { answer: 'Parcel 4711 is lost.', seed: 1_069 });
  const agent = agentTrace({ spans: 400, at: now - 600_000, orphans: 2 });
  for (const body of [rich, other, agent].flatMap((trace) => [...trace.requests()]))
    await server.call('POST', '/v1/traces', { body });
  const refunds = await storeRefunds(server);
  const { runId, testIds } = await tested.trigger(3);
  await Promise.all(testIds.map((id) => tested.ended(id)));
  const [passed, failing, silent] = testIds;
  const evalId = (await server.ok('GET', `/v0/evals?testId=${passed}&limit=1`)).data[0]?.id ?? '';
  return [
    ['Verdict', `/evals/${evalId}`],
    ['Trace', `/traces/${agent.otelTraceId}`, 'chat'],
    ['Trace, conversation', `/traces/${rich.otelTraceId}`, 'chat gpt-5.4'],
    ['Trace, graph', `/traces/${agent.otelTraceId}?view=graph`],
    ['Compare', `/compare?a=${rich.otelTraceId}&b=${other.otelTraceId}`],
    ['Test, passed', `/tests/${passed}`],
    ['Test, rejected by the app', `/tests/${failing}`],
    ['Test, without a trace', `/tests/${silent}`],
    ['Run', `/runs/${runId}`],
    ['Run, refunds', `/runs/${refunds.runId}`],
    ['Run, refunds compared', `/runs/${refunds.runId}?with=${refunds.beforeId}`],
  ];
}

/** Returns the addresses of records of the shop. */
const recordsOf = ({ taskId, topicId, documentId, definitionId }: Shop): Picture[] => [
  ['Evaluator', `/evaluators/${definitionId}`],
  ['Evaluator, settings', `/evaluators/${definitionId}?tab=settings`],
  ['Task', `/tasks/${taskId}`],
  ['Task, examples', `/tasks/${taskId}?tab=examples`],
  ['Task, evaluators', `/tasks/${taskId}?tab=evaluators`],
  ['Task, schedule', `/tasks/${taskId}?tab=schedule`],
  ['Task, settings', `/tasks/${taskId}?tab=settings`],
  ['Task, history', `/tasks/${taskId}?tab=history`],
  ['Topic', `/topics/${topicId}`],
  ['Document', `/documents/${documentId}`],
  ['Document, difference', `/documents/${documentId}?to=2&from=1`],
  ['Document, chunks', `/documents/${documentId}?tab=chunks`],
  ['Document, settings', `/documents/${documentId}?tab=settings`],
  ['Topic, settings', `/topics/${topicId}?tab=settings`],
];

interface Wanted {
  pictures: readonly Picture[];
  /** Names of the files to write. */
  name: RegExp;
}

async function take(
  browser: Browser,
  server: TestServer,
  empty: Tenant,
  { pictures, name: wanted }: Wanted,
): Promise<void> {
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
    for (const [name, path, row] of pictures) {
      const file = name.toLowerCase().replaceAll(/\W+/g, '-');
      const themes = THEMES.filter((theme) => wanted.test(`${file}-${state}-${theme}`));
      if (themes.length === 0) continue;
      await visitor.open(path);
      await idle(visitor);
      if (row !== undefined && state === 'full') {
        await visitor.page.getByRole('row', { name: row }).first().click();
        await visitor.page.waitForURL(/span=/);
        await idle(visitor);
      }
      for (const theme of themes) {
        await visitor.useTheme(theme);
        await visitor.page.screenshot({ path: join(FOLDER, `${file}-${state}-${theme}.png`) });
      }
    }
    await visitor.leave();
  }
  await takeSignIn(browser, server);
}

/** Waits until nothing loads any more; a live list keeps its connection. */
async function idle(visitor: Visitor): Promise<void> {
  await visitor.page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined);
  await visitor.settle();
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
const server = await startServer({ config: QUICK_TESTS });
const tested = await openTestedApp(server);
try {
  const browser = await chromium.connect(chromiumServer.wsEndpoint());
  const shop = await openShop(server);
  const pictures = [
    ...SCREENS_TO_LOOK_AT.map(([name, path]) => [name, path] as const),
    ...recordsOf(shop),
    ...(await storeRecords(server, tested)),
  ];
  await take(browser, server, await server.newTenant(), {
    pictures,
    name: new RegExp(process.argv[2] ?? ''),
  });
} finally {
  await tested.app.close();
  await server.close();
  await chromiumServer.close();
}
