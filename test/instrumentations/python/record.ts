/**
 * Runs the Python applications of `apps/` and records the OTLP requests that they send: `npm run record:python`. Needs
 * Python 3.11 and PyPI; the recordings are replayed without either.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { startStandInModel } from '../../support/stand-in-model.ts';
import { PYTHON, writeRecording } from '../recording.ts';
import { startSink } from '../sink.ts';

const run = promisify(execFile);
const HERE = import.meta.dirname;
const VENV = join(HERE, '.venv');
/** Makes an environment of its own for each application, with the packages that it names. */
const UV = join(VENV, 'bin', 'uv');
const UV_VERSION = '0.13.9';
const MAX_RUN_MS = 300_000;
/** Most characters that are shown of what a failed application wrote. */
const MAX_SHOWN = 2_000;

async function install(): Promise<void> {
  if (existsSync(UV)) return;
  await run('python3', ['-m', 'venv', VENV]);
  await run(join(VENV, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', `uv==${UV_VERSION}`]);
}

/** Returns the variables that uv needs; what else this process has is no business of the applications. */
function ofInstaller(): Record<string, string | undefined> {
  const names = Object.keys(process.env).filter((name) =>
    /^(?:PATH|HOME|(?:UV|PIP|SSL|REQUESTS|HTTPS?|NO)_\w+)$/i.test(name),
  );
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

async function record(app: string): Promise<void> {
  const file = join(HERE, 'apps', `${app}.py`);
  await using model = await startStandInModel();
  const sink = await startSink();
  const env = {
    ...ofInstaller(),
    PYTHONPATH: HERE,
    PYTHONDONTWRITEBYTECODE: '1',
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_API_BASE: `${model.url}/v1`,
    OPENAI_API_KEY: 'none',
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'none',
    OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    LANGFUSE_BASE_URL: sink.url,
    LANGFUSE_PUBLIC_KEY: 'pk-none',
    LANGFUSE_SECRET_KEY: 'sk-none',
    LITELLM_LOCAL_MODEL_COST_MAP: 'True',
  };
  try {
    await run(UV, ['run', '--quiet', '--script', file], { env, timeout: MAX_RUN_MS });
  } finally {
    sink.close();
  }
  writeRecording(PYTHON, app, { packages: packagesIn(file), requests: sink.requests });
  console.log(`${app}: ${sink.requests.length} requests`);
}

/** Returns the versions of the packages that an application names. */
function packagesIn(file: string): Record<string, string> {
  const found = readFileSync(file, 'utf8').matchAll(/^# {3}"([\w-]+)(?:\[[\w,]+\])?==([\w.]+)",$/gm);
  return Object.fromEntries([...found].map(([, name = '', version = '']) => [name, version] as const));
}

const only = process.argv.slice(2);
await install();
mkdirSync(PYTHON, { recursive: true });
for (const file of readdirSync(join(HERE, 'apps')).sort()) {
  const app = basename(file, '.py');
  if (only.length > 0 && !only.includes(app)) continue;
  try {
    await record(app);
  } catch (error) {
    process.exitCode = 1;
    console.error(`${app}: ${String((error as { stderr?: string }).stderr).slice(-MAX_SHOWN)}`);
  }
}
