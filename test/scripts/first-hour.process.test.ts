import { afterAll, beforeAll, expect, it } from 'vitest';
import { runWay } from '../../scripts/first-hour/run-way.ts';
import { WAYS } from '../../scripts/first-hour/ways.ts';
import { sharedServer, type TestServer } from '../support/server.ts';

const INSTALL_MS = 600_000;

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

it(
  'an app in an empty folder installs the package that the server serves, and draws its first trace',
  async () => {
    const way = WAYS.find(({ name }) => name === 'javascript');
    if (!way) throw new Error('There is no such way');
    const { url, apiKey, applicationId } = server;
    const { printed } = await runWay(way, { url, apiKey, applicationId, modelUrl: 'http://127.0.0.1:9' });
    expect(printed).toMatch(/^asked {5}What is the capital of France\?\nanswered {2}Paris\n/m);
  },
  INSTALL_MS,
);
