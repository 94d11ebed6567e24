/** Issues on screen: created, linked, resolved with a reason, reopened, merged; rates only of random samples. */
import { expect, it } from 'vitest';
import type { Issue } from '../../src/api/generated/schema.ts';
import { annotating } from '../resources/annotation-support.ts';
import { useStage } from './support/browser.ts';
import { type RefundScenario, storeRefunds } from './support/refund-scenario.ts';
import type { Visitor } from './support/visitor.ts';

let scenario: RefundScenario;
const stage = useStage(async (server) => {
  scenario = await storeRefunds(server);
});

const create = async (title: string): Promise<Issue> =>
  (await stage.server.ok('POST', '/v0/issues', { body: { source: 'API', title } })).data;
const get = async (number: number): Promise<Issue> =>
  (await stage.server.ok('GET', `/v0/issues/${number}` as '/v0/issues/{id}')).data;
const traces = (count: number, more: object = {}): Promise<string[]> =>
  annotating(stage.server).traces(count, { timestamp: new Date().toISOString(), ...more });

const dialog = ({ page }: Visitor) => page.getByRole('dialog');

it('an issue is created, linked, resolved with a reason that stays marked, and opened again', async () => {
  const [traceId = ''] = await traces(1, { input: 'My kettle leaks', output: 'Your refund is on its way' });
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  await visitor.open('/issues');
  await page.keyboard.press('n');
  await dialog(visitor).getByLabel('Title').fill('Promises the refund');
  await dialog(visitor).getByLabel('Description').fill('It asks for no order number.');
  await dialog(visitor).getByLabel('Priority').selectOption('High');
  await dialog(visitor).getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { level: 1, name: 'Promises the refund' }).waitFor();
  await page.getByText('It asks for no order number.').waitFor();
  await page.getByText('not seen yet').waitFor();
  const number = Number(new URL(page.url()).pathname.split('/').at(-1));

  await page.keyboard.press('l');
  await dialog(visitor).getByLabel('Traces').fill(traceId);
  await dialog(visitor).getByRole('button', { name: 'Link 1' }).click();
  const linked = page.getByRole('list', { name: 'Linked traces' });
  await linked.getByRole('link', { name: 'My kettle leaks', exact: true }).waitFor();
  await page.getByText('seen once').waitFor();

  await page.getByText('Cannot be resolved yet.').waitFor();
  expect(await page.getByRole('button', { name: 'Resolve …', exact: true }).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Resolve without evidence …' }).click();
  await dialog(visitor).getByLabel('Reason').fill('The feature was removed.');
  await dialog(visitor).getByRole('button', { name: 'Resolve without evidence' }).click();
  await page.getByText('? without evidence').waitFor();
  expect(await get(number)).toMatchObject({
    status: 'RESOLVED',
    priority: 'HIGH',
    resolution: { reason: 'The feature was removed.', withoutEvidence: true },
  });

  await page.getByRole('button', { name: 'Reopen …' }).click();
  await dialog(visitor).getByLabel('Reason').fill('It is back since v17.');
  await dialog(visitor).getByRole('button', { name: 'Reopen' }).click();
  await page.getByText('Reopened', { exact: true }).waitFor();
  const activity = page.getByRole('list', { name: 'Activity' }).getByRole('listitem');
  await expect.poll(() => activity.count()).toBe(4);
  expect((await activity.allTextContents()).map((text) => text.replace(/^.*Ada Lovelace /, ''))).toEqual([
    'opened it again“It is back since v17.”',
    'resolved it without evidence“The feature was removed.”',
    'linked 1 trace',
    'created the issue',
  ]);

  await linked.getByRole('button', { name: 'Remove My kettle leaks' }).click();
  await linked.getByRole('link', { name: 'My kettle leaks', exact: true }).waitFor({ state: 'detached' });
  expect(await get(number)).toMatchObject({ status: 'OPEN', linkCount: 0 });
});

it('failures of a run are added to an issue that is created on the way, by the keyboard', async () => {
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  await visitor.open(`/runs/${scenario.runId}`);
  await page.getByRole('grid', { name: 'Results' }).getByText('✕ Failed').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByText('1 selected').waitFor();
  await page.keyboard.press('i');
  await dialog(visitor).getByLabel('Issue').fill('Says 14 days');
  await dialog(visitor).getByRole('radio', { name: 'New issue “Says 14 days”' }).check();
  await dialog(visitor).getByRole('button', { name: 'Create and add' }).click();
  await page.getByRole('heading', { level: 1, name: 'Says 14 days' }).waitFor();
  await page.getByText('seen once').waitFor();
  await page.getByRole('link', { name: /^test of/ }).click();
  await page.waitForURL('**/tests/*');
  expect(await stage.server.ok('GET', '/v0/issues?search=Says')).toMatchObject({
    data: [{ source: 'TEST', linkCount: 1 }],
  });
});

