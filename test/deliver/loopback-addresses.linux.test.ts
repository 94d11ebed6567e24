// Only on Linux is every address of 127.0.0.0/8 one of the machine.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAddressGuard } from '../../src/deliver/address-guard.ts';
import { createGuardedClient } from '../../src/deliver/guarded-client.ts';
import type { Outcome } from '../../src/deliver/outcome.ts';
import { answering, type HostileServer, OK, startHostileServer } from '../support/hostile-server.ts';

let server: HostileServer;
beforeAll(async () => {
  server = await startHostileServer(answering(OK));
});
afterAll(() => server.close());

const NAMES: Readonly<Record<string, readonly string[]>> = {
  // 127.0.0.2 stands for a public address: it is open, and the test's own machine responds there.
  'both.test': ['127.0.0.1', '10.0.0.7', '127.0.0.2'],
  'second.test': ['127.0.0.2', '127.0.0.1'],
};

const call = (url: string, allow: string[] = [], isLoopbackOpen = false): Promise<Outcome> =>
  createGuardedClient({
    guard: createAddressGuard({ allow, isLoopbackOpen }),
    lookup: async (host) => NAMES[host] ?? [],
  }).request({ url, method: 'POST', headers: {}, body: Buffer.from('{}'), timeoutMs: 20_000 });

it('a closed address is passed over when the name has one that is open', async () => {
  const before = server.connections.length;
  const outcome = await call(`http://both.test:${server.port}/`, ['127.0.0.2']);

  // The server listens on 127.0.0.1 only: had that been tried, it would have answered.
  expect(outcome).toMatchObject({ kind: 'not_sent', reason: 'refused' });
  expect(server.connections).toHaveLength(before);
});

it('a name is called at the next address when one does not listen', async () => {
  expect(await call(`http://second.test:${server.port}/`, [], true)).toMatchObject({
    kind: 'answered',
    timings: { dnsMs: expect.any(Number) as number },
  });
  expect(server.connections.at(-1)?.received.toString()).toContain(`host: second.test:${server.port}\r\n`);
});
