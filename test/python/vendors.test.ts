/** SDKs of other vendors that have set a tracer provider first: `register()` adds itself to it, by the recipes of the README. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { installPackage, PYTHON_PACKAGE, pythonWith } from '../support/python.ts';
import { sharedServer, type TestServer } from '../support/server.ts';

const INSTALL_MS = 900_000;
/** An address of this machine at which no server listens: nothing is sent to the vendors. */
const NOWHERE = 'http://127.0.0.1:9';

const VENDORS: [name: string, setUp: string][] = [
  [
    'Langfuse',
    `from langfuse import Langfuse
Langfuse(public_key="pk", secret_key="sk", base_url="${NOWHERE}")`,
  ],
  [
    'Logfire',
    `import logfire
logfire.configure(send_to_logfire=False, console=False)`,
  ],
  [
    'Traceloop',
    `from traceloop.sdk import Traceloop
Traceloop.init(app_name="app", api_endpoint="${NOWHERE}", telemetry_enabled=False)`,
  ],
  [
    'Sentry',
    `import sentry_sdk
sentry_sdk.init(dsn="http://key@127.0.0.1:9/1", traces_sample_rate=1.0)`,
  ],
  ['opentelemetry-instrument', ''],
];

const APP = `
import os, sys
from opentelemetry import trace
from touchstone_otel import observe, register, with_test

touchstone = register(strict=True)
assert touchstone.is_registered
answer = observe(name="answer", input=False)(lambda: "Paris")
trace_id = []
with with_test("7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60"):
    with trace.get_tracer("app").start_as_current_span("outer") as span:
        trace_id.append(trace.format_trace_id(span.get_span_context().trace_id))
        answer()
touchstone.flush()
print(touchstone.stats().exported, trace_id[0], flush=True)
# The other SDK would try for long to send what it has.
os._exit(0)
`;

let server: TestServer;
let python: string;
let installed: string;
const folder = mkdtempSync(join(tmpdir(), 'touchstone-vendors-'));
beforeAll(async () => {
  [server, python] = await Promise.all([
    sharedServer(),
    pythonWith(join(PYTHON_PACKAGE, 'tests/vendors/requirements.txt')),
  ]);
  ({ installed } = await installPackage(python, folder));
}, INSTALL_MS);
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

it.each(VENDORS)('%s', async (vendor, setUp) => {
  const tenant = await server.newTenant();
  const program = vendor === 'opentelemetry-instrument' ? [join(dirname(python), vendor), python] : [python];
  const [command, ...args] = [...program, '-c', `${setUp}\n${APP}`];
  const { stdout } = await promisify(execFile)(command, args, {
    env: {
      PATH: `${dirname(python)}:${process.env['PATH']}`,
      PYTHONPATH: installed,
      TOUCHSTONE_URL: server.url,
      TOUCHSTONE_API_KEY: tenant.apiKey,
      TOUCHSTONE_APPLICATION_ID: tenant.applicationId,
      OTEL_EXPORTER_OTLP_TIMEOUT: '100',
      OTEL_TRACES_EXPORTER: 'none',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
    },
  });
  const [, exported, traceId] = /(\d+) ([\da-f]{32})\n$/.exec(stdout) ?? [];
  expect(exported, stdout).toBe('2');
  const { status, json } = await server.call('GET', `/v0/traces/${traceId}/spans`, {
    headers: tenant.headers,
  });
  expect(status).toBe(200);
  const { data } = json as { data: { name: string }[] };
  expect(data.map(({ name }) => name).toSorted()).toEqual(['answer', 'outer']);
});
