import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as serve from '../../../src/cli/serve.ts';
import { readConfig } from '../../../src/config.ts';
import { generateKey } from '../../../src/resources/api-keys/key-text.ts';
import { createLog } from '../../../src/runtime/log.ts';
import { type Api, call } from '../api.ts';
import { startApp } from '../app.ts';
import { DemoLog } from '../log.ts';
import { fillApplication } from './fill.ts';
import { answerShopCustomer } from './shop-agent.ts';
import { startJudge } from './stand-in-judge.ts';

/** Folder with everything of this demo. Deleting it removes the demo. */
const FOLDER = 'demo-data';
/** The app is on the same machine: what is late there never arrives. */
const SETTINGS = { quietMs: 400, orphanQuietMs: 2_000, traceDeadlineMs: 10_000 };

/** Key and application, kept in the folder so that a later start finds them again. */
interface Kept {
  apiKey: string;
  applicationId: string;
  /** True once the application was filled completely. */
  isFilled: boolean;
}

/** Starts a server that stays, with its app and a stand-in judge, and fills its application at the first start. */
export async function keepDemo(undo: AsyncDisposableStack): Promise<void> {
  const log = undo.adopt(new DemoLog(), (reported) => reported.end());
  const kept = readKept();
  const judge = await startJudge();
  undo.defer(() => judge.close());
  const { api, setupToken } = await startServer(undo, kept, judge.url);
  const app = await startApp(api, { print: () => undefined }, answerShopCustomer);
  undo.defer(() => app.close());
  app.useSecret(await connectWebhook(api, app.url));
  log.print('server', `listens on ${api.url}, over ${FOLDER}/`);
  if (!kept.isFilled) {
    await fillApplication(api, (progress) => log.print('server', progress));
    writeKept({ ...kept, isFilled: true });
  }
  log.end();
  console.log(
    setupToken === null
      ? `\nOpen ${api.url} and sign in.`
      : `\nOpen ${api.url}/#setup=${setupToken} and choose a password.`,
  );
  console.log(`Ctrl-C stops it; the next start goes on with it. To remove it, delete ${FOLDER}/.`);
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
  judgeUrl: string,
): Promise<{ api: Api; setupToken: string | null }> {
  const { TOUCHSTONE_PORT } = process.env;
  const environment = {
    ...(TOUCHSTONE_PORT !== undefined && { TOUCHSTONE_PORT }),
    TOUCHSTONE_JUDGE_BASE_URL: judgeUrl,
    TOUCHSTONE_JUDGE_MODEL: 'stand-in',
  };
  const config = {
    ...readConfig(new Map(), environment).config,
    ...SETTINGS,
    dataDir: FOLDER,
    bootstrapApiKey: kept.apiKey,
    bootstrapApplicationId: kept.applicationId,
  };
  const log = createLog({ level: 'error', write: (line) => process.stderr.write(line), forPeople: true });
  const onDeath = (error: Error): void => {
    throw error;
  };
  const { startServing } = await loadBuild();
  const server = await startServing(config, { log, onDeath });
  undo.defer(() => server.close());
  if (!kept.isFilled) writeKept(kept);
  return { api: { url: server.url, ...kept }, setupToken: server.setupToken };
}

/** Loads the server from the build, which has the dashboard; builds it if the sources have changed. */
async function loadBuild(): Promise<typeof serve> {
  const root = join(import.meta.dirname, '../../..');
  execFileSync(process.execPath, ['scripts/build.mjs', '--if-changed'], { cwd: root, stdio: 'inherit' });
  return (await import(pathToFileURL(join(root, 'dist/cli/serve.js')).href)) as typeof serve;
}

/** Sets the webhook to the app of this start, and returns its new secret. */
async function connectWebhook(api: Api, url: string): Promise<string> {
  const { data } = await call<{ data: { webhookSecret: string } }>(api, 'POST', '/v0/webhook', { url });
  return data.webhookSecret;
}
