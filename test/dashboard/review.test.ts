/** Reviews by keyboard, one item a screen, in a browser. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { AnnotationQueue, CreateAnnotationQueueBody } from '../../src/api/generated/schema.ts';
import type { TestServer } from '../support/server.ts';
import { useStage } from './support/browser.ts';

const SECRET = 'the judge says it fails';
const stage = useStage();

async function queueWith(
  count: number,
  more: Partial<CreateAnnotationQueueBody> = {},
): Promise<AnnotationQueue> {
  const { server } = stage;
  const timestamp = new Date().toISOString();
  const traces = Array.from({ length: count }, () => randomUUID());
  const events = traces.map((traceId, n) => ({
    type: 'trace' as const,
    timestamp,
    traceId,
    input: `Question ${n + 1}`,
    output: `Answer ${n + 1}`,
  }));
  await server.ok('POST', '/v0/ingest', { body: { events } });
  const body = { title: `Refunds of ${randomUUID().slice(0, 4)}`, ...more };
  const { data: queue } = await server.ok('POST', '/v0/human-annotation-queues', { body });
  for (const traceId of traces) {
    await server.ok('POST', '/v0/human-annotation-queue-items', { body: { queueId: queue.id, traceId } });
    const verdict = { verdict: false, critique: SECRET, annotatorId: 'bob', source: 'TRACE_PAGE' } as const;
    await server.ok('POST', '/v0/human-annotations', { body: { traceId, ...verdict } });
  }
  return queue;
}

const verdictsOf = async (server: TestServer, queueId: string) => {
  const { data: items } = await server.ok(
    'GET',
    `/v0/human-annotation-queue-items?queueId=${queueId}&limit=100`,
  );
  const { data } = await server.ok(
    'GET',
    `/v0/human-annotations?queueItemId=${items.map(({ id }) => id).join()}&limit=100`,
  );
  return data;
};

const CRITERIA = [
  { id: 'policy', name: 'Follows the policy', description: 'Asks for what it needs.' },
  { id: 'tone', name: 'Tone' },
];

it('twenty items are reviewed by keyboard, and no response has a verdict of others', async () => {
  const { id, title } = await queueWith(20, { criteria: CRITERIA, isBlind: true });
  const visitor = await stage.visit({ role: 'annotator' });
  const { page } = visitor;
  const bodies: Promise<string>[] = [];
  page.on('response', (response) => bodies.push(response.text().catch(() => '')));
  await visitor.open('/review');
  await page.getByRole('link', { name: title }).click();
  for (let n = 1; n <= 20; n += 1) {
    await page.getByText(`${n - 1} of 20`).waitFor();
    await page.getByRole('region', { name: 'Response under review' }).waitFor();
    await page.keyboard.press('1');
    await page.keyboard.press(n === 20 ? '2' : '1');
    if (n === 20) {
      await page.keyboard.press('n');
      await page.keyboard.type('The tone is much too rude here 123');
      await page.keyboard.press('Control+Enter');
    } else await page.keyboard.press('Control+Enter');
  }
  await page.getByText('Nothing is left for you').waitFor();
  const judged = (await verdictsOf(stage.server, id)).filter(({ partOf }) => partOf === null);
  expect(judged).toHaveLength(20);
  expect(judged.filter(({ verdict }) => verdict === false)).toMatchObject([
    { critique: 'The tone is much too rude here 123' },
  ]);
  expect((await Promise.all(bodies)).join('')).not.toContain(SECRET);
});

it('a review is undone, and an item is skipped', async () => {
  const { id } = await queueWith(2);
  const visitor = await stage.visit({ role: 'annotator' });
  const { page } = visitor;
  await visitor.open(`/review/${id}`);
  await page.getByText('Answer 1').waitFor();
  await page.keyboard.press('s');
  await page.getByText('Answer 2').waitFor();
  await page.keyboard.press('1');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Answer 1').waitFor();
  await page.keyboard.press('u');
  await page.getByText('Answer 2').waitFor();
  expect(await verdictsOf(stage.server, id)).toEqual([]);
});

it('two people at once have different items', async () => {
  const { id } = await queueWith(2);
  const [one, other] = [await stage.visit({ role: 'annotator' }), await stage.visit({ role: 'editor' })];
  await one.open(`/review/${id}`);
  await one.page.getByText('Answer 1').waitFor();
  await other.open(`/review/${id}`);
  await other.page.getByText('Answer 2').waitFor();
  expect(new URL(one.page.url()).searchParams.get('item')).not.toBe(
    new URL(other.page.url()).searchParams.get('item'),
  );
});

it('a queue is made on screen, with a random sample', async () => {
  await queueWith(3);
  const visitor = await stage.visit({ role: 'editor' });
  const { page } = visitor;
  await visitor.open('/review');
  await page.keyboard.press('n');
  await page.getByLabel('Title').fill('Weekly');
  await page.getByLabel('Criteria').fill('Tone: friendly and clear\nFacts');
  await page.getByLabel('Random sample').fill('3');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await page.getByRole('link', { name: /^Weekly/ }).click();
  await page.getByText('friendly and clear').waitFor();
  await page.getByText('0 of 3').waitFor();
  expect(await page.getByRole('group', { name: 'Verdict: Facts' }).isVisible()).toBe(true);
});

it('what was written stays over a reload', async () => {
  const { id } = await queueWith(1);
  const visitor = await stage.visit({ role: 'annotator' });
  const { page } = visitor;
  await visitor.open(`/review/${id}`);
  await page.getByText('Answer 1').waitFor();
  await page.keyboard.press('n');
  await page.keyboard.type('Half a note');
  await page.reload();
  await page.getByText('Answer 1').waitFor();
  expect(await page.getByLabel('Note').inputValue()).toBe('Half a note');
});

it('an item is accessible in both themes, and never wider than the window', async () => {
  const { id } = await queueWith(1, { criteria: CRITERIA, isBlind: true, reviewsPerItem: 2 });
  const visitor = await stage.visit({ role: 'annotator' });
  await visitor.open(`/review/${id}`);
  await visitor.page.getByText('Answer 1').waitFor();
  await visitor.page.keyboard.press('2');
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await visitor.useTheme('dark');
  expect(await visitor.accessibilityProblems('color-contrast')).toEqual([]);
  for (const [width, height] of [
    [1024, 700],
    [768, 1024],
    [720, 450],
    [390, 844],
    [360, 740],
  ] as const) {
    await visitor.useSize({ width, height });
    expect(
      await visitor.page.evaluate('document.documentElement.scrollWidth - innerWidth'),
    ).toBeLessThanOrEqual(0);
  }
});
