/** `touchstone prices apply`: costs of stored traces by the prices of now. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommandLine } from '../../src/cli/run.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { MS, otlpRequest } from '../support/spans.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

async function apply(...args: string[]): Promise<string> {
  let out = '';
  let err = '';
  const code = await runCommandLine(['prices', 'apply', ...args], {
    env: { TOUCHSTONE_DATA_DIR: server.folder },
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    isTerminal: false,
    program: 'touchstone',
  });
  expect([code, err]).toEqual([0, '']);
  return out;
}

const applied = async (...args: string[]): Promise<unknown> => JSON.parse(await apply(...args, '--json'));

/** Returns the costs that the list of traces shows, in dollars. */
async function listed(): Promise<number[]> {
  const { data } = await server.ok('GET', '/v0/traces');
  return data.map(({ cost }) => cost ?? 0).sort((a, b) => a - b);
}

async function setPrice(input: number): Promise<void> {
  await server.ok('PUT', '/v0/prices', { body: { prices: { 'acme-1': { input, output: 0 } } } });
}

it('shows by a dry run what the costs would be, and then sets them', async () => {
  await setPrice(1);
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'acme-1',
    'gen_ai.usage.input_tokens': 1_000_000,
  };
  const day = 86_400_000 * MS;
  const spans = [1, 2].map((trace) => ({ trace, id: 1, attributes, start: trace === 2 ? 2 * day : 0 }));
  const headers = { 'content-type': 'application/x-protobuf' };
  await server.call('POST', '/v1/traces', { headers, body: otlpRequest(spans) });
  expect(await listed()).toEqual([1, 1]);

  await setPrice(3);
  const all = { calculated: 2, unchanged: 0, before: 2, after: 6 };
  expect(await applied('--dry-run')).toEqual({ ...all, dryRun: true });
  expect(await listed()).toEqual([1, 1]);
  expect(await apply('--dry-run')).toBe(
    '2 traces would be calculated again: $2 now, $6 then. Nothing was changed.\n',
  );
  const later = { calculated: 1, unchanged: 0, before: 1, after: 3 };
  expect(await applied('--from', '2026-01-02')).toEqual({ ...later, dryRun: false });
  expect(await listed()).toEqual([1, 3]);
  expect(await apply()).toBe('2 traces calculated again: $4 before, $6 now.\n');
  expect(await listed()).toEqual([3, 3]);
  expect(await applied()).toEqual({ calculated: 2, unchanged: 0, before: 6, after: 6, dryRun: false });
});
