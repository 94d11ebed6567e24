import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PYTHON, recordedApps } from '../instrumentations/recording.ts';
import { replay } from '../instrumentations/replay.ts';
import { shown } from '../instrumentations/python/said-and-shown.ts';
import { expectedCells, RECORDED } from '../instrumentations/python/table.ts';
import { sharedServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

it('knows every recording', () => {
  expect(Object.keys(RECORDED).sort()).toEqual(recordedApps(PYTHON));
});

describe.each(Object.entries(RECORDED))('%s', (app, recorded) => {
  it('is shown as it was said, but for what the package does not send', async () => {
    const picture = await replay(server, PYTHON, app);
    expect(picture.rejected).toBe(0);
    expect(shown(picture)).toEqual(expectedCells(recorded));
  });
});
