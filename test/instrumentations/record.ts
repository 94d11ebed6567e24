/**
 * Runs the JavaScript applications of `apps/`, or with `frameworks` as the first argument those of `frameworks/apps/`, with the packages of
 * their lock file, and records the OTLP requests that they send: `npm run record:javascript`. The recordings are replayed without the
 * packages; a test fails once they are older than an application or the lock file.
 */
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startStandInModel } from '../support/stand-in-model.ts';
import { installWorkspace } from '../support/workspace.ts';
import { type JavaScriptApps, OF_FRAMEWORKS, OF_INSTRUMENTATIONS } from './apps.ts';
import { writeRecording } from './recording.ts';
import { startSink } from './sink.ts';

const MAX_RUN_MS = 120_000;

async function record(
  { home, recordings, packagesOf, sourcesOf }: JavaScriptApps,
  app: string,
): Promise<void> {
  await using model = await startStandInModel();
  const sink = await startSink();
  const env = {
    PATH: process.env['PATH'],
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_API_KEY: 'none',
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'none',
    OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-application-id=recorded',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
  };
  try {
    await promisify(execFile)(process.execPath, [join(home, 'apps', `${app}.mjs`)], {
      env,
      timeout: MAX_RUN_MS,
    });
  } finally {
    sink.close();
  }
  writeRecording(recordings, app, {
    packages: packagesOf(app),
    sources: sourcesOf(app),
    requests: sink.requests,
  });
  console.log(`${app}: ${sink.requests.length} requests`);
}

const [first, ...rest] = process.argv.slice(2);
const apps = first === 'frameworks' ? OF_FRAMEWORKS : OF_INSTRUMENTATIONS;
const only = first === undefined || first === 'frameworks' ? rest : [first, ...rest];
await installWorkspace(apps.home);
mkdirSync(apps.recordings, { recursive: true });
for (const app of apps.names) if (only.length === 0 || only.includes(app)) await record(apps, app);
