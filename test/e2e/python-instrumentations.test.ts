import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OF_FRAMEWORKS } from '../instrumentations/apps.ts';
import { FRAMEWORKS, PYTHON, readRecording, recordedApps } from '../instrumentations/recording.ts';
import { replay } from '../instrumentations/replay.ts';
import { shown } from '../instrumentations/said-and-shown.ts';
import { expectedCells, RECORDED } from '../instrumentations/table.ts';
import { sharedServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

it('knows every recording', () => {
  expect(Object.keys(RECORDED).sort()).toEqual([PYTHON, FRAMEWORKS].flatMap(recordedApps).sort());
  expect(recordedApps(FRAMEWORKS)).toEqual(OF_FRAMEWORKS.names);
});

it.each(OF_FRAMEWORKS.names)(
  '%s was recorded as it is today; after a change: npm run record:javascript -- frameworks',
  (app) => expect(readRecording(FRAMEWORKS, app).sources).toBe(OF_FRAMEWORKS.sourcesOf(app)),
);

describe.each(Object.entries(RECORDED))('%s', (app, recorded) => {
  it('is shown as it was said, but for what the package does not send', async () => {
    const picture = await replay(server, recorded.folder ?? PYTHON, app);
    expect(picture.rejected).toBe(0);
    expect(shown(picture)).toEqual(expectedCells(recorded));
  });
});
