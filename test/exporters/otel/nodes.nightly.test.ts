/** The package under each supported Node, on both lines of OpenTelemetry, loaded as ESM, as CommonJS, and as both at once. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../../support/server.ts';
import { installWorkspace } from '../../support/workspace.ts';
import { type App, type Line, makeApp, PACKAGE } from './support/built-package.ts';
import { findNode20 } from './support/nodes.ts';

const HOME = join(PACKAGE, 'test/nodes');
const BURST = 1_000;
const MIXED = 'mixed.mjs';
const FILES = ['main.mjs', 'main.cjs', MIXED];

const NODES: Record<string, () => string> = {
  'Node 20': findNode20,
  'Node 22': () => join(HOME, 'node_modules/node-22/bin/node'),
  'Node 24': () => join(HOME, 'node_modules/node-24/bin/node'),
  'Node 26': () => process.execPath,
};

/** ESM and CommonJS under Node 20 and that of the project are in lines.test.ts. */
const CELLS = Object.keys(NODES).flatMap((node) =>
  (['line-2', 'line-3'] as const)
    // OpenTelemetry itself requires Node 22.15 there.
    .filter((line) => line === 'line-2' || node !== 'Node 20')
    .flatMap((line) =>
      (node === 'Node 22' || node === 'Node 24' ? FILES : [MIXED]).map((file) => [node, line, file] as const),
    ),
);

const apps = new Map<Line, App>();
let server: TestServer;
beforeAll(async () => {
  await installWorkspace(HOME);
  for (const line of ['line-2', 'line-3'] as const) apps.set(line, await makeApp(line));
  server = await startServer();
}, 900_000);
afterAll(async () => {
  await server.close();
  for (const app of apps.values()) app.remove();
});

describe('an app', () => {
  it.each(CELLS)('under %s with %s stores every span of %s', async (node, line, file) => {
    const tenant = await server.newTenant();
    const testIds = Array.from({ length: 8 }, () => randomUUID());
    const { code, stdout, stderr } = await (apps.get(line) as App).run(NODES[node]?.() ?? '', file, {
      MODE: 'register',
      BURST: String(BURST),
      TEST_IDS: JSON.stringify(testIds),
      TOUCHSTONE_URL: server.url,
      TOUCHSTONE_API_KEY: tenant.apiKey,
      TOUCHSTONE_APPLICATION_ID: tenant.applicationId,
      OTEL_EXPORTER_OTLP_TIMEOUT: '100000',
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const ended = 8 * 3 + BURST;
    const { stats } = JSON.parse(stdout) as { stats: object };
    expect(stats).toMatchObject({ ended, exported: ended, failed: 0, dropped: 0, rejected: 0 });
    const { headers } = tenant;
    const { json } = await server.call('GET', '/v0/ingest/ledger', { headers });
    expect((json as { data: { stored: number }[] }).data.reduce((sum, row) => sum + row.stored, 0)).toBe(
      ended,
    );
    for (const testId of testIds) {
      const trace = await server.call('GET', `/v0/traces/by-test/${testId}`, { headers });
      expect(trace.json).toMatchObject({ data: { testId, spanCount: 3 } });
    }
  });
});
