import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { type App, makeApp, PACKAGE } from './support/built-package.ts';
import { newDelivery, newSecret, post } from './support/webhook.ts';

const NEXT = join(PACKAGE, 'test/next/node_modules/next/dist/bin/next');
const SECRET = newSecret();

const route = (runtime: string): string => `
import { trace } from '@opentelemetry/api';
import { createWebhookHandler } from 'touchstone-otel';

export const runtime = '${runtime}';
export const dynamic = 'force-dynamic';

const answer = async (prompt) => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  trace.getTracer('app').startSpan('answer', { attributes: { 'input.value': prompt } }).end();
};

export const POST = createWebhookHandler({
  // The build runs this file too, without the secret.
  secret: process.env.TOUCHSTONE_WEBHOOK_SECRET ?? '${SECRET}',
  run: ({ prompt }) => answer(prompt),
});
export const GET = async () => {
  await globalThis.touchstone.flush();
  return Response.json(globalThis.touchstone.stats());
};
`;

/** The files of the app, as the README of the package describes them. */
const FILES: Readonly<Record<string, string>> = {
  'instrumentation.js': `
import { register as registerTouchstone } from 'touchstone-otel';

export function register() {
  globalThis.touchstone = registerTouchstone({ serviceName: 'support-bot' });
}
`,
  'app/layout.js': 'export default ({ children }) => <html lang="en"><body>{children}</body></html>;',
  'app/page.js': 'export default () => <p>Support</p>;',
  'app/nodejs/route.js': route('nodejs'),
  'app/edge/route.js': route('edge'),
  'next.config.mjs': `export default { turbopack: { root: ${JSON.stringify(join(PACKAGE, 'test/next'))} } };`,
};

let app: App;
let server: TestServer;
beforeAll(async () => {
  app = await makeApp('next');
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(app.folder, file)), { recursive: true });
    writeFileSync(join(app.folder, file), text);
  }
  for (const file of ['main.mjs', 'main.cjs']) rmSync(join(app.folder, file));
  server = await startServer();
}, 900_000);
afterAll(async () => {
  app.remove();
  await server.close();
});

it('webhooks in both runtimes of Next.js are answered, and their spans are stored in their tests', async () => {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: app.folder,
    NEXT_TELEMETRY_DISABLED: '1',
    TOUCHSTONE_URL: server.url,
    TOUCHSTONE_API_KEY: server.apiKey,
    TOUCHSTONE_APPLICATION_ID: server.applicationId,
    TOUCHSTONE_WEBHOOK_SECRET: SECRET,
    OTEL_EXPORTER_OTLP_TIMEOUT: '60000',
  };
  await promisify(execFile)(process.execPath, [NEXT, 'build'], { cwd: app.folder, env });
  const port = await freePort();
  const next = spawn(process.execPath, [NEXT, 'start', '-H', '127.0.0.1', '-p', String(port)], {
    cwd: app.folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let written = '';
  for (const stream of [next.stdout, next.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (written += text));
  try {
    await expect.poll(() => written).toContain('Ready');
    for (const runtime of ['nodejs', 'edge']) {
      const url = `http://127.0.0.1:${port}/${runtime}`;
      const deliveries = Array.from({ length: 10 }, () => newDelivery(SECRET));
      const answers = await Promise.all(deliveries.map((delivery) => post(url, delivery)));
      expect(answers, written).toEqual(deliveries.map(() => ({ status: 200, body: { ok: true } })));
      expect(await post(url, newDelivery(newSecret()))).toMatchObject({ status: 401 });

      const stats = (await (await fetch(url)).json()) as Record<string, number>;
      expect(stats).toMatchObject({ rejected: 0, failed: 0, dropped: 0, unsampledTestSpans: 0 });
      for (const { testId } of deliveries) {
        const { data } = await server.ok('GET', `/v0/traces/by-test/${testId}`);
        const spans = await server.ok('GET', `/v0/traces/${data.id}/spans?limit=1000`);
        expect(spans.data.filter(({ name }) => name === 'answer')).toMatchObject([{ testId }]);
      }
    }
    expect(written).not.toContain('lost');
  } finally {
    if (next.exitCode === null && next.kill()) await once(next, 'exit');
  }
});
