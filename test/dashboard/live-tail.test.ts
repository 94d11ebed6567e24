import { expect, it } from 'vitest';
import { MS, otlpRequest } from '../support/spans.ts';
import { useStage } from './support/browser.ts';

const stage = useStage();

const send = async (first: number, count: number): Promise<void> => {
  const body = otlpRequest(
    Array.from({ length: count }, (_, n) => ({
      trace: first + n,
      id: 1,
      name: `trace ${first + n}`,
      // Those that are sent together share their start.
      start: first * MS,
    })),
  );
  const { status } = await stage.server.call('POST', '/v1/traces', {
    headers: { ...stage.server.headers, 'content-type': 'application/x-protobuf' },
    body,
  });
  expect(status).toBe(200);
};

it('the live list hears of new traces after 1500 at once that share a moment, and counts each exactly once', async () => {
  await send(0x1000, 1_500);
  const visitor = await stage.visit({ role: 'viewer' });
  const { page } = visitor;
  await visitor.open('/traces');
  await page.locator('tr[data-row]').first().waitFor();
  const button = page.getByRole('button', { name: /new trace/ });
  const shown: string[] = [];
  for (const [first, count, words] of [
    [0x2000, 2, '2 new traces match'],
    [0x3000, 1, '1 new trace matches'],
  ] as const) {
    await send(first, count);
    await button.waitFor();
    await expect.poll(() => button.textContent()).toContain(words);
    await button.click();
    await button.waitFor({ state: 'detached' });
    shown.push(words);
  }
  expect(shown).toHaveLength(2);
  // The stream that opened after the last click has repeated its changes once it reports another trace.
  await send(0x4000, 1);
  await expect.poll(() => button.textContent()).toContain('1 new trace matches');
});

it('a list recovers by itself when the server returns', async () => {
  const visitor = await stage.visit({ role: 'viewer' });
  const { page } = visitor;
  await page.route('**/v0/traces?*', (route) => route.abort());
  await visitor.open('/traces');
  await page.getByText('The server cannot be reached.').waitFor();
  await page.unroute('**/v0/traces?*');
  await page.locator('tr[data-row]').first().waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(visitor.takeReported().every((line) => line.includes('ERR_FAILED'))).toBe(true);
});

it('a live list whose server cannot be reached says so', async () => {
  const visitor = await stage.visit({ role: 'viewer' });
  const { page } = visitor;
  await page.route('**/v0/traces/stream*', (route) => route.abort());
  await visitor.open('/traces');
  await page.getByRole('button', { name: 'Offline' }).waitFor();
  expect(await visitor.accessibilityProblems()).toEqual([]);
  expect(visitor.takeReported().every((line) => line.includes('ERR_FAILED'))).toBe(true);
});
