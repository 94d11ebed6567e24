/** Every dialog, menu and question of the dashboard: opened by keyboard, accessible in both themes, closed by Esc. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { insertLogin } from '../../src/people/login-store.ts';
import { newCsrfKey, newToken } from '../../src/people/tokens.ts';
import { otelTraceUuid } from '../../src/traces/ids.ts';
import { besideServer } from '../support/beside-store.ts';
import { ROOT } from '../support/sources.ts';
import { otlpRequest } from '../support/spans.ts';
import { addPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { useStage } from './support/browser.ts';
import { DIALOGS, type DialogRecords, type Step } from './support/dialog-list.ts';
import { storeRefunds } from './support/refund-scenario.ts';
import { openShop } from './support/shop.ts';
import { openTestedApp, PROMPTS, type PromptName, type TestedApp } from './support/tested-app.ts';

const FOLDER = join(ROOT, 'src/dashboard');
/** Files whose question another test opens, since it needs an application with example data: settings.test.ts or empty-application.test.ts. */
const ELSEWHERE = ['example-data/example-data-section.tsx'];
/** Components that show something in front of the page. `ui` has their definitions. */
const POPUP = /<(?:AskDialog|Dialog|Confirm|ConfirmRow|Menu|RowMenu|DeleteRecord|ExportMenu|FileReport)\b/g;
/** Reports whether what is in front of the page has the focus. */
const HAS_FOCUS = 'document.activeElement?.closest("[role=dialog], [role=alertdialog], [role=menu]") != null';
const ODD_TRACE = 'cd'.repeat(16);

let records: DialogRecords;
let admin: Person;
let tested: TestedApp | undefined;
const stage = useStage(
  async (server) => {
    records = await storeRecords(server);
  },
  { config: { quietMs: 150, orphanQuietMs: 300, traceDeadlineMs: 5_000 } },
);
afterAll(() => tested?.app.close());

async function storeRecords(server: TestServer): Promise<DialogRecords> {
  const make = async (path: string, body: object): Promise<{ id: string }> => {
    const { status, text, json } = await server.call('POST', path, { body });
    if (status >= 300) throw new Error(`POST ${path}: ${text}`);
    return Object.values(json ?? {})[0] as { id: string };
  };
  const shop = await openShop(server);
  const refunds = await storeRefunds(server);
  tested = await openTestedApp(server, ['good', 'failing', 'silent', 'hanging']);
  const start = (Date.now() - 1_767_225_600_000) * 1_000_000;
  const odd = [
    { trace: ODD_TRACE, id: 1, name: 'work', start, attributes: { 'acme.question': 'How long?' } },
  ];
  const sent = await server.call('POST', '/v1/traces', {
    headers: { 'content-type': 'application/x-protobuf' },
    body: otlpRequest(odd),
  });
  expect(sent.status).toBe(200);
  const experiment = await make('/v0/experiments', { title: 'Shorter answers', taskIds: [shop.taskId] });
  await make(`/v0/experiments/${experiment.id}/variants`, {
    title: 'As it is',
    configPatch: { answer: { prompt: 'Be brief.' } },
  });
  const judged = await make('/v0/issues', {
    source: 'API',
    title: 'Promises a refund',
    evalDefinitionId: shop.definitionId,
  });
  await make('/v0/issue-webhook', { url: 'https://hooks.example.com/issues', enabled: false });
  const quickstart = await make('/v0/quickstarts', { name: 'Chats' });
  await make('/v0/documents', {
    title: 'Depots',
    content: 'They open at nine.',
    status: 'DRAFT',
    quickstartId: quickstart.id,
  });
  await make('/v0/views', {
    name: 'Failed ones',
    screen: 'traces',
    filter: { q: ['error:yes'] },
    isShared: true,
  });
  const traceId = shop.traceIds[0] ?? '';
  // Someone else is a member, and the same person has signed in elsewhere too.
  addPerson(server, server, { role: 'viewer', name: 'Bea Babbage' });
  admin = addPerson(server, server, { role: 'admin', name: 'Ada Lovelace' });
  const other = { tokenHash: newToken().hash, csrfKey: newCsrfKey() };
  besideServer(server.folder, (database) => insertLogin(database, { userId: admin.id }, other, Date.now()));
  const note = await server.call('POST', '/v0/notes', {
    headers: { ...admin.headers, 'x-api-key': null },
    body: { traceId, text: 'Promises it twice.' },
  });
  expect(note.status, note.text).toBe(201);
  const { runId, testIds } = await tested.trigger(4);
  const tests = new Map<string, string>();
  for (const id of testIds) {
    const { prompt } = (await server.ok('GET', `/v0/tests/${id}`)).test;
    tests.set(prompt, id);
    if (prompt !== PROMPTS.hanging) await tested.ended(id);
  }
  const names = Object.keys(PROMPTS) as PromptName[];
  return {
    ...shop,
    traceId,
    oddTraceId: otelTraceUuid(Buffer.from(ODD_TRACE, 'hex')),
    runId: refunds.runId,
    openRunId: runId,
    tests: Object.fromEntries(
      names.map((name) => [name, tests.get(PROMPTS[name]) ?? '']),
    ) as DialogRecords['tests'],
    experimentId: experiment.id,
    quickstartId: quickstart.id,
    judgedIssueId: judged.id,
  };
}

