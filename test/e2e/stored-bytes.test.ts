import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { framed, exportPath, GrpcConnection } from '../support/grpc.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';
import { otlpRequest } from '../support/spans.ts';
import { until } from '../support/until.ts';
import { newTraceId } from './otlp-sender.ts';

const PERMISSION_DENIED = 7;

let server: TestServer;
let sibling: Tenant;
let neighbour: Tenant;
beforeAll(async () => {
  server = await startServer({ config: { organisationStoredBytes: 200_000, grpcPort: 0 } });
  sibling = await server.newTenant();
  neighbour = await server.newTenant({ orgId: 'org-2' });
});
afterAll(async () => {
  await server.close();
});

const body = (trace = newTraceId(), bytes = 30_000): Buffer =>
  otlpRequest([{ trace, id: 1, attributes: { note: randomBytes(bytes).toString('base64') } }]);
const send = ({ headers }: Pick<Tenant, 'headers'>, message = body()) =>
  server.call('POST', '/v1/traces', {
    headers: { ...headers, 'content-type': 'application/x-protobuf' },
    body: message,
  });

it('An organisation that stores too much may read and delete, and sends again after that; others notice nothing', async () => {
  const first = newTraceId();
  expect((await send(server, body(first))).status).toBe(200);
  await until(async () => {
    const { status, headers } = await send(sibling);
    // Until it is counted, senders retry.
    if (status === 429) expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(3);
    else expect([200, 403]).toContain(status);
    return status === 403;
  });

  const otlp = await send(server);
  expect(otlp.status).toBe(403);
  expect(otlp.headers.get('retry-after')).toBeNull();
  expect(otlp.text).toContain('delete traces, shorten retention');
  const events = { events: [{ type: 'trace', timestamp: Date.now(), input: 'a', output: 'b' }] };
  const native = await server.call('POST', '/v0/ingest', { body: events });
  expect(native.status).toBe(403);
  expect(native.text).toContain('TOUCHSTONE_ORGANISATION_STORED_BYTES');
  const grpc = await GrpcConnection.open(server.grpcPort as number);
  const { code } = await grpc.call({
    path: exportPath('traces'),
    headers: server.headers,
    bytes: framed(body()),
  });
  grpc.destroy();
  expect(code).toBe(PERMISSION_DENIED);

  expect((await send(neighbour)).status).toBe(200);
  expect((await server.call('GET', `/v0/traces/${first}`)).status).toBe(200);
  expect((await server.call('PUT', '/v0/retention', { body: { days: 30 } })).status).toBe(200);
  expect((await server.call('POST', '/v0/erasures', { body: { userId: 'eve' } })).status).toBeLessThan(300);

  const json = await server.ok('GET', '/v0/traces?limit=100', { headers: sibling.headers });
  for (const { id } of json.data) {
    const path = `/v0/traces/${id}`;
    expect((await server.call('DELETE', path, { headers: sibling.headers })).status).toBeLessThan(300);
  }
  await until(async () => (await send(server, body(newTraceId(), 10))).status === 200);
});
