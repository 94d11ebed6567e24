/** From a file with conversations to the first failed answer, in a browser and by keyboard. */
import { afterAll, expect, it } from 'vitest';
import { useStage } from './support/browser.ts';
import { openTestedApp, PROMPTS, QUICK_TESTS, type TestedApp } from './support/tested-app.ts';

let tested: TestedApp | undefined;
const stage = useStage(
  async (server) => {
    tested = await openTestedApp(server);
  },
  { config: QUICK_TESTS },
);
afterAll(() => tested?.app.close());

const csv = (...lines: string[]): { name: string; mimeType: string; buffer: Buffer } => ({
  name: 'support-chats-october.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(lines.join('\n')),
});

const CONVERSATIONS = csv(
  'topic,task,input,output,mood',
  `Parcels,Where is my parcel?,${PROMPTS.good},"It is in the depot, and comes tomorrow.",good`,
  'Parcels,Where is my parcel?,Is it late?,No.,bad',
  `Refunds,"Damaged item, wants a refund","${PROMPTS.failing}",Asks for the order number.,bad`,
  'Talk,Weather,Nice day?,Yes.,good',
  'Talk,Weather,,Nobody asked.,good',
);
const POLICIES = csv('title,content,criterion', 'Order number,Ask for it first.,Asks for the order number');
const LAST = csv('title,content', 'Depots,They open at nine.');

