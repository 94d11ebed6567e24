/** Notes on words of a trace, and their way into an issue, on screen. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Note } from '../../src/api/generated/schema.ts';
import { storeAnswer } from './support/answered-trace.ts';
import { useStage } from './support/browser.ts';
import type { Visitor } from './support/visitor.ts';

const stage = useStage();

const ANSWER = 'I am sorry. Your refund of €49.90 is on its way. Your refund reaches you in 3 days.';

const trace = (output = ANSWER, input?: string): Promise<string> => storeAnswer(stage.server, output, input);
const notesOf = async (traceId: string): Promise<readonly Note[]> =>
  (await stage.server.ok('GET', `/v0/notes?traceId=${traceId}&orderBy=createdAt`)).data;
const write = async (traceId: string, text: string, more: object = {}): Promise<Note> =>
  (await stage.server.ok('POST', '/v0/notes', { body: { traceId, text, ...more } })).data;

const dialog = ({ page }: Visitor) => page.getByRole('dialog');
const answer = ({ page }: Visitor) => page.getByRole('article', { name: 'The answer' });

/** Selects words on the page: from an occurrence of the first ones to the end of the last ones. */
const select = ({ page }: Visitor, first: string, last = first, occurrence = 0): Promise<void> =>
  page.evaluate(`(() => {
    const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    const places = (words) => {
      const found = [];
      walker.currentNode = walker.root;
      for (let node = walker.nextNode(); node; node = walker.nextNode())
        for (let at = node.data.indexOf(words); at !== -1; at = node.data.indexOf(words, at + 1)) found.push([node, at]);
      return found;
    };
    const [first, last] = ${JSON.stringify([first, last])};
    const [node, at] = places(first)[${occurrence}];
    const [end, endAt] = first === last ? [node, at] : places(last)[0];
    document.getSelection().setBaseAndExtent(node, at, end, endAt + last.length);
  })()`);

/** Returns the words that the browser paints as those of notes, in the order of the page. */
const marked = ({ page }: Visitor): Promise<string[]> =>
  page.evaluate(
    "[...new Set([...(CSS.highlights.get('note') ?? [])].filter((range) => range.getClientRects().length > 0).map(String))]",
  );

it('words of the answer are selected, noted, marked, shown below and in a tab, changed and deleted', async () => {
  const traceId = await trace();
  const visitor = await stage.visit({ role: 'annotator' });
  const { page } = visitor;
  await visitor.open(`/traces/${traceId}`);
  await answer(visitor).getByText(ANSWER).waitFor();
  expect(await page.getByRole('tab', { name: /Notes/ }).count()).toBe(0);
  await select(visitor, 'Your refund', 'Your refund', 1);
  await page.getByRole('button', { name: 'Add note' }).last().click();
  expect(await dialog(visitor).getByLabel('Words').inputValue()).toBe('Your refund');
  await dialog(visitor).getByLabel('Note').fill('Promises it a second time.');
  await dialog(visitor).getByRole('button', { name: 'Save' }).click();
  await page.getByText('Note saved').waitFor();
  const start = ANSWER.lastIndexOf('Your refund');
  expect(await notesOf(traceId)).toMatchObject([
    { field: 'OUTPUT', start, end: start + 11, quote: 'Your refund', text: 'Promises it a second time.' },
  ]);
  const below = page.getByRole('list', { name: 'Notes on the answer' });
  await below.getByText('Promises it a second time.').waitFor();
  await expect.poll(() => marked(visitor)).toEqual(['Your refund']);
  await page.keyboard.press('6');
  const tab = page.getByRole('list', { name: 'Notes on the trace' });
  await tab.getByText('on this answer').waitFor();
  expect(await page.getByRole('tab', { name: /^Notes ?1$/ }).getAttribute('aria-selected')).toBe('true');

  await tab.getByRole('button', { name: 'Edit' }).click();
  await dialog(visitor).getByLabel('Note').fill('Says it twice.');
  await dialog(visitor).getByRole('button', { name: 'Save' }).click();
  await tab.getByText('Says it twice.').waitFor();
  await tab.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await tab.waitFor({ state: 'detached' });
  await expect.poll(() => marked(visitor)).toEqual([]);
  expect(await notesOf(traceId)).toEqual([]);
});

