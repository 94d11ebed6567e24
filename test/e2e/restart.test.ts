import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ChildServer, newPresets, type Presets } from '../support/child-server.ts';
import { getAll, readLedger } from '../support/ledger.ts';
import { otlpRequest } from '../support/spans.ts';
import { RawConnection, requestBytes } from '../support/sockets.ts';
import { newSpanId, newTraceId } from './otlp-sender.ts';
import { Books, deliver, eventSender, jsonSender, protobufSender, type Tried } from './senders.ts';

let dataDir: string;
let presets: Presets;
let servers: ChildServer[];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'touchstone-'));
  presets = newPresets();
  servers = [];
});
afterEach(async () => {
  for (const server of servers) await server.stop('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(): Promise<ChildServer> {
  const server = await ChildServer.start({ dataDir, presets });
  servers.push(server);
  return server;
}

/** Expects that a server ends well after SIGTERM, without aborting requests that do not end by themselves. */
async function expectStop(server: ChildServer, exit = server.stop('SIGTERM')): Promise<void> {
  expect(await exit).toBe(0);
  // The last line may be read after the end of the process.
  await expect.poll(() => server.said.at(-1)).toContain('"message":"stopped"');
  expect(server.said.join('\n')).not.toContain('requests were aborted');
}

it('ends on SIGTERM under load with code 0 and keeps all it acknowledged', async () => {
  const server = await start();
  const books = new Books();
  const tries: Tried[] = [];
  let sent = 0;
  const running = [1, 2, 3]
    .flatMap(() => [protobufSender(false), protobufSender(true), jsonSender(), eventSender()])
    .map(async (next) => {
      for (let isUp = true; isUp; ) {
        const delivery = next();
        books.deliveries.push(delivery);
        sent += 1;
        const tried = await deliver(server, delivery);
        tries.push(tried);
        isUp = tried === 200;
      }
    });
  await expect.poll(() => sent).toBeGreaterThan(100);
  await expectStop(server);
  await Promise.all(running);
  expect(tries.filter((tried) => tried !== 200 && tried !== 'no answer')).toEqual([]);

  const again = await start();
  const expected = books.expected();
  const found = new Map<string, string>();
  for (const trace of new Set([...expected.keys()].map((key) => key.split(' ')[0] as string))) {
    const spans = await getAll<{ id: string; name: string }>(again, `/v0/traces/${trace}/spans`, 1_000);
    for (const { id, name } of spans) found.set(`${trace} ${id}`, name);
  }
  // What was rejected or interrupted was not begun: nothing is there that was not acknowledged.
  expect(found).toEqual(expected);
  expect(await readLedger(again)).toMatchObject({
    stored: books.fresh,
    duplicate: 0,
    replaced: 0,
    rejected: 0,
  });
});

it('responds to what it had begun to read before it ends', async () => {
  const server = await start();
  const trace = newTraceId();
  const request = requestBytes({
    path: '/v1/traces',
    headers: { ...server.headers, 'content-type': 'application/x-protobuf' },
    body: otlpRequest([{ trace, id: newSpanId() }]),
  });
  const connection = await RawConnection.open(server.url);
  const answer = connection.answer();
  connection.write(request.subarray(0, -10));
  // It has the head of the request once it answers one that came later.
  expect((await server.call('GET', '/healthz')).status).toBe(200);
  const exit = server.stop('SIGTERM');
  // No new connection is taken any more, and the old one is still served.
  await expect
    .poll(() =>
      RawConnection.open(server.url).then(
        (one) => (one.close(), 'open'),
        () => 'refused',
      ),
    )
    .toBe('refused');
  connection.write(request.subarray(-10));
  expect((await answer).status).toBe(200);
  await expectStop(server, exit);

  const again = await start();
  expect((await again.call('GET', `/v0/traces/${trace}`)).json).toMatchObject({ data: { spanCount: 1 } });
});

it('reports to anyone that it runs and is ready, and stops with idle and silent connections open', async () => {
  const server = await start();
  for (const path of ['/healthz', '/readyz']) {
    const response = await fetch(server.url + path);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ status: 'ok' });
  }
  const idle = await RawConnection.open(server.url);
  expect((await idle.send({ method: 'GET', path: '/healthz' })).status).toBe(200);
  const silent = await RawConnection.open(server.url);
  await expectStop(server);
  await Promise.all([idle.closed, silent.closed]);
});
