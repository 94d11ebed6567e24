/** Steps from a record to another one of its kind: nothing of the first is taken for the second. */
import { expect, it } from 'vitest';
import { withStore } from '../../src/cli/data-folder.ts';
import { requestOf } from '../support/otlp-json.ts';
import { spanHex, traceBytes } from '../support/spans.ts';
import type { Page } from 'playwright-core';
import { useStage } from './support/browser.ts';

const stage = useStage();

/** Follows a link within the application. */
const follow = async (page: Page, path: string): Promise<void> => {
  await page.evaluate(`history.pushState({}, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`);
};

async function create(path: string, body: object): Promise<string> {
  const { status, text, json } = await stage.server.call('POST', path, { body });
  expect(status, text).toBe(201);
  return (Object.values(json as object)[0] as { id: string }).id;
}

it('a form saves its own record where two were changed in the same millisecond', async () => {
  const [first, second] = [
    await create('/v0/tasks', { title: 'First', description: 'of the first' }),
    await create('/v0/tasks', { title: 'Second', description: 'of the second' }),
  ];
  withStore(stage.server.folder, (database) => database.run('UPDATE task SET modified_at = 1790000000000'));
  const { page } = await stage.visit({ role: 'admin' });
  await page.goto(`${stage.server.url}/tasks/${first}?tab=settings`);
  const title = page.getByLabel('Title');
  await expect.poll(() => title.inputValue()).toBe('First');
  await follow(page, `/tasks/${second}?tab=settings`);
  await expect.poll(() => title.inputValue()).toBe('Second');
  await page.goBack();
  await expect.poll(() => title.inputValue()).toBe('First');
  await title.fill('First, changed');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Task saved').waitFor();
  const { json } = await stage.server.call('GET', `/v0/tasks/${first}`);
  expect(json).toMatchObject({ task: { title: 'First, changed', description: 'of the first' } });
});

it('a form combines its changes with those that someone else has made meanwhile, and asks about fields that both changed', async () => {
  const id = await create('/v0/tasks', { title: 'Refund', description: 'as it was' });
  const byOther = (body: object) => stage.server.call('PUT', `/v0/tasks/${id}`, { body });
  const stored = async (): Promise<unknown> => (await stage.server.call('GET', `/v0/tasks/${id}`)).json;
  const visitor = await stage.visit({ role: 'admin' });
  const { page } = visitor;
  await page.goto(`${stage.server.url}/tasks/${id}?tab=settings`);
  const [title, description] = [page.getByLabel('Title'), page.getByLabel('Description')];
  const save = page.getByRole('button', { name: 'Save' });
  await expect.poll(() => title.inputValue()).toBe('Refund');

  await title.fill('Refund, mine');
  await byOther({ description: 'by someone else' });
  await save.click();
  await page.getByText('Check them, and save again').waitFor();
  await expect.poll(() => description.inputValue()).toBe('by someone else');
  expect([await title.inputValue(), await stored()]).toEqual([
    'Refund, mine',
    expect.objectContaining({ task: expect.objectContaining({ title: 'Refund' }) as unknown }),
  ]);
  await save.click();
  await page.getByText('Task saved').waitFor();
  expect(await stored()).toMatchObject({ task: { title: 'Refund, mine', description: 'by someone else' } });

  for (const [button, kept] of [
    ['Keep mine', 'mine'],
    ['Take theirs', 'theirs'],
  ] as const) {
    await title.fill('mine');
    await byOther({ title: 'theirs' });
    await save.click();
    await page.getByText('Someone else changed this meanwhile: title').waitFor();
    await page.getByRole('button', { name: button }).click();
    await expect.poll(() => title.inputValue()).toBe(kept);
    if (kept === 'mine') await save.click();
    await expect.poll(stored).toMatchObject({ task: { title: kept } });
    await byOther({ title: 'Refund' });
    await page.reload();
    await expect.poll(() => title.inputValue()).toBe('Refund');
  }
  // The browser reports each rejected change.
  expect(visitor.takeReported().map((line) => line.includes('412'))).toEqual([true, true, true]);
});

it('a document requests its own versions only', async () => {
  const [first, second] = [
    await create('/v0/documents', { title: 'First', content: 'one' }),
    await create('/v0/documents', { title: 'Second', content: 'another' }),
  ];
  for (const content of ['two', 'three']) await create(`/v0/documents/${first}/versions`, { content });
  const { page } = await stage.visit({ role: 'admin' });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${stage.server.url}/documents/${first}`);
  await page.getByText('three').waitFor();
  await follow(page, `/documents/${second}`);
  await page.getByText('another').waitFor();
  expect(asked.filter((path) => path.startsWith(`/v0/documents/${second}/versions/`))).toEqual([
    `/v0/documents/${second}/versions/1`,
  ]);
});

it('a trace shows its session although many traces begin in the same millisecond', async () => {
  const traces = Array.from({ length: 150 }, (_, i) => traceBytes(i + 1).toString('hex'));
  for (const [i, traceId] of traces.entries())
    await stage.server.call('POST', '/v1/traces', {
      body: requestOf({
        traceId,
        spanId: spanHex(1),
        name: 'turn',
        startTimeUnixNano: '1790000000000000000',
        endTimeUnixNano: '1790000000500000000',
        attributes: [{ key: 'session.id', value: { stringValue: `session-${i}` } }],
      }),
    });
  const visitor = await stage.visit({ role: 'admin' });
  for (const i of [0, 149]) {
    await visitor.open(`/traces/${traces[i]}`);
    const session = visitor.page.getByRole('link', { name: `session-${i}`, exact: true });
    await expect.poll(() => session.count()).toBe(1);
  }
});
