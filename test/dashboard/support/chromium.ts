/** Chromium of the machine, which the tests of the dashboard share. */
import { type BrowserServer, chromium } from 'playwright-core';
import { findChromium } from '../../../scripts/suite/needs.ts';

/** Starts a browser that several processes can use. */
export const startChromium = (): Promise<BrowserServer> =>
  chromium.launchServer({
    executablePath: findChromium(),
    // Without a sandbox as root, where Chromium has none; fonts look the same on every machine.
    args: ['--font-render-hinting=none', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
