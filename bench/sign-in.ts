import type { Page } from 'playwright-core';
import type { ServerProcess } from './server-process.ts';

/** Signs a browser in with the key of the server, so that the dashboard opens at the next visit. */
export async function signIn(
  page: Page,
  url: string,
  { headers }: Pick<ServerProcess, 'headers'>,
): Promise<void> {
  const apiKey = headers['x-api-key'];
  await page.goto(url);
  await page.evaluate(async (key) => {
    const response = await fetch('/v0/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ apiKey: key }),
    });
    const { csrf } = (await response.json()) as { csrf: string };
    sessionStorage.setItem('csrf', csrf);
  }, apiKey);
  await page.evaluate(`localStorage.setItem('touchstone.csrf', sessionStorage.getItem('csrf'))`);
}
