import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../../support/server.ts';
import { type Line, makeApp } from './support/built-package.ts';
import { findNode20 } from './support/nodes.ts';

interface Report {
  isRegistered: boolean;
  answers: { testId: string; traceId: string; spanId: string; status: number; body: string }[];
  /** The status of a delivery without a signature. */
  unsigned: number;
  said: string[];
}

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.close());

describe.each<[Line, string, () => string]>([
  ['line-2-oldest', 'Node 20', findNode20],
  ['line-2', 'Node 20', findNode20],
  ['line-3', "the project's Node", () => process.execPath],
])('an app on OpenTelemetry of %s under %s', (line, _, findNode) => {
  it.each(['webhook-esm.mjs', 'webhook-cjs.cjs'])(
    'responds to the deliveries of tests once their spans are stored (%s)',
    async (file) => {
      const testIds = Array.from({ length: 8 }, () => randomUUID());
      const app = await makeApp(line);
      const { code, stdout, stderr } = await app.run(findNode(), file, {
        TEST_IDS: JSON.stringify(testIds),
        TOUCHSTONE_URL: server.url,
        TOUCHSTONE_API_KEY: server.apiKey,
        TOUCHSTONE_APPLICATION_ID: server.applicationId,
        // A busy server may need longer than the default of 5 s.
        OTEL_EXPORTER_OTLP_TIMEOUT: '100000',
      });
      app.remove();
      expect(code).toBe(0);
      // One line about the delivery without a signature, and nothing else.
      expect(stderr).toMatch(/^touchstone: rejected a delivery: .*signature.*\n$/);
      const report = JSON.parse(stdout) as Report;

      expect(report).toMatchObject({ isRegistered: true, unsigned: 401, said: [] });
      expect(report.answers.map(({ status, body }) => [status, body])).toEqual(
        testIds.map(() => [200, '{"ok":true}']),
      );
      for (const { testId, traceId, spanId } of report.answers) {
        const traces = await server.call('GET', `/v0/traces?testId=${testId}`);
        expect(traces.json).toMatchObject({ data: [{ otelTraceId: traceId, testIds: [testId] }] });
        const spans = await server.call('GET', `/v0/traces/${traceId}/spans`);
        expect(spans.json).toMatchObject({
          data: [
            { id: spanId, placeholder: true },
            { name: 'Where is my parcel?', parentId: spanId },
          ],
        });
      }
    },
  );
});
