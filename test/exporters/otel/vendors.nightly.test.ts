import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer, type TestServer } from '../../support/server.ts';
import { type App, makeApp } from './support/built-package.ts';
import { serve } from './support/webhook.ts';

/** Paths at which the other service receives spans, and the spans of its own that it shares with OpenTelemetry. */
const VENDORS = {
  langfuse: { path: /\/api\/public\/otel/, shared: ['own'] },
  'sentry-10': { path: /\/api\/1\/envelope/, shared: ['own'] },
  'sentry-11': { path: /\/api\/1\/envelope/, shared: [] },
  traceloop: { path: /\/v1\/traces/, shared: [] },
  logfire: { path: /\/v1\/traces/, shared: ['own'] },
  datadog: { path: /^\/v0\.\d\/traces/, shared: [] },
};

let app: App;
let server: TestServer;
beforeAll(async () => {
  app = await makeApp('vendors');
  server = await startServer();
}, 1_800_000);
afterAll(async () => {
  app.remove();
  await server.close();
});

it.each(Object.entries(VENDORS))(
  'an app with %s stores every span here, and sends there too',
  async (vendor, { path, shared }) => {
    const paths: string[] = [];
    await using other = await serve((request, response) => {
      paths.push(request.url ?? '');
      request.resume();
      request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
    });
    const testId = randomUUID();
    const child = spawn(process.execPath, [join(app.folder, 'vendors.mjs')], {
      cwd: app.folder,
      env: {
        PATH: process.env['PATH'],
        VENDOR: vendor,
        VENDOR_URL: other.url.replace(/\/$/, ''),
        TEST_ID: testId,
        TOUCHSTONE_URL: server.url,
        TOUCHSTONE_API_KEY: server.apiKey,
        TOUCHSTONE_APPLICATION_ID: server.applicationId,
        OTEL_EXPORTER_OTLP_TIMEOUT: '60000',
      },
      stdio: 'pipe',
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    try {
      await expect.poll(() => stdout + stderr).toContain('"traceId"');
      const line = stdout.split('\n').find((text) => text.includes('"traceId"')) ?? '{}';
      const { traceId, stats } = JSON.parse(line) as { traceId: string; stats: Record<string, number> };
      const names = ['child', 'root', ...shared].toSorted();
      expect(stats).toMatchObject({ ended: names.length, exported: names.length, failed: 0, dropped: 0 });
      const { data } = await server.ok('GET', `/v0/traces/${traceId}/spans?limit=100`);
      expect(data.map(({ name }) => String(name)).toSorted()).toEqual(names);
      expect(new Set(data.map((span) => span.testId))).toEqual(new Set([testId]));
      await expect.poll(() => paths.filter((one) => path.test(one)).length).toBeGreaterThan(0);
      expect(stderr).not.toContain('touchstone:');
    } finally {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    }
  },
);