it('leads by keyboard from a file to the first failed answer', async () => {
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  const isClean = async (): Promise<void> => expect(await visitor.accessibilityProblems()).toEqual([]);

  await visitor.open('/quickstarts');
  await page.getByText('No quickstarts yet').waitFor();
  await isClean();
  await page.keyboard.press('n');
  await page.getByLabel('Name').fill('Support chats');
  await isClean();
  await page.keyboard.press('Enter');

  // Upload: the columns are shown before, and what was rejected afterwards.
  const file = page.getByLabel('Choose a CSV file, or drop it here');
  await file.setInputFiles(csv('name,mail', 'Ada,ada@example.com'));
  await page.getByText('The header needs a column named input').waitFor();
  expect(await page.getByRole('button', { name: 'Upload', exact: true }).isDisabled()).toBe(true);
  await file.setInputFiles(CONVERSATIONS);
  const columns = page.getByRole('table', { name: 'Columns' });
  await columns.getByRole('row', { name: /output.*becomes expected.*It is in the depot, and/ }).waitFor();
  await columns.getByRole('row', { name: /mood.*not used/ }).waitFor();
  await isClean();
  await page.getByRole('button', { name: 'Upload', exact: true }).press('Enter');
  await page.getByText('5 rows: 4 conversations, 3 topics, 3 tasks, 4 examples.').waitFor();
  await page.getByText('1 line was rejected.').waitFor();
  await page.getByRole('row', { name: '6 has no input' }).waitFor();
  await page.getByText('Columns that were not used: mood').waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the list' }).press('Enter');
  expect((await download).suggestedFilename()).toBe('rejected-support-chats-october.csv');
  for (const [kind, given] of [
    ['Policies', POLICIES],
    ['Knowledge', LAST],
  ] as const) {
    await page.getByLabel('What is in the file').selectOption(kind);
    await file.setInputFiles(given);
    await page.getByRole('button', { name: 'Upload', exact: true }).press('Enter');
    await page.getByText(kind === 'Policies' ? '1 document, 1 evaluator' : '1 row: 1 document.').waitFor();
  }
  await isClean();
  await page.getByRole('button', { name: 'Review topics and tasks' }).press('Enter');

  // Topics and tasks: the first is edited and accepted, the second rejected, the rest accepted.
  const steps = page.getByRole('navigation', { name: 'Steps' });
  await page
    .getByRole('row', { name: `Keep ${PROMPTS.good}` })
    .getByText('It is in the depot')
    .waitFor();
  await isClean();
  await page.keyboard.press('e');
  await page.keyboard.press('End');
  await page.keyboard.type(' (track)');
  await page.getByRole('checkbox', { name: 'Keep Is it late?' }).press('Space');
  // What was written survives a reload.
  await page.reload();
  await page.getByRole('checkbox', { name: 'Keep Is it late?', checked: false }).waitFor();
  await page.keyboard.press('a');
  await steps.getByText('Topics and tasks, 1 of 3').waitFor();
  await page.getByLabel('Task', { exact: true }).and(page.locator('[value^="Damaged item"]')).waitFor();
  await page.keyboard.press('j');
  await page.getByLabel('Task', { exact: true }).and(page.locator('[value="Weather"]')).waitFor();
  await page.keyboard.press('r');
  await steps.getByText('Topics and tasks, 2 of 3').waitFor();
  await page.keyboard.press('Shift+A');
  await steps.getByText('Topics and tasks, 3 of 3').waitFor();
  await page.getByText('all reviewed').waitFor();
  await page.getByRole('button', { name: 'Next: Knowledge' }).press('Enter');

  // Knowledge, policies with their evaluators, style.
  await page.getByText('They open at nine.').waitFor();
  await isClean();
  await page.keyboard.press('r');
  await page.getByRole('alertdialog').getByText('The document is deleted.').waitFor();
  await isClean();
  await page.getByRole('button', { name: 'Cancel' }).press('Enter');
  await page.keyboard.press('a');
  await steps.getByText('Knowledge, 1 of 1').waitFor();
  await page.getByRole('button', { name: 'Next: Policies' }).press('Enter');
  await page.getByText('Ask for it first.').waitFor();
  await page.keyboard.press('a');
  await page.getByText('A judge will check every response').waitFor();
  await isClean();
  await page.keyboard.press('r');
  await steps.getByText('Policies, 2 of 2').waitFor();
  await page.getByRole('button', { name: 'Next: Style' }).press('Enter');
  await page.getByText('A style guide says how your app should write.').waitFor();
  await isClean();
  await page.getByLabel('Heading').fill('Tone');
  await page.getByLabel('Rules').fill('Friendly and short.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await steps.getByText('Style, 1 of 1').waitFor();
  await page.getByRole('button', { name: 'Next: Confirm and run' }).press('Enter');

  // Confirm, run, and understand what failed.
  await page.getByText('Everything was reviewed.').waitFor();
  await isClean();
  await page.getByRole('button', { name: 'Confirm and activate' }).press('Enter');
  await page.getByText('Everything is active.').waitFor();
  await page.getByText('2 tasks have 2 examples').waitFor();
  await isClean();
  await page.getByRole('button', { name: 'Run the tests …' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Sends all 2 examples of 2 tasks to your app.').waitFor();
  await isClean();
  await dialog.getByRole('button', { name: 'Run the tests' }).press('Enter');
  const failed = page.getByRole('row').filter({ hasText: '1 app error' });
  await failed.getByRole('link').first().click();
  await page.getByText('App error: the webhook responded with 500').first().waitFor();
});

it('resumes at the step where it was left, also on a phone, and is only read by viewers', async () => {
  const made = await stage.server.call('POST', '/v0/quickstarts', { body: { name: 'Half done' } });
  const { id } = (made.json as { data: { id: string } }).data;
  await stage.server.call('PUT', `/v0/quickstarts/${id}`, { body: { status: 'TASKS_TOPICS_REVIEW' } });
  const { task } = (
    await stage.server.call('POST', '/v0/tasks', {
      body: { title: 'Gift cards', status: 'DRAFT', quickstartId: id, inputExamples: ['Is it valid?'] },
    })
  ).json as { task: { id: string } };
  const visitor = await stage.visit({ role: 'viewer', width: 390, height: 844 });
  const { page } = visitor;
  await visitor.open('/quickstarts');
  await page.getByRole('link', { name: 'Half done' }).click();
  await page.getByText('Is it valid?').waitFor();
  expect(new URL(page.url()).pathname).toBe(`/quickstarts/${id}/tasks`);
  expect(await page.getByRole('button', { name: /^Accept/ }).count()).toBe(0);
  expect(await page.getByLabel('Task', { exact: true }).isDisabled()).toBe(true);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await stage.server.call('DELETE', `/v0/tasks/${task.id}`);
});
