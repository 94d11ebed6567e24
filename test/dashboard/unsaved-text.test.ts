import { expect, it } from 'vitest';
import { useStage } from './support/browser.ts';

const stage = useStage();

it('what was entered in a form outlives Esc, a reload and an expired login, and is gone once it is discarded', async () => {
  const visitor = await stage.visit({ role: 'admin' });
  const { page } = visitor;
  const topic = (await stage.server.call('POST', '/v0/topics', { body: { title: 'Refunds' } })).json as {
    data: { id: string };
  };
  const path = `/topics/${topic.data.id}?tab=settings` as const;
  await visitor.open(path);
  const title = page.getByLabel('Title', { exact: true });
  await title.fill('Refunds and returns');
  await title.blur();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { level: 1, name: 'Topics' }).waitFor();
  await page.goBack();
  await expect.poll(() => title.inputValue()).toBe('Refunds and returns');
  await page.reload();
  await expect.poll(() => title.inputValue()).toBe('Refunds and returns');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.reload();
  await expect.poll(() => title.inputValue()).toBe('Refunds');
});

it('a dialog asks before Esc discards text', async () => {
  const visitor = await stage.visit({ role: 'admin' });
  const { page } = visitor;
  await visitor.open('/topics');
  await page.getByRole('button', { name: 'New topic' }).first().click();
  const dialog = page.getByRole('dialog');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'New topic' }).first().click();
  const title = dialog.getByLabel('Title');
  await title.fill('Shipping');
  await page.keyboard.press('Escape');
  await dialog.getByText('Discard what you have entered?').waitFor();
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  expect(await title.inputValue()).toBe('Shipping');
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await dialog.waitFor({ state: 'detached' });
});

it('an unknown tab in the address shows the first one', async () => {
  const visitor = await stage.visit({ role: 'admin' });
  for (const [path, tab] of [
    ['/webhook?tab=unknown', 'Settings'],
    ['/documents?tab=unknown', 'Documents'],
    ['/settings?tab=unknown', 'Application'],
  ] as const) {
    await visitor.open(path);
    const current = visitor.page.locator('main nav [aria-current="page"]');
    expect(await current.textContent()).toBe(tab);
  }
});
