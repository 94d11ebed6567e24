import { expect, it } from 'vitest';
import { useStage } from './support/browser.ts';
import type { Visitor } from './support/visitor.ts';

const stage = useStage(async (server) => {
  const globalConfig = { assertions: [{ type: 'contains', value: 'e' }] };
  await server.call('POST', '/v0/definitions', { body: { name: 'Polite', type: 'ASSERT', globalConfig } });
  await server.call('POST', '/v0/tags', { body: { name: 'smoke' } });
});

const button = ({ page }: Visitor, name: string) => page.getByRole('button', { name, exact: true });
const inDialog = ({ page }: Visitor, name: string) => page.getByRole('dialog').getByRole('button', { name });

/** Edits one of two examples, deletes the other, and imports a file. */
async function editExamples(visitor: Visitor): Promise<void> {
  const { page } = visitor;
  await page.getByRole('link', { name: 'Where is my money?' }).click();
  await page.waitForURL(/example=/);
  await page.getByLabel('Expected output', { exact: true }).fill('{"days": 30');
  await page.getByLabel('The expected output is JSON').check();
  await page.getByText('is no JSON').waitFor();
  await page.getByLabel('Expected output', { exact: true }).fill('{"days": 30}');
  await page.getByRole('dialog').getByLabel('Subset').fill('train');
  await inDialog(visitor, 'Save').click();
  await page.getByText('Example saved').waitFor();
  await button(visitor, 'Actions of “I want my money back”').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await button(visitor, 'Delete the example').click();
  await page.getByRole('link', { name: 'Examples (1)' }).waitFor();

  await page.keyboard.press('i');
  const csv = 'question,answer,note,split\nHow long?,30 days,,test\n,nothing,,\nHow much?,all,,test\n';
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'questions.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await page.getByText('Not used: note').waitFor();
  await page.getByRole('cell', { name: '3', exact: true }).waitFor();
  expect(await page.getByRole('dialog').getByLabel('Input').inputValue()).toBe('question');
  await inDialog(visitor, 'Import 2').click();
  await page.getByText('2 added').waitFor();
  await inDialog(visitor, 'Close').click();
  await page.getByRole('link', { name: 'Examples (3)' }).waitFor();

  await page.getByLabel('Subset').fill('train');
  await page.getByLabel('Subset').press('Enter');
  await page.getByText('1 example', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Where is my money?' }).click();
  await button(visitor, 'Show what was changed').click();
  await page.getByLabel('Versions').locator('ins', { hasText: 'train' }).waitFor();
  await inDialog(visitor, 'Close').click();
  await page.waitForURL(/tab=examples&split=train$/);
}

it('a topic and its task are made, filled, scheduled, tagged and judged in the browser', async () => {
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  await visitor.open('/topics');
  await page.keyboard.press('n');
  await page.getByLabel('Title').fill('Refunds');
  await inDialog(visitor, 'Create').click();
  await page.getByRole('heading', { name: 'Refunds' }).waitFor();

  await button(visitor, 'New task').click();
  await page.getByLabel('Title').fill('Refund within 30 days');
  await page.getByLabel('Examples').fill('I want my money back\n\nWhere is my money?');
  await inDialog(visitor, 'Create').click();
  await page.getByRole('heading', { name: 'Refund within 30 days' }).waitFor();
  await page.getByRole('link', { name: 'Evaluators', exact: true }).last().click();
  await page.getByLabel('Link an evaluator').selectOption({ label: 'Polite' });
  await button(visitor, 'Unlink Polite from Refund within 30 days').waitFor();
  await page.getByRole('link', { name: 'Evaluators (1)' }).waitFor();
  await page.getByRole('link', { name: 'Results', exact: true }).click();
  await page.getByLabel('Add a tag').selectOption({ label: 'smoke' });
  await button(visitor, 'Remove smoke').waitFor();
  await page.getByRole('link', { name: 'Schedule', exact: true }).click();
  await button(visitor, 'Set a schedule').click();
  await page.getByRole('dialog').getByText('No webhook is configured, so no test can run.').waitFor();
  await page.getByLabel('Rhythm').selectOption('MEDIUM');
  await page.getByLabel('Time', { exact: true }).fill('09:30');
  await page.getByLabel('Time zone').fill('Europe/Berlin');
  await inDialog(visitor, 'Save').click();
  await page.getByText('Every Monday at 09:30 (Europe/Berlin)').waitFor();
  await page.getByLabel('Next runs').getByRole('listitem').nth(4).waitFor();

  await page.getByRole('link', { name: 'Examples (2)' }).click();
  await editExamples(visitor);

  await page.getByRole('link', { name: 'Settings', exact: true }).last().click();
  await page.getByLabel('Metadata').fill('[1]');
  await button(visitor, 'Save').click();
  await page.getByText('must be a JSON object').waitFor();
  await page.getByLabel('Metadata').fill('{"locale": "en"}');
  await button(visitor, 'Save').click();
  await page.getByText('Task saved').waitFor();

  const json = await stage.server.ok('GET', '/v0/tasks');
  expect(json.data).toMatchObject([
    {
      title: 'Refund within 30 days',
      inputExamples: ['Where is my money?', 'How long?', 'How much?'],
      metadata: { locale: 'en' },
      evalDefinitions: [{ evalDefinition: { name: 'Polite' } }],
      taskSchedule: { criticality: 'MEDIUM', cron: '30 9 * * MON' },
    },
  ]);
});

it('a document is uploaded, changed, compared and approved', async () => {
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  await visitor.open('/documents');
  await page.keyboard.press('u');
  const csv = 'title,content\nRefunds,Within 30 days.\nEmpty,\n';
  await page
    .getByLabel('File', { exact: true })
    .setInputFiles({ name: 'policies.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await page.getByRole('dialog').getByLabel('Type').selectOption('POLICY');
  await inDialog(visitor, 'Upload').click();
  await page.getByText('1 document was created').waitFor();
  await page.getByRole('cell', { name: '3', exact: true }).waitFor();
  await inDialog(visitor, 'Close').click();
  await page.getByRole('link', { name: 'Refunds' }).click();
  await button(visitor, 'New version').click();
  await page.getByLabel('Content').fill('Within 60 days.');
  await inDialog(visitor, 'Save as a draft').click();
  await page.waitForURL(/to=2&from=1/);
  await page.locator('ins', { hasText: '60' }).waitFor();
  await button(visitor, 'Send to review').click();
  await button(visitor, 'Approve').click();
  await page.getByText('Version 2 is approved').waitFor();
  await page.getByRole('link', { name: 'Chunks' }).click();
  await page.getByText('Within 60 days.').waitFor();
  const json = await stage.server.ok('GET', '/v0/documents');
  expect(json.data).toMatchObject([
    {
      type: 'POLICY',
      content: 'Within 60 days.',
      versions: [{ status: 'APPROVED' }, { status: 'ARCHIVED' }],
    },
  ]);
});

it('a viewer sees everything and can change nothing', async () => {
  const [task] = (await stage.server.ok('GET', '/v0/tasks')).data;
  const visitor = await stage.visit({ role: 'viewer' });
  const paths = [
    '/tasks',
    `/tasks/${task?.id}`,
    `/tasks/${task?.id}?tab=examples`,
    `/topics/${task?.topicId}`,
  ];
  for (const path of [...paths, '/tags', '/schedules', '/documents']) {
    await visitor.open(path);
    const changing = /^(?:New|Run|Add|Edit|Delete|Remove|Link|Unlink|Upload|Set)\b/;
    expect(await visitor.page.getByRole('button', { name: changing }).count(), path).toBe(0);
  }
  await visitor.open(`/tasks/${task?.id}?tab=settings`);
  await visitor.page.getByRole('main').getByText('Your role only lets you look.').last().waitFor();
  expect(await visitor.page.getByLabel('Title').isDisabled()).toBe(true);
});