it('an issue is found by words, and merged into another that has its traces then', async () => {
  const from = await create('Walrus promises');
  const into = await create('Whale promises');
  await stage.server.ok('POST', `/v0/issues/${from.number}/links` as '/v0/issues/{id}/links', {
    body: { selection: { ids: await traces(2) } },
  });
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  await visitor.open('/issues');
  await page.keyboard.press('/');
  await page.keyboard.type('walrus');
  await page.waitForURL(/search=walrus/);
  await page.getByRole('row').filter({ hasText: 'seen 2 times' }).getByRole('link').click();
  await page.getByRole('heading', { level: 1, name: 'Walrus promises' }).waitFor();
  await page.keyboard.press('m');
  await dialog(visitor).getByLabel('Issue', { exact: true }).fill(String(into.number));
  await dialog(visitor)
    .getByRole('radio', { name: /Whale promises/ })
    .check();
  await dialog(visitor).getByRole('button', { name: 'Merge' }).click();
  await page.getByRole('heading', { level: 1, name: 'Whale promises' }).waitFor();
  await page.getByText('seen 2 times').waitFor();
  expect(await get(from.number)).toMatchObject({ status: 'REJECTED', mergedInto: { number: into.number } });
  await visitor.open(`/issues/${from.number}`);
  await page.getByRole('link', { name: `issue #${into.number}` }).waitFor();
});

it('fields are changed, and the palette finds the issue by its title', async () => {
  const { number } = await create('Otter greets twice');
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  await visitor.open(`/issues/${number}?tab=settings`);
  await page.getByLabel('Title').fill('Otter greets thrice');
  await page.getByLabel('Owner').selectOption('Ada Lovelace');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'Otter greets thrice' }).waitFor();
  expect(await get(number)).toMatchObject({ ownerName: 'Ada Lovelace' });
  await page.keyboard.press('Escape');
  await visitor.open('/');
  await page.keyboard.press('Control+K');
  await page.keyboard.type('otter');
  await page.getByRole('option', { name: /Otter greets thrice/ }).click();
  await page.waitForURL(`**/issues/${number}`);
});

it('a rate stands beside its sample and its interval, and chosen traces have none', async () => {
  const ours = annotating(stage.server);
  const sampled = await create('Of a random sample');
  const chosen = await create('Of chosen traces');
  await traces(20);
  const queue = await ours.queue();
  const items = await ours.draw({ queueId: queue.id, count: 20, selection: 'RANDOM' });
  for (const item of items) await ours.complete(item);
  const link = (number: number, ids: string[]) =>
    stage.server.ok('POST', `/v0/issues/${number}/links` as '/v0/issues/{id}/links', {
      body: { selection: { ids } },
    });
  await link(
    sampled.number,
    items.slice(0, 5).map(({ traceId }) => traceId),
  );
  await link(chosen.number, await traces(3));
  const visitor = await stage.visit({ role: 'viewer' });
  const { page } = visitor;
  await visitor.open('/issues');
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  await row('Of a random sample').getByText('5 of 20 sampled').waitFor();
  expect(await row('Of chosen traces').textContent()).not.toContain('%');
  const bars = page.getByRole('list', { name: 'Issues of the sample' }).getByRole('listitem');
  await expect.poll(() => bars.first().textContent()).toMatch(/Of a random sample.*5 of 20$/);
  // The sample is drawn of all traces, some of which other tests have linked.
  expect(await bars.last().textContent()).toMatch(/^No issue.*1[0-5] of 20$/);
  await visitor.open(`/issues/${sampled.number}`);
  await page.getByText(/95 % interval 11\.2.%? to 46\.9/).waitFor();
  expect(await page.getByRole('button', { name: /Resolve|Merge|Reject|Link traces|Remove/ }).count()).toBe(0);
  await page.getByText('Your role only lets you look.').waitFor();
});

