import { afterEach, describe, expect, it } from 'vitest';
import { createAddressGuard } from '../../src/deliver/address-guard.ts';
import { createGuardedClient } from '../../src/deliver/guarded-client.ts';
import type { Outcome } from '../../src/deliver/outcome.ts';
import {
  answering,
  type Certificate,
  type HostileServer,
  OK,
  startHostileServer,
  testAuthority,
} from '../support/hostile-server.ts';

const client = createGuardedClient({
  guard: createAddressGuard({ allow: [], isLoopbackOpen: true }),
  lookup: async () => ['127.0.0.1'],
  ca: [testAuthority],
});
const post = (url: string, timeoutMs = 20_000, by = client): Promise<Outcome> =>
  by.request({ url, method: 'POST', headers: {}, body: Buffer.from('{}'), timeoutMs });

let server: HostileServer | null = null;
const serve = async (...args: Parameters<typeof startHostileServer>): Promise<number> => {
  server = await startHostileServer(...args);
  return server.port;
};
afterEach(() => server?.close());

describe('over TLS', () => {
  it.each(['app.test', 'APP.test.', '127.0.0.1'])('an app is called as %s', async (host) => {
    const port = await serve(answering(OK), { certificate: 'trusted' });
    expect(await post(`https://${host}:${port}/hook`)).toMatchObject({
      kind: 'answered',
      status: 200,
      timings: { tlsMs: expect.any(Number) as number },
    });
  });

  it.each<[certificate: Certificate, fact: string, hint: string]>([
    [
      'self-signed',
      'presents a self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT)',
      'NODE_EXTRA_CA_CERTS',
    ],
    ['expired', 'presents a certificate that has expired (CERT_HAS_EXPIRED)', 'Renew'],
    ['not-yet-valid', 'presents a certificate that is not valid yet (CERT_NOT_YET_VALID)', 'clock'],
    ['wrong-name', 'presents a certificate for another name (ERR_TLS_CERT_ALTNAME_INVALID)', 'add this name'],
  ])('a certificate is rejected: %s', async (certificate, fact, hint) => {
    const port = await serve(answering(OK), { certificate });
    expect(await post(`https://app.test:${port}/`)).toMatchObject({
      kind: 'not_sent',
      reason: 'tls',
      message: `app.test:${port} ${fact}.`,
      hint: expect.stringContaining(hint) as string,
    });
    expect(server?.connections.map(({ received }) => received.toString()).join('')).toBe('');
  });

  it('an authority that is not given is not trusted', async () => {
    const usual = createGuardedClient({
      guard: createAddressGuard({ allow: [], isLoopbackOpen: true }),
      lookup: async () => ['127.0.0.1'],
    });
    const port = await serve(answering(OK), { certificate: 'trusted' });
    expect(await post(`https://app.test:${port}/`, 20_000, usual)).toMatchObject({
      reason: 'tls',
      message: expect.stringContaining('from an authority that is not trusted') as string,
    });
  });

  it('no variable of the environment turns the checks off', async () => {
    const port = await serve(answering(OK), { certificate: 'self-signed' });
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      expect(await post(`https://app.test:${port}/`)).toMatchObject({ reason: 'tls' });
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
  });

  it('a port of plain HTTP is named as such', async () => {
    const port = await serve(({ socket }) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await post(`https://app.test:${port}/`)).toMatchObject({
      kind: 'not_sent',
      reason: 'tls',
      message: expect.stringContaining('does not speak TLS') as string,
    });
  });

  it('a connection that breaks in the handshake was not sent anything', async () => {
    const port = await serve(({ socket }) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await post(`https://app.test:${port}/`)).toMatchObject({ kind: 'not_sent', reason: 'tls' });
  });

  it('time that is up in the handshake is time up while connecting', async () => {
    const port = await serve(({ socket }) => socket.resume());
    expect(await post(`https://app.test:${port}/`, 200)).toMatchObject({
      kind: 'timeout',
      phase: 'connect',
      wasSent: false,
    });
    await server?.connections[0]?.closed;
  });

  it('plain HTTP to a port of TLS is lost', async () => {
    const port = await serve(answering(OK), { certificate: 'trusted' });
    expect(await post(`http://app.test:${port}/`)).toMatchObject({ kind: 'lost' });
  });
});
