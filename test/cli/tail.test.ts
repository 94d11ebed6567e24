import { afterAll, beforeAll, expect, it } from 'vitest';
import { tail } from '../../src/cli/tail.ts';
import { generateKey } from '../../src/resources/api-keys/key-text.ts';
import { sharedServer, type TestServer } from '../support/server.ts';
import { otlpRequest, uuid } from '../support/spans.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

interface Tailing {
  out: string;
  err: string;
  stop: AbortController;
  ended: Promise<void>;
}

function tailing(flags: readonly string[], url = server.url): Tailing {
  const stop = new AbortController();
  const shown: Tailing = { out: '', err: '', stop, ended: Promise.resolve() };
  const io = {
    env: {
      TOUCHSTONE_URL: url,
      TOUCHSTONE_API_KEY: server.apiKey,
      TOUCHSTONE_APPLICATION_ID: server.applicationId,
    },
    out: (text: string) => void (shown.out += text),
    err: (text: string) => void (shown.err += text),
    isTerminal: false,
    program: 'touchstone',
  };
  shown.ended = tail(flags, io, stop.signal);
  return shown;
}

async function send(trace: number, attributes: Record<string, string> = {}): Promise<void> {
  const headers = { ...server.headers, 'content-type': 'application/x-protobuf' };
  const body = otlpRequest([{ trace, id: 1, name: `turn ${trace}`, attributes }]);
  await fetch(`${server.url}/v1/traces`, { method: 'POST', headers, body });
}

it('prints each new trace, as a line or as JSON, and those of tests only on request', async () => {
  const all = [tailing([]), tailing(['--json']), tailing(['--tests'])] as const;
  const [text, json, tests] = all;
  for (const { err } of all) expect(err).toBe('');
  await expect.poll(() => all.every(({ err }) => err.startsWith('Waiting for traces'))).toBe(true);
  await send(1);
  await send(2, { 'service.test.id': uuid(5) });
  for (const lines of [text, json]) await expect.poll(() => lines.out.match(/\n/g)?.length).toBe(2);
  expect(text.out).toMatch(/^2026-01-01 00:00:00 {2}\S+ {2} +1 ms {2} +1 span {2}turn 1$/m);
  await expect.poll(() => tests.out).toMatch(/^.* test \S+5 {2}turn 2\n$/);
  const traces = json.out.trimEnd().split('\n');
  expect(traces.map((line) => (JSON.parse(line) as { rootName: string }).rootName).toSorted()).toEqual([
    'turn 1',
    'turn 2',
  ]);
  for (const { stop } of all) stop.abort();
  await Promise.all(all.map(({ ended }) => ended));
});

it('says why it cannot begin', async () => {
  await expect(tailing([], 'http://127.0.0.1:9').ended).rejects.toThrow('cannot be reached');
  const io = {
    env: {},
    out: () => undefined,
    err: () => undefined,
    isTerminal: false,
    program: 'touchstone',
  };
  const args = [
    '--url',
    server.url,
    '--api-key',
    generateKey().text,
    '--application-id',
    server.applicationId,
  ];
  await expect(tail(args, io)).rejects.toThrow('answered 401');
});