it('by the keyboard alone, words are noted on two traces, and both notes are put into one new issue', async () => {
  const traceIds = [await trace(), await trace('We refund the **full** price today.')];
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  for (const [at, words] of ['refund of €49.90', 'refund the full price'].entries()) {
    await visitor.open(`/traces/${traceIds[at]}`);
    await answer(visitor).waitFor();
    await page.keyboard.press('w');
    await dialog(visitor).getByLabel('Note').waitFor();
    await page.keyboard.type(`Promises the money, ${at + 1}`);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type(words);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('list', { name: 'Notes on the answer' }).getByText('Promises the money').waitFor();
  }
  expect(await notesOf(traceIds[1] ?? '')).toMatchObject([
    { quote: 'refund the full price', start: 3, end: 28, field: 'OUTPUT' },
  ]);
  await visitor.open('/issues');
  await page.getByRole('link', { name: /Notes without an issue · \d/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('row', { name: /Promises the money, 1/ }).waitFor();
  for (let n = 1; n <= 2; n += 1) {
    await page.keyboard.press('j');
    await page.keyboard.press('x');
  }
  await page.getByText('2 selected').waitFor();
  await page.keyboard.press('i');
  await dialog(visitor).getByLabel('Issue', { exact: true }).waitFor();
  await page.keyboard.type('Promises the refund');
  const radio = dialog(visitor).getByRole('radio', { name: 'New issue “Promises the refund”' });
  await radio.focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await page.getByText(/2 added to issue #\d/).waitFor();
  await page
    .getByRole('row', { name: /Promises the money/ })
    .first()
    .waitFor({ state: 'detached' });
  const { data } = await stage.server.ok('GET', '/v0/issues?search=Promises');
  expect(data).toMatchObject([{ linkCount: 2 }]);
  await visitor.open(`/issues/${data[0]?.number}`);
  const listed = page.getByRole('list', { name: 'Notes on the issue' });
  await listed.getByText('Promises the money, 1').waitFor();
  await listed.getByText('Promises the money, 2').waitFor();
  await listed.getByRole('link', { name: 'trace' }).first().press('Enter');
  await page.getByRole('list', { name: 'Notes on the trace' }).getByText('Promises the refund').waitFor();
});

it('a note becomes a new issue, or is added to one that exists', async () => {
  const traceId = await trace();
  await write(traceId, 'Promises money without an order number.\nSee the policy.');
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  await visitor.open(`/traces/${traceId}?tab=notes`);
  const tab = page.getByRole('list', { name: 'Notes on the trace' });
  await tab.getByRole('button', { name: 'Add to issue' }).click();
  await dialog(visitor)
    .getByRole('radio', { name: 'New issue “Promises money without an order number.”' })
    .check();
  await dialog(visitor).getByRole('button', { name: 'Create and add' }).click();
  await tab.getByRole('link', { name: /#\d+ Promises money without an order number\./ }).waitFor();
  expect(await tab.textContent()).not.toContain('changed');

  await page.keyboard.press('w');
  await dialog(visitor).getByLabel('Note').fill('Again');
  await dialog(visitor).getByLabel('Then add it to an issue').check();
  await dialog(visitor).getByRole('button', { name: 'Save' }).click();
  await dialog(visitor)
    .getByRole('radio', { name: /Promises money without an order number/ })
    .check();
  await dialog(visitor).getByRole('button', { name: 'Add', exact: true }).click();
  await expect.poll(() => tab.getByRole('link', { name: /#\d+ Promises money/ }).count()).toBe(2);
});

it('a note is kept while it is written: over a reload, over the way back, and when the server is away', async () => {
  const traceId = await trace();
  const visitor = await stage.visit({ role: 'annotator' });
  const { page } = visitor;
  await visitor.open(`/traces/${traceId}`);
  await answer(visitor).waitFor();
  await select(visitor, 'Your refund');
  await page.keyboard.press('w');
  const note = dialog(visitor).getByLabel('Note');
  await note.fill('Half a note');
  await page.reload();
  await expect.poll(() => note.inputValue()).toBe('Half a note');
  await page.goto(`${stage.server.url}/traces`);
  await page.goBack();
  await expect.poll(() => note.inputValue()).toBe('Half a note');
  await page.route('**/v0/notes', (route) => route.abort());
  await dialog(visitor).getByRole('button', { name: 'Save' }).click();
  await dialog(visitor).getByRole('alert').waitFor();
  expect(await note.inputValue()).toBe('Half a note');
  visitor.takeReported();
  await page.unroute('**/v0/notes');
  await dialog(visitor).getByRole('button', { name: 'Save' }).click();
  await page.getByText('Note saved').waitFor();
  expect(await notesOf(traceId)).toMatchObject([{ quote: 'Your refund', text: 'Half a note' }]);
  await page.reload();
  await answer(visitor).waitFor();
  expect(await dialog(visitor).count()).toBe(0);
});

it('long selections are shortened, those of several texts end with the first one, and words that are not there rejected', async () => {
  const long = `Begin ${'🎈'.repeat(1_500)} end`;
  const traceId = await trace(long, 'Where is my balloon?');
  const visitor = await stage.visit({ role: 'annotator' });
  const { page } = visitor;
  await visitor.open(`/traces/${traceId}`);
  await answer(visitor).waitFor();
  await select(visitor, 'Begin', ' end');
  await page.keyboard.press('w');
  const words = dialog(visitor).getByLabel('Words');
  await dialog(visitor)
    .getByText(/The first 2.048 characters/)
    .waitFor();
  expect((await words.inputValue()).isWellFormed()).toBe(true);
  await dialog(visitor).getByLabel('Note').fill('Too many balloons');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Note saved').waitFor();
  await select(visitor, 'my balloon', 'Begin');
  await page.keyboard.press('w');
  await dialog(visitor).getByText('The words of the first text').waitFor();
  expect(await words.inputValue()).toBe('my balloon?');
  await words.fill('your dog');
  await dialog(visitor).getByLabel('Note').fill('A dog');
  await page.keyboard.press('Control+Enter');
  await dialog(visitor).getByText('does not contain these words').waitFor();
  await words.fill('balloon');
  await dialog(visitor).getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await notesOf(traceId)).length).toBe(2);
  expect((await notesOf(traceId)).find(({ text }) => text === 'A dog')).toMatchObject({
    field: 'INPUT',
    quote: 'balloon',
    start: 12,
  });
});

it('a note whose words are gone stands in the tab, and one on a trace that was deleted meanwhile is not lost', async () => {
  const traceId = await trace('כאן הכסף שלך');
  const { data: spans } = await stage.server.ok('GET', `/v0/traces/${traceId}/spans`);
  const spanId = spans[0]?.id ?? null;
  await write(traceId, 'They stood here', { spanId, start: 0, end: 4, quote: 'gone' });
  const visitor = await stage.visit({ role: 'annotator' });
  const { page } = visitor;
  await visitor.open(`/traces/${traceId}?tab=notes`);
  const tab = page.getByRole('list', { name: 'Notes on the trace' });
  await tab.getByText('no longer in the text').waitFor();
  expect(await marked(visitor)).toEqual([]);
  await select(visitor, 'הכסף');
  await page.keyboard.press('w');
  expect(await dialog(visitor).getByLabel('Words').inputValue()).toBe('הכסף');
  await dialog(visitor).getByLabel('Note').fill('נכון');
  await stage.server.ok('DELETE', `/v0/traces/${traceId}` as '/v0/traces/{id}');
  await dialog(visitor).getByRole('button', { name: 'Save' }).click();
  await dialog(visitor).getByRole('alert').waitFor();
  expect(await dialog(visitor).getByLabel('Note').inputValue()).toBe('נכון');
});

it('blind reviewers see their own notes, and nothing of those of others', async () => {
  const traceId = await trace();
  const secret = `Hidden ${randomUUID()}`;
  await write(traceId, secret, { start: 0, end: 4, quote: 'I am' });
  const body = { title: 'Blind', isBlind: true };
  const { data: queue } = await stage.server.ok('POST', '/v0/human-annotation-queues', { body });
  await stage.server.ok('POST', '/v0/human-annotation-queue-items', { body: { queueId: queue.id, traceId } });
  const visitor = await stage.visit({ role: 'annotator' });
  const { page } = visitor;
  const bodies: Promise<string>[] = [];
  page.on('response', (response) => bodies.push(response.text().catch(() => '')));
  await visitor.open(`/traces/${traceId}?tab=notes`);
  await answer(visitor).waitFor();
  await page.getByText('Withheld until your review').first().waitFor();
  await select(visitor, 'Your refund');
  await page.keyboard.press('w');
  await dialog(visitor).getByLabel('Note').fill('My own note');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('list', { name: 'Notes on the trace' }).getByText('My own note').waitFor();
  await expect.poll(() => marked(visitor)).toEqual(['Your refund']);
  await visitor.open('/issues/group');
  await page.getByRole('row', { name: /My own note/ }).waitFor();
  expect((await Promise.all(bodies)).join('')).not.toContain(secret);
});

it('more notes than one page has are read by a click, on a trace and on an issue', async () => {
  const traceId = await trace();
  const ids: string[] = [];
  for (let place = 1; place <= 105; place += 1) ids.push((await write(traceId, `Note number ${place}.`)).id);
  const { data: issue } = await stage.server.ok('POST', '/v0/issues', {
    body: { source: 'API', title: 'Much noted' },
  });
  await stage.server.ok('POST', `/v0/issues/${issue.id}/links`, { body: { noteIds: ids } });
  const visitor = await stage.visit({ role: 'viewer' });
  const { page } = visitor;
  await visitor.open(`/traces/${traceId}?tab=notes`);
  const onTrace = page.getByRole('list', { name: 'Notes on the trace' }).getByRole('listitem');
  await page.getByText('The newest 100 of 105 notes.').waitFor();
  await page.getByRole('button', { name: 'Show 5 earlier' }).click();
  await onTrace.getByText('Note number 1.', { exact: true }).waitFor();
  await expect.poll(() => onTrace.count()).toBe(105);
  await visitor.open(`/issues/${issue.number}`);
  const onIssue = page.getByRole('list', { name: 'Notes on the issue' }).getByRole('listitem');
  await page.getByText('The newest 50 of 105 notes.').waitFor();
  await page.getByRole('button', { name: 'Show 50 earlier' }).click();
  await page.getByRole('button', { name: 'Show 5 earlier' }).click();
  await expect.poll(() => onIssue.count()).toBe(105);
  expect(await page.getByRole('button', { name: /earlier/ }).count()).toBe(0);
});

it('viewers read notes and write none', async () => {
  const traceId = await trace();
  await write(traceId, 'For all eyes', { start: 0, end: 11, quote: 'I am sorry.' });
  const visitor = await stage.visit({ role: 'viewer' });
  const { page } = visitor;
  await visitor.open(`/traces/${traceId}`);
  await page.getByText('For all eyes').waitFor();
  await select(visitor, 'Your refund');
  await page.keyboard.press('w');
  expect(await page.getByRole('button', { name: /Add note|Edit|Delete|Add to issue/ }).count()).toBe(0);
  await answer(visitor)
    .getByText('I am sorry')
    .click({ position: { x: 20, y: 8 } });
  await page.getByRole('list', { name: 'Notes on the trace' }).waitFor();
  await visitor.open('/issues/group');
  await page.getByRole('row', { name: /For all eyes/ }).waitFor();
  expect(await page.getByRole('checkbox', { name: /Select/ }).count()).toBe(0);
});

it.each([
  [390, 844],
  [1024, 700],
  [1440, 900],
])(
  'notes are accessible in both themes in a window of %d pixels, and never wider than it',
  async (width, height) => {
    const traceId = await trace();
    await write(traceId, `Long ${'x'.repeat(300)}`, { start: 12, end: 23, quote: 'Your refund' });
    const visitor = await stage.visit({ role: 'editor', width, height });
    const { page } = visitor;
    const look = async (): Promise<void> => {
      expect(await visitor.accessibilityProblems()).toEqual([]);
      await visitor.useTheme('dark');
      expect(await visitor.accessibilityProblems('color-contrast')).toEqual([]);
      await visitor.useTheme('light');
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    };
    await visitor.open(`/traces/${traceId}`);
    await page.getByRole('list', { name: 'Notes on the answer' }).waitFor();
    await select(visitor, 'reaches you');
    await page.getByRole('button', { name: 'Add note' }).last().waitFor();
    await look();
    await page.getByRole('button', { name: 'Add note' }).last().click();
    await dialog(visitor).getByLabel('Note').fill('Never arrives');
    await look();
    await dialog(visitor).getByRole('button', { name: 'Save' }).click();
    await page.getByText('Note saved').waitFor();
    await visitor.open(`/traces/${traceId}?tab=notes${width < 720 ? '&view=span' : ''}`);
    await page.getByRole('list', { name: 'Notes on the trace' }).waitFor();
    await look();
    await visitor.open('/issues/group');
    await page
      .getByRole('checkbox', { name: /Select/ })
      .nth(1)
      .check();
    await page.getByText('1 selected').waitFor();
    await look();
  },
);
