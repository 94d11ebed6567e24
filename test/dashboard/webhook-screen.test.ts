import { afterAll, describe, expect, it } from 'vitest';
import { sign } from '../../src/deliver/signature.ts';
import { answer, type CustomerApp, startCustomerApp } from '../support/customer-app.ts';
import { useStage } from './support/browser.ts';
import { openTestedApp, QUICK_TESTS, type TestedApp } from './support/tested-app.ts';
import type { Visitor } from './support/visitor.ts';

const stage = useStage(undefined, { config: QUICK_TESTS });
let app: CustomerApp;
let tested: TestedApp;
afterAll(() => Promise.all([app.close(), tested.app.close()]));

const button = ({ page }: Visitor, name: string) => page.getByRole('button', { name, exact: true });

it('a webhook is set up, tried and its secret rotated; each secret is shown once', async () => {
  app = await startCustomerApp();
  const visitor = await stage.visit({ role: 'admin' });
  const { page } = visitor;
  await visitor.open('/webhook');
  await page.getByText('touchstone listen').waitFor();
  await page.getByLabel('URL', { exact: true }).fill('http://10.1.2.3/hook');
  await button(visitor, 'Set up').click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('URL', { exact: true }).fill(app.url);
  await page.getByLabel('Headers').fill('authorization Bearer 1');
  expect(await button(visitor, 'Set up').isDisabled()).toBe(true);
  await page.getByLabel('Headers').fill('authorization: Bearer 1');
  await button(visitor, 'Set up').click();
  const secret = page.getByLabel('Secret of the webhook', { exact: true });
  const first = await secret.textContent();
  expect(first).toMatch(/^whsec_/);
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await button(visitor, 'I have copied it').click();
  await page.getByText('authorization: ***').waitFor();

  await button(visitor, 'Send a sample').click();
  await page.getByText('✓ 200').waitFor();
  expect(app.last().headers['authorization']).toBe('Bearer 1');
  app.behave(answer(401, 'wrong signature'));
  await button(visitor, 'Send a sample').click();
  await page.getByText('✕ 401').waitFor();

  await button(visitor, 'Rotate the secret').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate the secret' }).click();
  await secret.waitFor();
  expect(await secret.textContent()).not.toBe(first);
  await button(visitor, 'I have copied it').click();
  await page.getByText('the previous secret stays valid until').waitFor();

  app.behave(answer(200));
  await page.getByRole('link', { name: 'Deliveries' }).click();
  await page.getByRole('cell', { name: '✕ 401' }).waitFor();
  await page.getByRole('table', { name: 'Deliveries' }).getByRole('link').first().click();
  await page.getByLabel('Response', { exact: true }).getByText('wrong signature').waitFor();
  await button(visitor, 'Replay').click();
  await page.getByText('The app responded with 200').waitFor();
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await stage.server.call('DELETE', '/v0/webhook');
});

describe('the check of a signature', () => {
  interface Sent {
    secret: string;
    signature: string;
    timestamp: string;
    body: string;
  }

  async function deliver(): Promise<Sent> {
    tested ??= await openTestedApp(stage.server, ['good']);
    const { testIds } = await tested.trigger(1);
    await tested.ended(testIds[0] ?? '');
    const { headers, body } = tested.app.last();
    return {
      secret: tested.webhookSecret,
      signature: String(headers['x-service-signature']),
      timestamp: String(headers['x-service-timestamp']),
      body,
    };
  }
  const signedBy = (secret: string, { body }: Sent, timestampMs: number): Partial<Sent> => ({
    signature: sign({ secrets: [secret], id: 'x', body, timestampMs })['x-service-signature'] ?? '',
    timestamp: String(timestampMs),
  });
  const OTHER = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const HOUR = 3_600_000;

  // Verdicts that look alike are checked by axe once.
  it.each<[string, (sent: Sent) => Partial<Sent>, RegExp, 'looks new'?]>([
    ['confirms what was sent', () => ({}), /✓ Valid/, 'looks new'],
    [
      'marks the changed place',
      ({ body }) => ({ body: body.replace('parcel', 'Parcel') }),
      /The body was changed[^]*\/prompt[^]*sent"Where is my parcel 4711\?"arrived"Where is my Parcel 4711\?"/,
      'looks new',
    ],
    ['knows another secret', (sent) => signedBy(OTHER, sent, Number(sent.timestamp)), /✕ Another secret/],
    [
      'knows an old request',
      (sent) => signedBy(sent.secret, sent, Date.now() - HOUR),
      /! Too old[^]*Secret and body are right/,
      'looks new',
    ],
    ['knows a clock that is ahead', (sent) => signedBy(sent.secret, sent, Date.now() + HOUR), /! Too new/],
    [
      'knows another timestamp',
      ({ timestamp }) => ({ timestamp: String(Number(timestamp) + 1) }),
      /! Malformed[^]*timestamp/,
    ],
  ])('%s', async (_name, change, shows, looks) => {
    const sent = await deliver();
    const { signature, timestamp, body } = { ...sent, ...change(sent) };
    const visitor = await stage.visit({ role: 'admin' });
    await visitor.open('/webhook?tab=check');
    await visitor.page
      .getByLabel('Complete request')
      .fill(`POST /hook\nx-service-signature: ${signature}\nx-service-timestamp: ${timestamp}\n\n${body}`);
    await button(visitor, 'Check').click();
    const verdict = visitor.page.getByRole('region', { name: 'Verdict' });
    await verdict.filter({ hasText: shows }).waitFor();
    if (looks === undefined) return;
    expect(await visitor.accessibilityProblems()).toEqual([]);
    await visitor.useTheme('dark');
    expect(await visitor.accessibilityProblems('color-contrast')).toEqual([]);
  });

  it('gives no reason to those who may not know it', async () => {
    const sent = await deliver();
    const visitor = await stage.visit({ role: 'viewer' });
    await visitor.open('/webhook?tab=check');
    await visitor.page.getByLabel('x-service-signature').fill(sent.signature);
    await visitor.page.getByLabel('x-service-timestamp').fill(sent.timestamp);
    await visitor.page.getByLabel('Body').fill('{"prompt":');
    await visitor.page.getByText('The body must be JSON').waitFor();
    await visitor.page.getByLabel('Body').fill('{"prompt":"Another"}');
    await button(visitor, 'Check').click();
    const verdict = visitor.page.getByRole('region', { name: 'Verdict' });
    await verdict.getByText('✕ Not valid').waitFor();
    expect(await verdict.textContent()).toContain('Administrators see the reason here.');
  });
});
