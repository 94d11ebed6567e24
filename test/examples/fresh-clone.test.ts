import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { EXAMPLES } from './example.ts';

const ROOT = join(EXAMPLES, '..');
const CONFIGURATION = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'rolldown.config.mjs',
  'vite.config.mjs',
];
const INSTALL_MS = 900_000;

const clone = mkdtempSync(join(tmpdir(), 'touchstone-clone-'));
afterAll(() => rmSync(clone, { recursive: true, force: true }));

const run = (program: string, args: readonly string[], cwd: string): Promise<unknown> =>
  promisify(execFile)(program, args, { cwd, timeout: INSTALL_MS });

it(
  'in a fresh clone, an example installs the exporter package that npm start has built',
  async () => {
    // `.installing` comes and goes while tests in other processes install the example.
    const notCloned = /\/(?:node_modules|dist|test|\.installing)$/;
    for (const path of [...CONFIGURATION, 'scripts', 'src', 'exporters', 'examples/quickstart']) {
      cpSync(join(ROOT, path), join(clone, path), {
        recursive: true,
        filter: (file) => !notCloned.test(file.slice(ROOT.length)),
      });
    }
    // The dashboard takes longest to build, and no example has it: its build is copied while its sources are the same.
    cpSync(join(ROOT, 'dist/dashboard'), join(clone, 'dist/dashboard'), { recursive: true });
    // What `npm start` installs.
    symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));

    await run(process.execPath, ['scripts/build.mjs', '--if-changed'], clone);

    const example = join(clone, 'examples/quickstart');
    await run('npm', ['ci', '--no-audit', '--no-fund', '--no-update-notifier'], example);
    expect(existsSync(join(example, 'node_modules/touchstone-otel/dist/main.js'))).toBe(true);
  },
  INSTALL_MS,
);
