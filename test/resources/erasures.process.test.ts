import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Erasure } from '../../src/api/generated/schema.ts';
import { run } from '../support/process.ts';
import { sharedServer, type TestServer } from '../support/server.ts';
import { erasing } from './erasure-support.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

const { send } = erasing(() => server);
const total = async (query: string): Promise<number> => {
  return (await server.ok('GET', `/v0/traces?${query}`)).pagination.total;
};

describe('touchstone erase', () => {
  it('does the same while a server runs, and is audited', async () => {
    const user = randomUUID();
    await send(401, { 'user.id': user });
    const ended = await run([
      'erase',
      '--user',
      user,
      '--application-id',
      server.applicationId,
      '--data-dir',
      server.folder,
      '--json',
    ]);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const receipt = JSON.parse(ended.stdout) as Erasure;
    expect(receipt).toMatchObject({ status: 'COMPLETED', counts: { traces: 1 } });
    expect(await total(`userId=${user}`)).toBe(0);
    const audit = await server.call('GET', '/v0/audit?action=createErasure&actorId=command-line');
    expect(audit.text).toContain(receipt.id);
  });

  it('needs one id', async () => {
    expect(await run(['erase', '--data-dir', server.folder])).toMatchObject({
      code: 1,
      stderr: 'erase needs either --user or --session: an id of 1 to 1000 characters.\n',
    });
  });
});
