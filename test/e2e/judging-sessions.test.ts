import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Eval } from '../../src/api/generated/schema.ts';
import { withStore } from '../../src/cli/data-folder.ts';
import { defining, type Headers } from '../resources/definition-support.ts';
import { readMetric } from '../support/ledger.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type JudgeBehaviour, type StandInJudge, startStandInJudge } from '../support/stand-in-judge.ts';

const REACHED = { say: { goal: 'to return a chair', rationale: 'Turn 2 confirms it.', reached: 'yes' } };

let judge: StandInJudge;
let behaviour: JudgeBehaviour;
let server: TestServer;
let sessions = 0;
beforeAll(async () => {
  judge = await startStandInJudge(() => behaviour);
  server = await startServer({ config: { quietMs: 50, judgeModel: 'judge-1', judgeBaseUrl: judge.openAi } });
  const [conversation, kind] = await Promise.all([
    defining(server).definition({ type: 'CONVERSATION', globalConfig: { maxTurns: 2 } }),
    // Reads one answer, so it is not applied to sessions.
    defining(server).definition({ type: 'CUSTOM', globalConfig: { criterion: 'Is it kind?' } }),
  ]);
  const evalIds = [conversation.id, kind.id];
  await server.call('POST', '/v0/definitions/link-application', { body: { evalIds } });
});
afterAll(async () => {
  await server.close();
  await judge[Symbol.asyncDispose]();
});
beforeEach(() => {
  judge.requests.length = 0;
  behaviour = REACHED;
});

/** Returns the event of a trace of a session, a second after the one before. */
const turnOf = (session: string, turn: number, input: string, output: string): object => {
  const timestamp = new Date(Date.UTC(2026, 0, 1, 12, 0, turn)).toISOString();
  return { type: 'trace', timestamp, referenceId: session, input, output };
};

/** Stores traces at once; returns their ids. */
async function sayAll(events: readonly object[], headers: Headers = {}): Promise<string[]> {
  const { json } = await server.call('POST', '/v0/ingest', { body: { events }, headers });
  return (json as { data: { id: string }[] }).data.map(({ id }) => id);
}

/** Stores a trace of a session; returns its id. */
async function say(
  session: string,
  turn: number,
  input: string,
  output: string,
  headers: Headers = {},
): Promise<string> {
  const [id = ''] = await sayAll([turnOf(session, turn, input, output)], headers);
  return id;
}

interface Evaluated {
  traceId: string;
  evals: number;
}

async function evaluate(session: string, body: object = {}, headers: Headers = {}): Promise<Evaluated> {
  const path = `/v0/sessions/${encodeURIComponent(session)}/evaluate`;
  const { status, text, json } = await server.call('POST', path, { body, headers });
  expect(status, text).toBe(200);
  return (json as { data: Evaluated }).data;
}

/** Waits until the current evals of a trace have ended. */
async function evalsOf(traceId: string, headers: Headers = {}): Promise<Eval[]> {
  const read = async (): Promise<Eval[]> => {
    const listed = (await server.ok('GET', `/v0/evals?traceId=${traceId}`, { headers })).data;
    return Promise.all(
      listed.map(async ({ id }) => (await server.ok('GET', `/v0/evals/${id}`, { headers })).data),
    );
  };
  const isOver = (found: Eval[]): boolean =>
    found.every(({ status }) => status !== 'PENDING' && status !== 'IN_PROGRESS');
  await expect.poll(async () => isOver(await read())).toBe(true);
  return read();
}

const newSession = (): string => `talk/${++sessions}`;

it('a session is judged as a conversation of its traces, in their order', async () => {
  const session = newSession();
  await say(session, 2, 'The blue one', 'It will be collected');
  const first = await say(session, 1, 'I want to return a chair', 'Which one?');
  await say(newSession(), 1, 'Another user', 'Hello');
  const { traceId, evals } = await evaluate(session);
  expect(evals).toBe(1);
  expect(traceId).not.toBe(first);
  expect(await evalsOf(traceId)).toMatchObject([
    {
      status: 'COMPLETED',
      passed: true,
      score: 1,
      testId: null,
      traceId,
      results: { goal: 'to return a chair', reached: 'yes', turns: 2 },
    },
  ]);
  const [text = ''] = judge.requests[0]?.messages ?? [];
  const places = ['I want to return a chair', 'Which one?', 'The blue one', 'It will be collected'].map(
    (part) => text.indexOf(part),
  );
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBeGreaterThan(-1);
  expect(text).not.toContain('Another user');
});

