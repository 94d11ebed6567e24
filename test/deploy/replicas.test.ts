import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { demand } from '../../scripts/suite/needs.ts';
import { encodeTracesJson } from '../../src/ingest/otlp/json-to-protobuf.ts';
import { jsonRequest, jsonSpan } from '../e2e/otlp-sender.ts';
import { ChildServer, newPresets } from '../support/child-server.ts';
import { freePort } from '../support/free-port.ts';
import { framed, GrpcConnection } from '../support/grpc.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { until } from '../support/until.ts';

const CONFIG = join(import.meta.dirname, '../../deploy/haproxy.cfg');

const presets = newPresets();
let postgres: PostgresServer;
let folder: string;
let replicas: { server: ChildServer; port: number; grpcPort: number }[];
let proxy: ChildProcess;
let url: string;
let statsUrl: string;
let proxyGrpcPort: number;

async function start(port: number, grpcPort: number): Promise<ChildServer> {
  const env = {
    // Longer than the checks of the proxy take on a busy machine.
    TOUCHSTONE_STOP_DELAY_MS: '12000',
    TOUCHSTONE_DATABASE_URL: postgres.url,
    TOUCHSTONE_SECRET_KEY: 'a text that all replicas share',
    TOUCHSTONE_TRUSTED_PROXIES: '127.0.0.1',
    TOUCHSTONE_PUBLIC_URL: url,
    TOUCHSTONE_GRPC_PORT: String(grpcPort),
  };
  return ChildServer.start({ dataDir: join(folder, 'unused'), presets, port, env });
}

/** Returns the configuration with ports of this test, and with two replicas in place of those that Compose has. */
function configOf(ports: { http: number; grpc: number; stats: number }): string {
  const template = /^ {2}server-template touchstone 10 touchstone:(4318|4317)(.*)$/gm;
  const servers = readFileSync(CONFIG, 'utf8').replaceAll(template, (_all, kind: string, options: string) =>
    replicas
      .map(({ port, grpcPort }, index) => {
        const own = options.replace('port 4318', `port ${port}`);
        return `  server touchstone${index} 127.0.0.1:${kind === '4318' ? port : grpcPort}${own}`;
      })
      .join('\n'),
  );
  return servers
    .replace('bind :4318', `bind 127.0.0.1:${ports.http}`)
    .replace('bind :4317', `bind 127.0.0.1:${ports.grpc}`)
    .concat(`\nlisten stats\n  bind 127.0.0.1:${ports.stats}\n  stats enable\n  stats uri /\n`);
}

/** Returns what the proxy knows of each replica, such as `UP`, for HTTP and for gRPC. */
async function statesOf(): Promise<string[]> {
  const text = await (await fetch(`${statsUrl}/;csv`)).text();
  const [head = '', ...lines] = text.split('\n');
  const column = head.split(',').indexOf('status');
  return lines.filter((line) => /^\w+,touchstone/.test(line)).map((line) => line.split(',')[column] ?? '');
}

beforeAll(async () => {
  demand('haproxy');
  postgres = await startPostgres();
  folder = mkdtempSync(join(tmpdir(), 'touchstone-proxy-'));
  const [http, grpc, stats] = [await freePort(), await freePort(), await freePort()];
  proxyGrpcPort = grpc;
  statsUrl = `http://127.0.0.1:${stats}`;
  url = `http://127.0.0.1:${http}`;
  // Both at once, as Compose starts them over an empty database.
  replicas = await Promise.all(
    [1, 2].map(async () => {
      const [port, grpcPort] = [await freePort(), await freePort()];
      return { server: await start(port, grpcPort), port, grpcPort };
    }),
  );
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, configOf({ http, grpc, stats }));
  proxy = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'inherit', 'inherit'] });
  await until(async () => (await fetch(`${url}/readyz`).catch(() => null))?.status === 200);
});
afterAll(async () => {
  proxy.kill('SIGKILL');
  await Promise.all(replicas.map(({ server }) => server.stop('SIGKILL')));
  await postgres[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const send = async (traceId: string): Promise<number> => {
  const headers = { ...replicas[0]?.server.headers, 'content-type': 'application/json' };
  const body = JSON.stringify(jsonRequest(jsonSpan(traceId, 'answer', {})));
  const response = await fetch(`${url}/v1/traces`, { method: 'POST', headers, body });
  await response.arrayBuffer();
  return response.status;
};

it('no request fails while the replicas behind the proxy are replaced one after another', async () => {
  const statuses = new Map<number, number>();
  const sent = new Set<string>();
  const end = new AbortController();
  const senders = Array.from({ length: 4 }, async (_, sender) => {
    for (let number = 1; !end.signal.aborted; number += 1) {
      const traceId = (sender * 1_000_000 + number).toString(16).padStart(32, 'c');
      const status = await send(traceId).catch(() => 0);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      sent.add(traceId);
    }
  });
  const count = (): number => statuses.get(200) ?? 0;
  for (const replica of replicas) {
    const before = count();
    await until(() => count() > before + 20);
    expect(await replica.server.stop('SIGTERM')).toBe(0);
    const without = count();
    await until(() => count() > without + 20);
    replica.server = await start(replica.port, replica.grpcPort);
    await until(async () => (await fetch(`${replica.server.url}/readyz`)).status === 200);
    const isUp = async (): Promise<boolean> => (await statesOf()).every((state) => state === 'UP');
    await until(isUp);
  }
  end.abort();
  await Promise.all(senders);
  expect([...statuses.keys()]).toEqual([200]);
  const stored = new Set<string>();
  for (let skip = 0; stored.size === skip; skip += 100) {
    const headers = { ...replicas[0]?.server.headers };
    const response = await fetch(`${url}/v0/traces?skip=${skip}&limit=100`, { headers });
    const { data } = (await response.json()) as { data: { otelTraceId: string }[] };
    for (const { otelTraceId } of data) stored.add(otelTraceId);
  }
  expect([...sent].filter((id) => !stored.has(id))).toEqual([]);
});

it('accepts OTLP over gRPC through the proxy', async () => {
  const connection = await GrpcConnection.open(proxyGrpcPort);
  const codes = [];
  for (const trace of ['1', '2', '3', '4']) {
    const json = JSON.stringify(jsonRequest(jsonSpan(trace.repeat(32), 'answer', {})));
    const bytes = framed(encodeTracesJson(Buffer.from(json)));
    const { code } = await connection.call({ headers: replicas[0]?.server.headers ?? {}, bytes });
    codes.push(code);
  }
  connection.destroy();
  expect(codes).toEqual([0, 0, 0, 0]);
});
