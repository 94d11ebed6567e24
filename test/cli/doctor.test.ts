import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { doctor } from '../../src/cli/doctor.ts';
import { checkoutWarning, plainHttpWarning } from '../../src/cli/start-warnings.ts';
import { generateKey } from '../../src/resources/api-keys/key-text.ts';
import { NOWHERE } from '../support/customer-app.ts';
import { startServer, type TestServer } from '../support/server.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-'));
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ config: { dataDir: folder } });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Ran {
  code: number;
  out: string;
}

async function run(args: readonly string[], apiKey = server.apiKey): Promise<Ran> {
  let out = '';
  const env = {
    TOUCHSTONE_URL: server.url,
    TOUCHSTONE_API_KEY: apiKey,
    TOUCHSTONE_APPLICATION_ID: server.applicationId,
  };
  const write = (text: string): boolean => {
    out += text;
    return true;
  };
  const code = await doctor(args, { env, out: write, err: write, isTerminal: false, program: 'touchstone' });
  return { code, out };
}

describe('touchstone doctor', () => {
  it('finds nothing wrong with a new server but that no span has arrived', async () => {
    const { code, out } = await run([]);
    expect(code).toBe(0);
    expect(out).toMatch(/^✓ ok {6}Server: .* responds and accepts the key\.$/m);
    expect(out).toMatch(/^! warning Spans: No span has arrived\.$/m);
    expect(out).toMatch(/ Write-ahead log: /);
    expect(out).toMatch(/^✓ ok {6}Retention: Traces are kept without limit\.$/m);
  });

  it('probes the webhook without running the app, and says what is wrong with it', async () => {
    const methods: (string | undefined)[] = [];
    const app = createServer(({ method }, response) => {
      methods.push(method);
      response.writeHead(405).end();
    });
    await once(app.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
    await server.call('POST', '/v0/webhook', { body: { url: `${url}/hook` } });
    expect((await run([])).out).toMatch(
      /^✓ ok {6}Webhook endpoint: .* responds: status 405 for OPTIONS after \d+ ms\.$/m,
    );
    expect(methods).toEqual(['OPTIONS']);
    app.close();
    app.closeAllConnections();
    await once(app, 'close');
    // Another program may have taken the port of the app.
    await server.call('POST', '/v0/webhook', { body: { url: NOWHERE } });
    const { code, out } = await run([]);
    expect(code).toBe(1);
    expect(out).toMatch(/^✕ problem Webhook endpoint: .* refused the connection\.$/m);
    await server.call('DELETE', '/v0/webhook');
  });

  it('reports a wrong key, and exits with 1', async () => {
    const { code, out } = await run(['--json'], generateKey().text);
    const { checks } = JSON.parse(out) as { checks: { level: string; message: string }[] };
    expect(code).toBe(1);
    expect(checks).toHaveLength(1);
    expect(checks[0]?.message).toMatch(/API key is not valid/);
    expect((await run([])).out).toMatch(/^✕ problem API keys: GET \/v0\/applications\//m);
  });

  it('says what a key without the scope admin does not show', async () => {
    const { 'x-api-key': key } = await server.newKey(['read']);
    expect((await run([], key)).out).toMatch(/^! warning System: /m);
  });

  it('checks a data folder, and finds a secret key that is another one', async () => {
    await server.call('POST', '/v0/webhook', { body: { url: 'http://127.0.0.1:9/' } });
    const { out: before } = await run(['--data-dir', folder]);
    expect(before).toMatch(/✓ ok {6}Secret key: /);
    expect(before).toMatch(/✓ ok {6}Settings: /);
    await server.close();
    writeFileSync(join(folder, 'secret.key'), randomBytes(32));
    const { code, out } = await run(['--data-dir', folder]);
    expect(code).toBe(1);
    expect(out).toMatch(/✕ problem Secret key: [\s\S]*Default[\s\S]*copy the old key to/);
    server = await startServer({ config: { dataDir: folder } });
    expect(server.logged.filter((line) => /sealed with another secret key/.test(line))).toHaveLength(1);
  });
});

describe('at the start', () => {
  it.each([
    ['0.0.0.0', null, /over plain HTTP/],
    ['192.0.2.1', null, /at http:\/\/192\.0\.2\.1:4318 over plain HTTP/],
    ['0.0.0.0', 'https://touchstone.example', null],
    ['127.0.0.1', null, null],
  ])('a server on %s with the public URL %s warns: %s', (host, publicUrl, expected) => {
    const text = plainHttpWarning({ host, publicUrl }, 4318);
    if (expected === null) expect(text).toBeNull();
    else expect(text).toMatch(expected);
  });

  it('a data folder in a git checkout is warned of', () => {
    const checkout = mkdtempSync(join(tmpdir(), 'touchstone-'));
    try {
      expect(checkoutWarning(join(checkout, 'data'))).toBeNull();
      mkdirSync(join(checkout, '.git'));
      expect(checkoutWarning(join(checkout, 'data'))).toContain(`in the git checkout ${checkout}`);
    } finally {
      rmSync(checkout, { recursive: true, force: true });
    }
  });
});