it('each dialog, menu and question of the sources is opened below', () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.tsx') && !file.startsWith('ui/'),
  );
  const wanted = files.flatMap((file) =>
    [...readFileSync(join(FOLDER, file), 'utf8').matchAll(POPUP)].map(() => file),
  );
  const opened = [...DIALOGS.map(({ file }) => file), ...ELSEWHERE];
  expect(opened.toSorted()).toEqual(wanted.toSorted());
});

it.each(DIALOGS.map((dialog, index) => [`${dialog.file} (${index})`, dialog] as const))(
  '%s is accessible, and left by Esc',
  async (_, { path, steps, isPhone }) => {
    const visitor = await stage.visit(isPhone ? { width: 390, height: 844 } : {});
    await visitor.become(admin);
    const { page } = visitor;
    page.setDefaultTimeout(15_000);
    await visitor.open(path(records));
    for (const step of steps) await follow(page, step);
    const popup = page.locator('[role="dialog"], [role="alertdialog"], [role="menu"]').last();
    await popup.waitFor();
    await visitor.settle();
    await expect.poll(() => page.evaluate(HAS_FOCUS)).toBe(true);
    expect(await visitor.accessibilityProblems()).toEqual([]);
    await visitor.useTheme('dark');
    expect(await visitor.accessibilityProblems('color-contrast')).toEqual([]);
    // It asks once more if text was entered.
    const shown = await popup.elementHandle();
    const discard = page.getByRole('button', { name: 'Discard', exact: true });
    await page.keyboard.press('Escape');
    await expect
      .poll(async () => {
        if (await discard.isVisible()) await discard.press('Enter');
        return shown?.isVisible();
      })
      .toBe(false);
  },
);

/** Does one step as a person does who has no mouse. */
async function follow(page: Page, step: Step): Promise<void> {
  if (typeof step === 'string') return (await named(page, step)).press('Enter');
  if ('key' in step) return page.keyboard.press(step.key);
  if ('check' in step) return page.getByRole('checkbox', { name: step.check }).first().press('Space');
  if ('fill' in step) return page.getByRole('dialog').getByLabel(step.fill.label).fill(step.fill.text);
  const { label, name, text } = step.file;
  return page
    .getByLabel(label, { exact: true })
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
}

/** Returns the first control that can be used and whose name begins with a text; in what is open, if anything is. */
async function named(page: Page, text: string): Promise<Locator> {
  const start = new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`);
  const open = page.locator('[role="dialog"], [role="menu"]').last();
  const within = (await open.isVisible()) ? open : page.locator('body');
  const control = within
    .getByRole('button', { name: start, disabled: false })
    .or(within.getByRole('menuitem', { name: start }))
    .first();
  await control.waitFor();
  return control;
}