it('a session is judged again only if it has changed, or by force; further turns have an eval of their own', async () => {
  const session = newSession();
  await say(session, 1, 'Where is my parcel?', 'With DHL');
  const { traceId } = await evaluate(session);
  await evalsOf(traceId);
  expect(await evaluate(session)).toEqual({ traceId, evals: 0 });
  expect(await evaluate(session, { force: true })).toEqual({ traceId, evals: 1 });
  expect(await evalsOf(traceId)).toMatchObject([{ version: 2 }]);
  await say(session, 2, 'Since when?', 'Monday');
  await say(session, 3, 'Thanks', 'You are welcome');
  const later = await evaluate(session);
  expect(later).toMatchObject({ evals: 1 });
  // Three turns are more than `maxTurns`.
  expect(await evalsOf(later.traceId)).toMatchObject([{ passed: false, results: { turns: 3 } }]);
  expect(await evalsOf(traceId)).toMatchObject([{ passed: true, results: { turns: 1 } }]);
});

it('the texts of a session go with each of its traces', async () => {
  const session = newSession();
  const first = await say(session, 1, 'My name is Ada', 'Hello Ada');
  await say(session, 2, 'Bye', 'Bye');
  const { traceId } = await evaluate(session);
  const [before] = await evalsOf(traceId);
  const other = newSession();
  await say(other, 1, 'Hello', 'Hello');
  const kept = await evaluate(other);
  await evalsOf(kept.traceId);
  expect((await server.call('DELETE', `/v0/traces/${first}`)).status).toBe(204);
  const calls = async (): Promise<unknown> =>
    (await server.call('GET', `/v0/evals/${before?.id}/judge-calls`)).json;
  await expect.poll(calls).toMatchObject({ data: [{ request: null, raw: null }] });
  expect(await evalsOf(traceId)).toMatchObject([{ passed: true, results: null, judge: null }]);
  expect(await evalsOf(kept.traceId)).toMatchObject([{ results: { turns: 1 } }]);
});

it('an idle session is judged without a request, and again after further turns', async () => {
  const { headers } = await server.newTenant();
  const definition = await defining(server, headers).definition({
    type: 'CONVERSATION',
    globalConfig: { monitoring: { sampleRate: 1, idleTimeoutMs: 1_000 } },
  });
  const body = { evalIds: [definition.id] };
  await server.call('POST', '/v0/definitions/link-application', { body, headers });
  // Sessions without a trace that arrives after the sampling began are not judged.
  const isOn = (): boolean =>
    withStore(server.folder, (database) => database.get('SELECT 1 FROM session_monitoring') !== undefined);
  await expect.poll(isOn).toBe(true);

  const session = newSession();
  // At once, so that the session is not idle in between.
  const [first = '', second = ''] = await sayAll(
    [
      turnOf(session, 1, 'I want to return a chair', 'Which one?'),
      turnOf(session, 2, 'The blue one', 'It will be collected'),
    ],
    headers,
  );
  const isJudged = async (traceId: string): Promise<boolean> =>
    (await evalsOf(traceId, headers)).some(({ status }) => status === 'COMPLETED');
  await expect.poll(() => isJudged(second)).toBe(true);
  const third = await say(session, 3, 'Thanks', 'You are welcome', headers);
  await expect.poll(() => isJudged(third)).toBe(true);
  expect(await evalsOf(first, headers)).toEqual([]);
  expect(await evalsOf(second, headers)).toMatchObject([{ version: 1, passed: true, results: { turns: 2 } }]);
  expect(await evalsOf(third, headers)).toMatchObject([{ version: 1, passed: true, results: { turns: 3 } }]);
  expect(await evaluate(session, {}, headers)).toEqual({ traceId: third, evals: 0 });
  expect(
    (await server.call('GET', `/v0/sessions/${encodeURIComponent(session)}`, { headers })).json,
  ).toMatchObject({
    data: { lastTraceId: third },
  });
  // No further look judges the same state again.
  await sleep(1_200);
  expect(judge.requests).toHaveLength(2);
  expect(await readMetric(server, 'touchstone_monitored_sessions_total{outcome="planned"}')).toBe(2);
});

it('a session that is not there is 404', async () => {
  expect((await server.call('POST', '/v0/sessions/nobody/evaluate', { body: {} })).status).toBe(404);
});