it('an annotator links traces, and creates and closes nothing', async () => {
  const { number } = await create('Annotators link');
  const visitor = await stage.visit({ role: 'annotator' });
  const { page } = visitor;
  await visitor.open('/issues');
  await page.getByText('Annotators link').waitFor();
  expect(await page.getByRole('button', { name: 'New issue' }).count()).toBe(0);
  await traces(1, { input: 'Where is the walnut?' });
  await visitor.open('/traces?q=input:walnut');
  await page.getByRole('checkbox', { name: /^Select .*Where is the walnut\?$/ }).check();
  await page.getByRole('button', { name: 'Add to issue' }).click();
  await dialog(visitor).getByLabel('Issue', { exact: true }).fill('Annotators');
  expect(
    await dialog(visitor)
      .getByRole('radio', { name: /New issue/ })
      .count(),
  ).toBe(0);
  await dialog(visitor)
    .getByRole('radio', { name: /Annotators link/ })
    .check();
  await dialog(visitor).getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText(`1 added to issue #${number}`).waitFor();
  await visitor.open(`/issues/${number}`);
  await page.getByRole('button', { name: 'Link traces …' }).waitFor();
  expect(await page.getByRole('button', { name: /Resolve|Merge|Reject/ }).count()).toBe(0);
});

it.each([390, 1440])(
  'pages and dialogs of an issue are accessible in a window of %d pixels',
  async (width) => {
    const { number } = await create('Accessible');
    await stage.server.ok('POST', `/v0/issues/${number}/links` as '/v0/issues/{id}/links', {
      body: { selection: { ids: await traces(2) } },
    });
    const visitor = await stage.visit({ role: 'editor', width, height: 844 });
    const { page } = visitor;
    const check = async (): Promise<void> => {
      expect(await visitor.accessibilityProblems()).toEqual([]);
      await visitor.useTheme('dark');
      expect(await visitor.accessibilityProblems('color-contrast')).toEqual([]);
      await visitor.useTheme('light');
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(overflow).toBeLessThanOrEqual(0);
    };
    await visitor.open('/issues?status=all');
    await page.getByText('Accessible').first().waitFor();
    await check();
    await visitor.open(`/issues/${number}`);
    await page.getByText('seen 2 times').waitFor();
    await check();
    for (const name of ['Merge …', 'Reject …', 'Resolve without evidence …', 'Link traces …']) {
      await page.getByRole('button', { name }).click();
      await dialog(visitor).waitFor();
      await check();
      await page.keyboard.press('Escape');
      await dialog(visitor).waitFor({ state: 'detached' });
    }
  },
);

it('two people at once: a change of one is seen by the other, who overwrites nothing', async () => {
  const { id, number } = await create('Two at once');
  const [traceId = ''] = await traces(1);
  const [one, two] = [
    await stage.visit({ role: 'editor' }),
    await stage.visit({ role: 'admin', usesUpWindow: true }),
  ];
  await one.open(`/issues/${number}`);
  await two.open(`/issues/${number}`);
  await one.page.getByRole('button', { name: 'Resolve without evidence …' }).click();
  await dialog(one).getByLabel('Reason').fill('Mine.');
  await dialog(one).getByRole('button', { name: 'Resolve without evidence' }).click();
  await one.page.getByText('? without evidence').waitFor();

  // The other page still shows it as open: its attempt is rejected in words, and changes nothing.
  await two.page.getByRole('button', { name: 'Resolve without evidence …' }).click();
  await dialog(two).getByLabel('Reason').fill('Theirs.');
  await dialog(two).getByRole('button', { name: 'Resolve without evidence' }).click();
  await dialog(two).getByText('The issue is RESOLVED; only an open one can be resolved').waitFor();
  expect(await get(number)).toMatchObject({ resolution: { reason: 'Mine.' } });

  // Both link the same trace, which counts once.
  const link = () =>
    stage.server.ok('POST', `/v0/issues/${id}/links`, { body: { selection: { ids: [traceId] } } });
  await Promise.all([link(), link()]);
  expect(await get(number)).toMatchObject({ linkCount: 1 });
});

it('an issue has a parent and parts, and its history is read to the beginning', async () => {
  const parent = await create('All refunds');
  const part = await create('Refunds of kettles');
  const rename = (title: string) => stage.server.ok('PUT', `/v0/issues/${part.id}`, { body: { title } });
  for (let place = 1; place <= 55; place += 1) await rename(`Refunds of kettles ${place}`);
  await stage.server.ok('PUT', `/v0/issues/${part.id}`, { body: { parentId: parent.id } });
  const visitor = await stage.visit({ role: 'viewer' });
  const { page } = visitor;
  await visitor.open(`/issues/${part.number}`);
  await page
    .getByRole('link', { name: /All refunds/ })
    .first()
    .waitFor();
  await page.getByText('The newest 50 of 57 events.').waitFor();
  await page.getByRole('button', { name: 'Show 7 earlier' }).click();
  await page.getByRole('list', { name: 'Activity' }).getByText('created the issue').waitFor();
  await visitor.open(`/issues/${parent.number}`);
  const link = page.getByRole('link', { name: /Refunds of kettles 55/ }).first();
  await link.waitFor();
  expect(await link.getAttribute('href')).toContain(`/issues/${part.number}`);
});
