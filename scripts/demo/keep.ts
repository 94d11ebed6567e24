import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../src/config.ts';
import { generateKey } from '../../src/resources/api-keys/key-text.ts';
import { type Api, call } from './api.ts';
import { DemoLog } from './log.ts';
import { startDemoServer } from './server.ts';

/** Folder with everything of this demo. Deleting it removes the demo. */
const FOLDER = 'demo-data';
const POLL_MS = 500;

/** Key and application, kept in the folder so that a later start finds them again. */
interface Kept {
  apiKey: string;
  applicationId: string;
  /** True once the application was filled completely. */
  isFilled: boolean;
}

/** Starts a server that stays, and loads example data into its application at the first start. */
export async function keepDemo(undo: AsyncDisposableStack): Promise<void> {
  const kept = readKept();
  const { api, setupToken } = await startServer(undo, kept);
  const log = undo.adopt(new DemoLog(), (reported) => reported.end());
  log.print('server', `listens on ${api.url}, over ${FOLDER}/`);
  if (!kept.isFilled) {
    await loadExampleData(api, (progress) => log.print('server', progress));
    writeKept({ ...kept, isFilled: true });
  }
  log.end();
  console.log(
    setupToken === null
      ? `\nOpen ${api.url} and sign in.`
      : `\nOpen ${api.url}/#setup=${setupToken} and choose a password.`,
  );
  console.log(`Ctrl-C stops it; the next start continues with it. To remove it, delete ${FOLDER}/.`);
}

interface ExampleData {
  data: { status: string; step: string | null; stepsDone: number; steps: number; failure: string | null };
}

async function loadExampleData(api: Api, report: (progress: string) => void): Promise<void> {
  const path = `/v0/applications/${api.applicationId}/example-data`;
  await call(api, 'PUT', `/v0/applications/${api.applicationId}`, {
    title: 'Example shop',
    context: 'Helps customers of a web shop.',
  });
  let { data } = await call<ExampleData>(api, 'POST', path);
  for (let step = null; data.status === 'LOADING'; { data } = await call<ExampleData>(api, 'GET', path)) {
    if (data.step !== null && data.step !== step)
      report(`loads example data, ${data.stepsDone + 1} of ${data.steps}: ${data.step}`);
    ({ step } = data);
    await sleep(POLL_MS);
  }
  if (data.status !== 'READY') throw new Error(`the example data was not loaded: ${data.failure}`);
}

const keptFile = join(FOLDER, 'demo.json');

function readKept(): Kept {
  if (!existsSync(FOLDER))
    return { apiKey: generateKey().text, applicationId: randomUUID(), isFilled: false };
  const kept = existsSync(keptFile) ? (JSON.parse(readFileSync(keptFile, 'utf8')) as Kept) : null;
  if (!kept?.isFilled) throw new Error(`${FOLDER}/ was not filled completely; delete it and start again`);
  return kept;
}

const writeKept = (kept: Kept): void => writeFileSync(keptFile, JSON.stringify(kept), { mode: 0o600 });

async function startServer(
  undo: AsyncDisposableStack,
  kept: Kept,
): Promise<{ api: Api; setupToken: string | null }> {
  const { TOUCHSTONE_PORT } = process.env;
  const environment = { ...(TOUCHSTONE_PORT !== undefined && { TOUCHSTONE_PORT }) };
  const config = {
    ...readConfig(new Map(), environment).config,
    dataDir: FOLDER,
    bootstrapApiKey: kept.apiKey,
    bootstrapApplicationId: kept.applicationId,
  };
  const server = await startDemoServer(config);
  undo.defer(() => server.close());
  if (!kept.isFilled) writeKept(kept);
  return { api: { url: server.url, ...kept }, setupToken: server.setupToken };
}
