import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { packServer } from '../../scripts/packages.ts';
import { plainEnvironment } from '../support/environment.ts';

const ROOT = join(import.meta.dirname, '../..');
const INSTALL_MS = 300_000;

const folder = mkdtempSync(join(tmpdir(), 'touchstone-packed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it(
  'the packed server runs where only its tarball is installed, as npx does it, and serves the packages',
  async () => {
    const tarball = await packServer(join(ROOT, 'dist'), folder);
    const options = ['--no-audit', '--no-fund', '--no-update-notifier', '--ignore-scripts'];
    await promisify(execFile)('npm', ['install', ...options, '--prefix', folder, tarball], { cwd: folder });

    const env = { ...plainEnvironment(), TOUCHSTONE_DATA_DIR: join(folder, 'data') };
    const bin = join(folder, 'node_modules/.bin/touchstone');
    const server = spawn(bin, ['serve', '--port', '0'], {
      env,
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      let printed = '';
      for await (const text of server.stdout.setEncoding('utf8')) {
        printed += text;
        const [, url] = /listening\W+url\W+(http[^"\s]+)/.exec(printed) ?? [];
        if (url === undefined) continue;
        const response = await fetch(`${url}/packages/`);
        expect(await response.json()).toMatchObject({
          data: [{ file: 'otel.tgz' }, { file: 'client.tgz' }, { name: 'touchstone-otel' }],
        });
        break;
      }
    } finally {
      server.kill();
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
    }
  },
  INSTALL_MS,
);
