import type { TestProject } from 'vitest/node';
import { startChromium } from './chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    browserEndpoint: string;
  }
}

/** Starts the browser before the first test of the dashboard, and ends it after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const browser = await startChromium();
  project.provide('browserEndpoint', browser.wsEndpoint());
  return () => browser.close();
}
