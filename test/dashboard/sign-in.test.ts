import { describe, expect, it } from 'vitest';
import { withStore } from '../../src/cli/data-folder.ts';
import { createSetupLink } from '../../src/people/setup-store.ts';
import { useStage } from './support/browser.ts';
import type { Visitor } from './support/visitor.ts';

const stage = useStage();
const PASSWORD = 'correct horse battery';

const fill = async ({ page }: Visitor, fields: Readonly<Record<string, string>>): Promise<void> => {
  for (const [label, value] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(value);
};
const heading = ({ page }: Visitor, name: string) => page.getByRole('heading', { level: 1, name });

describe('a person', () => {
  it('becomes the first administrator by the link of the first start, and signs in again by password', async () => {
    const token = withStore(stage.server.folder, (database) =>
      createSetupLink(database, { userId: null, at: Date.now() }),
    );
    const visitor = await stage.visit();
    await visitor.open(`/#setup=${token}`);
    await fill(visitor, { Name: 'Ada Lovelace', Email: 'ada@example.com', Password: PASSWORD });
    expect(await visitor.accessibilityProblems()).toEqual([]);
    await visitor.page.getByRole('button', { name: 'Create the account' }).click();
    await heading(visitor, 'Home').waitFor();
    expect(visitor.page.url()).toBe(`${stage.server.url}/`);

    await visitor.page.getByRole('button', { name: 'Ada Lovelace' }).click();
    await visitor.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading(visitor, 'Sign in').waitFor();
    await fill(visitor, { Email: 'ada@example.com', Password: 'wrong password' });
    await visitor.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await visitor.page.getByText('The email address or the password is wrong').waitFor();
    await fill(visitor, { Password: PASSWORD });
    await visitor.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await heading(visitor, 'Home').waitFor();
  });

  it('is invited by a link, and lands in the application', async () => {
    const { server } = stage;
    const path = `/v0/applications/${server.applicationId}/invitations`;
    const { json } = await server.call('POST', path, {
      body: { email: 'grace@example.com', role: 'viewer' },
    });
    const visitor = await stage.visit();
    await visitor.open(new URL((json as { link: string }).link).hash.replace(/^/, '/'));
    await fill(visitor, { Name: 'Grace Hopper', Password: PASSWORD });
    await visitor.page.getByRole('button', { name: 'Create the account' }).click();
    await heading(visitor, 'Home').waitFor();
    await visitor.open('/settings?tab=keys');
    expect(await visitor.page.getByText('API keys: for administrators').isVisible()).toBe(true);
  });

  it('opens a link in a tab that shows the dashboard already', async () => {
    for (const role of [undefined, 'viewer'] as const) {
      const visitor = await stage.visit(role && { role });
      await visitor.open('/');
      await visitor.page.evaluate(`location.hash = '#invitation=${'A'.repeat(43)}'`);
      await visitor.page.getByRole('button', { name: 'Create the account' }).waitFor();
      expect(new URL(visitor.page.url()).hash).toBe('');
    }
  });

  it('sees why a link does not work', async () => {
    const visitor = await stage.visit();
    await visitor.open(`/#invitation=${'A'.repeat(43)}`);
    await fill(visitor, { Name: 'Grace Hopper', Password: PASSWORD });
    await visitor.page.getByRole('button', { name: 'Create the account' }).click();
    await visitor.page.getByRole('alert').waitFor();
    expect(await visitor.page.getByRole('alert').textContent()).toContain('has expired');
  });

  it('signs in with an API key, which is not kept in the browser', async () => {
    const visitor = await stage.visit();
    await visitor.open('/traces?q=errors:yes');
    await visitor.page.getByRole('button', { name: 'Use an API key instead' }).click();
    await fill(visitor, { 'API key': stage.server.apiKey });
    await visitor.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await heading(visitor, 'Traces').waitFor();
    expect(visitor.page.url()).toContain('/traces?q=errors:yes');
    const kept = await visitor.page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(kept).not.toContain(stage.server.apiKey);
  });

  it('whose login has ended signs in again, and continues at the same place', async () => {
    const visitor = await stage.visit({ role: 'viewer' });
    await visitor.open('/traces?q=errors:yes');
    await visitor.page.context().clearCookies();
    await visitor.page.getByRole('link', { name: 'Home' }).click();
    await visitor.page.getByText('Your login has expired').waitFor();
    await visitor.page.getByRole('button', { name: 'Use an API key instead' }).click();
    await fill(visitor, { 'API key': stage.server.apiKey });
    await visitor.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await heading(visitor, 'Home').waitFor();
    expect(new URL(visitor.page.url()).pathname).toBe('/');
  });
});

it('the sign-in screen is accessible in both themes', async () => {
  const visitor = await stage.visit();
  await visitor.open('/');
  expect(await visitor.accessibilityProblems()).toEqual([]);
  await visitor.useTheme('dark');
  expect(await visitor.accessibilityProblems('color-contrast')).toEqual([]);
});
