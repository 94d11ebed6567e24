import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Way } from './ways.ts';

const ROOT = join(import.meta.dirname, '../..');
const MAX_MS = 600_000;
/** Defined before the commands of every way; the first two are those of `examples/README.md`. */
const PRELUDE = `
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
api() { curl -sN --fail-with-body "$TOUCHSTONE_URL$1" -H "x-api-key: $TOUCHSTONE_API_KEY" \\
  -H "x-application-id: $TOUCHSTONE_APPLICATION_ID" -H 'content-type: application/json' "\${@:2}"; }
field() { node -p "JSON.parse(fs.readFileSync(0)).$1"; }
listens() { for _ in {1..300}; do (: < /dev/tcp/127.0.0.1/$PORT) 2>/dev/null && return; sleep 0.1; done; return 1; }
`;

export interface Target {
  url: string;
  apiKey: string;
  applicationId: string;
  /** Base URL of the stand-in for a model, without `/v1`. */
  modelUrl: string;
}

/** Runs the commands of a way in a folder of its own; returns the seconds they took and their output. Throws it if one fails. */
export async function runWay(way: Way, target: Target): Promise<{ seconds: number; printed: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-first-hour-'));
  try {
    const app = join(folder, 'app');
    const bin = join(folder, 'bin');
    mkdirSync(app);
    mkdirSync(bin);
    if (way.example !== null) copyExample(way.example, app);
    // As an installed one; `npm install --global` would change the machine.
    const command = join(bin, 'touchstone');
    writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'dist/main.js')}' "$@"\n`);
    chmodSync(command, 0o755);
    const since = performance.now();
    const { stdout } = await promisify(execFile)('bash', ['-euc', PRELUDE + way.commands.join('\n')], {
      cwd: app,
      timeout: MAX_MS,
      env: {
        ...environment(),
        PATH: [bin, dirname(process.execPath), process.env['PATH']].join(':'),
        TOUCHSTONE_URL: target.url,
        TOUCHSTONE_API_KEY: target.apiKey,
        TOUCHSTONE_APPLICATION_ID: target.applicationId,
        OPENAI_BASE_URL: `${target.modelUrl}/v1`,
        OPENAI_API_KEY: 'none',
        PORT: String(await freePort()),
        npm_config_audit: 'false',
        npm_config_fund: 'false',
        npm_config_update_notifier: 'false',
        PIP_DISABLE_PIP_VERSION_CHECK: '1',
      },
    });
    return { seconds: (performance.now() - since) / 1_000, printed: stdout };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the environment without settings of this service, of OpenTelemetry, and of the npm that runs this script. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:TOUCHSTONE_|OTEL_|VITEST|npm_)/.test(name)),
  );

/** Copies the files of an example, with a package.json that names no package yet. */
function copyExample(example: string, to: string): void {
  cpSync(join(ROOT, 'examples', example), to, {
    recursive: true,
    filter: (path) => !/node_modules$|package-lock\.json$|\.venv$|__pycache__$/.test(path),
  });
  const file = join(to, 'package.json');
  try {
    const { name, type } = JSON.parse(readFileSync(file, 'utf8')) as { name: string; type: string };
    writeFileSync(file, JSON.stringify({ name, private: true, type }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
