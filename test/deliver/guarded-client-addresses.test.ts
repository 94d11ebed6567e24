import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAddressGuard } from '../../src/deliver/address-guard.ts';
import { createGuardedClient, type GuardedClient } from '../../src/deliver/guarded-client.ts';
import type { ResolveHost } from '../../src/deliver/outbound-connection.ts';
import type { Outcome } from '../../src/deliver/outcome.ts';
import { answering, type HostileServer, OK, startHostileServer } from '../support/hostile-server.ts';

let server: HostileServer;
beforeAll(async () => {
  server = await startHostileServer(answering(OK));
});
afterAll(() => server.close());

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'loopback.test': ['127.0.0.1'],
  'loopback6.test': ['::1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'private.test': ['10.0.0.7'],
  'metadata.test': ['169.254.169.254'],
  'public.test': ['93.184.216.34'],
  'both.test': ['127.0.0.1', '10.0.0.7', '127.0.0.2'],
  'none.test': [],
};

const clientWith = (lookup: ResolveHost | undefined, allow: string[] = [], isLoopbackOpen = true) =>
  createGuardedClient({
    guard: createAddressGuard({ allow, isLoopbackOpen }),
    ...(lookup && { lookup }),
  });
const post = (client: GuardedClient, url: string): Promise<Outcome> =>
  client.request({ url, method: 'POST', headers: {}, body: Buffer.from('{}'), timeoutMs: 20_000 });

const lookup: ResolveHost = async (host) => NAMES[host] ?? [];
const call = (url: string, allow: string[] = [], isLoopbackOpen = false): Promise<Outcome> =>
  post(clientWith(lookup, allow, isLoopbackOpen), url);

describe('an address that is not open', () => {
  it.each([
    ['http://127.0.0.1/', '127.0.0.1 is a loopback address.'],
    ['http://2130706433/', '127.0.0.1 is a loopback address.'],
    ['http://0177.0.0.1/', '127.0.0.1 is a loopback address.'],
    ['http://0x7f.1/', '127.0.0.1 is a loopback address.'],
    ['http://127.1/', '127.0.0.1 is a loopback address.'],
    ['http://[::ffff:127.0.0.1]/', '::ffff:7f00:1 is a loopback address.'],
    ['https://169.254.169.254/', '169.254.169.254 is the metadata address of a cloud.'],
    ['https://loopback.test/', 'loopback.test:443 resolves to 127.0.0.1, which is a loopback address.'],
    ['https://loopback6.test/', 'loopback6.test:443 resolves to ::1, which is a loopback address.'],
    ['https://mapped.test/', 'mapped.test:443 resolves to ::ffff:127.0.0.1, which is a loopback address.'],
    ['https://private.test/', 'private.test:443 resolves to 10.0.0.7, which is in a private network.'],
    [
      'https://metadata.test/',
      'metadata.test:443 resolves to 169.254.169.254, which is the metadata address of a cloud.',
    ],
    [
      'http://public.test/',
      'public.test:80 resolves to 93.184.216.34, which may be called with https: only.',
    ],
    ['http://both.test/', 'both.test:80 resolves to 127.0.0.1, which is a loopback address.'],
  ])('is not called: %s', async (url, message) => {
    const before = server.connections.length;
    const address = new URL(url);
    address.port = String(server.port);
    const withPort = message.replace(/:(443|80) /, `:${server.port} `);

    expect(await call(address.href)).toMatchObject({
      kind: 'not_sent',
      reason: 'blocked',
      message: withPort,
    });
    expect(server.connections).toHaveLength(before);
  });
});

describe('a name', () => {
  it('is resolved once a request: a second answer of its name server changes nothing', async () => {
    const answers = [['127.0.0.1'], ['10.0.0.7']];
    let lookups = 0;
    const client = clientWith(async () => answers[lookups++] ?? []);
    const url = `http://rebinding.test:${server.port}/`;

    expect(await post(client, url)).toMatchObject({ kind: 'answered' });
    expect(lookups).toBe(1);
    expect(await post(client, url)).toMatchObject({ kind: 'not_sent', reason: 'blocked' });
    expect(lookups).toBe(2);
  });

  it('is requested by the resolver of the machine when no other is given', async () => {
    const client = clientWith(undefined);
    expect(await post(client, `http://localhost:${server.port}/`)).toMatchObject({ kind: 'answered' });
    expect(await post(client, 'https://no-such-app.invalid/')).toMatchObject({
      kind: 'not_sent',
      reason: 'dns',
    });
  });

  it('without an address is distinguished from a name server that does not answer', async () => {
    const failing = (code: string): Promise<Outcome> => {
      const error = Object.assign(new Error('getaddrinfo'), { code });
      return post(
        clientWith(() => Promise.reject(error)),
        'https://app.test/',
      );
    };
    expect(await failing('ENOTFOUND')).toMatchObject({
      kind: 'not_sent',
      reason: 'dns',
      message: 'The name app.test cannot be resolved (ENOTFOUND).',
    });
    expect(await failing('EAI_AGAIN')).toMatchObject({
      kind: 'not_sent',
      reason: 'dns',
      message: 'The name server did not respond to the lookup of app.test (EAI_AGAIN).',
    });
    expect(await call('https://none.test/')).toMatchObject({ kind: 'not_sent', reason: 'dns' });
  });
});
