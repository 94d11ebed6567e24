import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { EXAMPLES } from './example.ts';

const ROOT = join(EXAMPLES, '..');
const BUILD = 'npm run build --workspace exporters/otel';
const INSTALL_MS = 120_000;

const clone = mkdtempSync(join(tmpdir(), 'touchstone-clone-'));
afterAll(() => rmSync(clone, { recursive: true, force: true }));

const run = (program: string, args: readonly string[], cwd: string): Promise<unknown> =>
  promisify(execFile)(program, args, { cwd, timeout: INSTALL_MS });

it(
  'in a fresh clone, an example installs the exporter package that the README’s command builds',
  async () => {
    const notCloned = /\/(?:node_modules|dist|test)$/;
    for (const path of ['tsconfig.json', 'exporters/otel', 'examples/quickstart']) {
      cpSync(join(ROOT, path), join(clone, path), {
        recursive: true,
        filter: (file) => !notCloned.test(file.slice(ROOT.length)),
      });
    }
    // What `npm start` installs.
    symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));

    expect(readFileSync(join(EXAMPLES, 'README.md'), 'utf8')).toContain(`\n${BUILD}\n`);
    const { scripts } = JSON.parse(readFileSync(join(clone, 'exporters/otel/package.json'), 'utf8')) as {
      scripts: { build: string };
    };
    // The bootstrap runs the rest in the root, by the project's Node.
    const [bootstrap, command = ''] = scripts.build.split(' run ');
    expect(bootstrap).toBe('node ../../scripts/bootstrap.mjs');
    await run(process.execPath, command.split(' '), clone);

    const example = join(clone, 'examples/quickstart');
    await run('npm', ['ci', '--no-audit', '--no-fund', '--no-update-notifier'], example);
    expect(existsSync(join(example, 'node_modules/@touchstone/otel/dist/main.js'))).toBe(true);
  },
  INSTALL_MS,
);
