import { expect, it } from 'vitest';
import { useStage } from './support/browser.ts';
import type { Visitor } from './support/visitor.ts';

const stage = useStage(async (server) => {
  const event = { type: 'trace', timestamp: new Date().toISOString(), input: 'Hello', output: 'Hi' };
  await server.call('POST', '/v0/ingest', { body: { events: [event] } });
});

const button = ({ page }: Visitor, name: string) => page.getByRole('button', { name, exact: true });
const item = ({ page }: Visitor, name: string | RegExp) => page.getByRole('menuitem', { name });
const searchOf = ({ page }: Visitor): Record<string, string> =>
  Object.fromEntries(new URL(page.url()).searchParams);

async function save(visitor: Visitor, name: string): Promise<void> {
  await button(visitor, 'Views').press('Enter');
  await item(visitor, 'Save this view …').press('Enter');
  await visitor.page.getByLabel('Name').fill(name);
  await visitor.page.keyboard.press('Enter');
  await visitor.page.getByText(`View “${name}” saved`).waitFor();
}

it('views are saved, opened, renamed, shared and deleted by keyboard', async () => {
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  await visitor.open('/traces?q=duration:>10s&sort=-durationMs&columns=name,cost');
  await button(visitor, 'Views').press('Enter');
  await page.getByText('No views yet.').waitFor();
  expect(await visitor.accessibilityProblems('color-contrast')).toEqual([]);
  await page.keyboard.press('Escape');
  await save(visitor, 'Slow');
  await button(visitor, 'Views').press('Enter');
  await item(visitor, 'Slow (open)').waitFor();
  await page.keyboard.press('Escape');

  await visitor.open('/traces?q=errors:yes&skip=0');
  await button(visitor, 'Views').press('Enter');
  await item(visitor, 'Slow').press('Enter');
  await page.getByText('No trace matches').waitFor();
  expect(searchOf(visitor)).toEqual({ q: 'duration:>10s', sort: '-durationMs', columns: 'name,cost' });

  await button(visitor, 'Views').press('Enter');
  await item(visitor, 'Edit views …').press('Enter');
  await button(visitor, 'Edit Slow').press('Enter');
  await page.getByLabel('Name').fill('Slow traces');
  await page.getByLabel('Shared with').press('Space');
  await page.getByLabel('Name').press('Enter');
  await page.getByText('shared by Ada Lovelace').waitFor();
  expect(await visitor.accessibilityProblems('color-contrast')).toEqual([]);

  const viewer = await stage.visit({ role: 'viewer' });
  await viewer.open('/traces');
  await button(viewer, 'Views').click();
  await item(viewer, 'Slow traces').click();
  await viewer.page.getByText('No trace matches').waitFor();

  await button(visitor, 'Delete Slow traces').press('Enter');
  await button(visitor, 'Delete the view').press('Enter');
  await page.getByText('No views are left.').waitFor();
});

it('views of tests keep all their filters', async () => {
  const visitor = await stage.visit({ role: 'annotator' });
  await visitor.open('/tests?status=FAILED&last=7d');
  await save(visitor, 'Failed');
  await visitor.open('/tests');
  await button(visitor, 'Views').click();
  await item(visitor, 'Failed').click();
  await button(visitor, 'Clear').waitFor();
  expect(searchOf(visitor)).toEqual({ status: 'FAILED', last: '7d' });
});
