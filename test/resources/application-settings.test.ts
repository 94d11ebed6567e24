/** Settings of an application that are changed in part, and its health before anything has arrived. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

it('masking has no rules at first; a rule that is set leaves the others', async () => {
  const none = {
    detectors: [],
    patterns: [],
    removeAttributes: [],
    keepAttributes: null,
    exemptAttributes: [],
  };
  expect((await server.ok('GET', '/v0/masking')).data).toMatchObject(none);
  expect((await server.ok('GET', '/v0/masking/report')).data).toEqual([]);
  await server.ok('PUT', '/v0/masking', { body: { removeAttributes: ['secret.*'] } });
  const { data } = await server.ok('PUT', '/v0/masking', { body: { detectors: ['email'] } });
  expect(data).toMatchObject({ ...none, detectors: ['email'], removeAttributes: ['secret.*'] });
  const body = { text: 'To ada@example.com.', rules: { detectors: ['email' as const] } };
  const preview = (await server.ok('POST', '/v0/masking/preview', { body })).data;
  expect(preview.text).not.toContain('ada@');
  expect(preview.masked).toHaveLength(1);
});

it('a limit of retention that is set leaves the others, and what limits would delete is shown', async () => {
  await server.ok('PUT', '/v0/retention', { body: { maxBytes: 1_000_000_000 } });
  const { data } = await server.ok('PUT', '/v0/retention', { body: { days: 90 } });
  expect(data).toMatchObject({ days: 90, maxBytes: 1_000_000_000 });
  const shown = (await server.ok('GET', '/v0/retention?days=30')).data;
  expect(shown).toMatchObject({ days: 30, pinnedDays: 365, due: { traces: 0 }, lastRun: null });
});

it('the health of an application that has received nothing has no facts', async () => {
  const path = `/v0/applications/${server.applicationId}/health` as const;
  expect((await server.ok('GET', path)).data).toMatchObject({
    lastSpan: null,
    lastRejection: null,
    webhook: null,
    lastDelivery: null,
    traces: { total: 0, withoutTest: 0 },
    clockDifferenceMs: null,
  });
});
