import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Decision } from '../../src/api/generated/schema.ts';
import { besideServer } from '../support/beside-store.ts';
import { type Behaviour, type CustomerApp, hang, startCustomerApp } from '../support/customer-app.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type JudgeBehaviour, type StandInJudge, startStandInJudge } from '../support/stand-in-judge.ts';
import { until } from '../support/until.ts';
import { jsonRequest, jsonSpan, newSpanId } from '../e2e/otlp-sender.ts';
import { judging } from './reliability-support.ts';
import { createTaskOf, promptsOf, reaches } from './run-set-support.ts';

const SETTINGS = { quietMs: 50, orphanQuietMs: 100, traceDeadlineMs: 20_000 };
/** Criteria by which the judge of these tests lets something pass. */
const KIND = 'Is it kind?';
const SHORT = 'Is it short?';
const POLITE = 'Is it polite?';

let folder: string;
let server: TestServer;
let app: CustomerApp;
let model: StandInJudge;
/** Whether the judge lets everything pass by this criterion. */
let lenient: string | null = null;
/** What the judge does instead of giving a verdict. */
let instead: JudgeBehaviour | null = null;
/** Versions of the judge by criterion, which is part of them. */
const judgeVersions = new Map<string, string>();
/** Traces that were drawn at random. */
let drawn: string[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-'));
  model = await startStandInJudge(({ system, messages }) => {
    if (instead !== null) return instead;
    const text = `${system}\n${messages.join('\n')}`;
    const isLenient = lenient !== null && text.includes(lenient);
    const verdict = isLenient || text.includes('Gladly.') ? 'yes' : 'no';
    return { say: { rationale: 'It is so.', verdict } };
  });
  server = await start({ judgeModel: 'judge', judgeBaseUrl: model.openAi });
  app = await startCustomerApp();
  await server.ok('POST', '/v0/webhook', { body: { url: app.url } });
  answerAll();
  const ids = await Promise.all([KIND, SHORT, POLITE].map((criterion) => definitionOf(criterion)));
  await reaches(
    server,
    await startSet(await createTaskOf(server, promptsOf(1, 'Version'), ids)),
    'COMPLETED',
  );
  for (const { criterion, version } of rowsOf<{ criterion: string; version: string }>(
    'SELECT definition.name AS criterion, judge_version AS version FROM eval JOIN definition ON definition.id = definition_id',
  ))
    judgeVersions.set(criterion, version);
  drawn = await judging(server).traces(30);
  judging(server).draw(drawn);
});
beforeEach(() => {
  lenient = null;
  instead = null;
  answerAll();
});
afterAll(async () => {
  await server.close();
  await app.close();
  await model[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const start = (config: object): Promise<TestServer> =>
  startServer({ config: { ...SETTINGS, dataDir: folder, ...config } });

/** Makes the app answer each prompt; it is kind for even numbers. */
function answerAll(): void {
  app.behave(answer);
}

const answer: Behaviour = async ({ body, headers }, response) => {
  const { prompt } = JSON.parse(body) as { prompt: string };
  const [, trace = '', parentSpanId] = String(headers['traceparent']).split('-');
  const output = Number(/\d+/.exec(prompt)?.[0]) % 2 === 0 ? 'Gladly.' : 'No.';
  const attributes = Object.entries({
    'openinference.span.kind': 'AGENT',
    'user.id': prompt,
    'input.value': prompt,
    'output.value': output,
  }).map(([key, value]) => ({ key, value: { stringValue: value } }));
  const at = `${Date.now()}000000`;
  const times = { startTimeUnixNano: at, endTimeUnixNano: at };
  const span = jsonSpan(trace, 'answer', { spanId: newSpanId(), parentSpanId, ...times, attributes });
  await server.ok('POST', '/v1/traces', { body: jsonRequest(span) });
  response.writeHead(200).end();
};

async function definitionOf(criterion: string, canaries = 20): Promise<string> {
  const { status, json, text } = await server.call('POST', '/v0/definitions', {
    body: { name: criterion, type: 'CUSTOM', globalConfig: { criterion }, gate: { minKappa: 0.6, canaries } },
  });
  expect(status, text).toBe(201);
  return (json as { data: { id: string } }).data.id;
}

/** Proves the judge of a version of a definition: people agree with all its verdicts. */
function prove(definitionId: string, criterion: string, definitionVersion = 1): void {
  const judgeVersion = judgeVersions.get(criterion) ?? '';
  const passed = drawn.map((_trace, index) => index % 2 === 0);
  const people = judging(server);
  people.judge({ definitionId, traceIds: drawn, passed }, { judgeVersion, definitionVersion });
  if (definitionVersion === 1)
    people.say(
      ...drawn.map((traceId, index) => ({
        traceId,
        verdict: passed[index] as boolean,
        evalDefinitionId: definitionId,
      })),
    );
}

const provedDefinition = async (criterion: string): Promise<string> => {
  const id = await definitionOf(criterion);
  prove(id, criterion);
  return id;
};

const rowsOf = <Row>(sql: string, ...values: string[]): Row[] =>
  besideServer(server.folder, (database) => database.all<Row>(sql, ...values));

/** Number of canaries of a definition that can be compared from now on. */
const frozen = (definitionId: string): number =>
  rowsOf('SELECT 1 FROM canary WHERE definition_id = ? AND passed IS NOT NULL', definitionId).length;

/** Versions of a definition of which evals are canaries. */
const versionsOf = (definitionId: string): number[] =>
  rowsOf<{ version: number }>(
    'SELECT DISTINCT definition_version AS version FROM canary WHERE definition_id = ?',
    definitionId,
  ).map(({ version }) => version);

/** Jobs that judge the canaries of a run set. */
const jobsOf = (runSetId: string): unknown[] =>
  rowsOf(`SELECT 1 FROM job WHERE kind = 'canaries' AND key = ?`, runSetId);

const startSet = async (taskId: string): Promise<string> =>
  (await server.ok('POST', '/v0/run-sets', { body: { taskIds: [taskId], examples: {} } })).data.id;

/** Starts a run set, and waits for its tests and its canaries. */
async function setOf(taskId: string): Promise<string> {
  const id = await startSet(taskId);
  await reaches(server, id, 'COMPLETED');
  await until(
    async () => (await server.ok('GET', `/v0/run-sets/${id}`)).data.canaries.open,
    (open) => open === 0,
  );
  return id;
}

const decisionOn = async (id: string): Promise<Decision> =>
  (await server.ok('GET', `/v0/run-sets/${id}/decision?failUnder=40&withAdvisory=true`)).data;

/** A task of so many examples whose verdicts are frozen, and judged once more. */
async function withCanaries(
  count: number,
  name: string,
  criteria: readonly string[] = [KIND],
): Promise<{ task: string; definitions: string[] }> {
  const definitions: string[] = [];
  for (const criterion of criteria) definitions.push(await provedDefinition(criterion));
  const task = await createTaskOf(server, promptsOf(count, name), definitions);
  await setOf(task);
  for (const id of definitions) await expect.poll(() => frozen(id)).toBe(count);
  return { task, definitions };
}

/** Traces of the tests that are canaries of a definition. */
const tracesOf = async (definitionId: string): Promise<string[]> => {
  const tests = rowsOf<{ id: string }>(
    `SELECT eval.test_id AS id FROM canary JOIN eval ON eval.id = eval_id WHERE canary.definition_id = ?`,
    definitionId,
  );
  const ids: string[] = [];
  for (const { id } of tests) ids.push((await server.ok('GET', `/v0/traces/by-test/${id}`)).data.id);
  return ids;
};

describe('canaries', () => {
  it('of which some are deleted or erased are compared without these, and replaced when most are gone', async () => {
    const { task, definitions } = await withCanaries(10, 'Erased');
    const [id = ''] = definitions;
    const [first = '', ...others] = await tracesOf(id);
    await server.ok('DELETE', `/v0/traces/${first}`);
    const { data } = await server.ok('GET', `/v0/traces/${others[0]}`);
    const { userId = '' } = data as unknown as { userId?: string };
    expect(userId).not.toBe('');
    const erasure = await server.ok('POST', '/v0/erasures', { body: { userId } });
    await until(
      async () => (await server.ok('GET', `/v0/erasures/${erasure.data.id}`)).data.status,
      (status) => status === 'COMPLETED',
    );
    const second = await setOf(task);
    expect(await decisionOn(second)).toMatchObject({
      outcome: 'PASS',
      canaries: [{ canaries: 8, compared: 8, toPassed: 0, toFailed: 0, isShifted: false }],
    });
    for (const traceId of others.slice(1, 6)) await server.ok('DELETE', `/v0/traces/${traceId}`);
    expect((await decisionOn(await setOf(task))).canaries).toMatchObject([{ canaries: 3, compared: 3 }]);
    await expect.poll(() => frozen(id)).toBe(10);
    expect((await decisionOn(await setOf(task))).canaries).toMatchObject([{ canaries: 10, compared: 10 }]);
  });

  it('of a run set that is cancelled are judged no further, and none are frozen with it', async () => {
    const { task, definitions } = await withCanaries(8, 'Cancelled');
    const [id = ''] = definitions;
    const other = await provedDefinition(SHORT);
    const fresh = await createTaskOf(server, promptsOf(8, 'Cancelled first'), [other]);
    let answered = 0;
    app.behave((received, response) => {
      if (answered++ < 6) return answer(received, response);
      return hang(received, response);
    });
    const first = await startSet(fresh);
    const judged = (): unknown[] =>
      rowsOf(
        `SELECT 1 FROM eval WHERE definition_id = ? AND status = 'COMPLETED' AND test_id IS NOT NULL`,
        other,
      );
    await expect.poll(() => judged().length).toBe(6);
    await server.ok('POST', `/v0/run-sets/${first}/cancel`);
    await expect.poll(() => jobsOf(first).length).toBe(0);
    expect(rowsOf('SELECT 1 FROM canary WHERE definition_id = ?', other)).toEqual([]);

    // The first four requests wait; the others are never sent.
    app.behave(hang);
    instead = 'stall';
    const before = model.requests.length;
    const set = await startSet(task);
    await expect.poll(() => model.requests.length).toBe(before + 4);
    await server.ok('POST', `/v0/run-sets/${set}/cancel`);
    const { data } = await server.ok('GET', `/v0/run-sets/${set}`);
    expect(data).toMatchObject({ status: 'CANCELLED', canaries: { total: 8, open: 0 } });
    expect(await decisionOn(set)).toMatchObject({ outcome: 'INCONCLUSIVE' });
    expect(frozen(id)).toBe(8);
    instead = null;
    model.disconnect();
    await expect.poll(() => jobsOf(set).length).toBe(0);
    expect(model.requests.length).toBe(before + 4);
  });

  it('of several definitions show which judge has changed and which has not', async () => {
    const { task, definitions } = await withCanaries(16, 'Several', [KIND, SHORT]);
    lenient = SHORT;
    const set = await setOf(task);
    const decision = await decisionOn(set);
    expect(decision.outcome).toBe('INCONCLUSIVE');
    expect(decision.reasons[0]).toMatch(/^Unknown: the judge of Is it short\? has changed/);
    const [kind, short] = definitions;
    expect(decision.canaries.toSorted((a, b) => a.name.localeCompare(b.name))).toMatchObject([
      { id: kind, name: KIND, compared: 16, toPassed: 0, changed: { rate: 0, low: 0 }, isShifted: false },
      { id: short, name: SHORT, compared: 16, toPassed: 8, changed: { rate: 50 }, isShifted: true },
    ]);
    expect(decision.canaries.every(({ changed }) => changed !== null && changed.high < 80)).toBe(true);
    expect((await server.ok('GET', `/v0/run-sets/${set}`)).data.canaries).toEqual({ total: 32, open: 0 });
  });

  it('of a definition that is edited while they wait are judged as they were frozen, and others are frozen after it', async () => {
    const { task, definitions } = await withCanaries(8, 'Edited');
    const [id = ''] = definitions;
    instead = { say: { rationale: 'It is so.', verdict: 'yes' }, afterMs: 500 };
    const before = model.requests.length;
    const set = await startSet(task);
    await expect.poll(() => model.requests.length).toBeGreaterThan(before);
    await server.ok('PUT', `/v0/definitions/${id}`, {
      body: { globalConfig: { criterion: POLITE } },
    });
    instead = null;
    await reaches(server, set, 'COMPLETED');
    await expect
      .poll(async () => (await server.ok('GET', `/v0/run-sets/${set}`)).data.canaries)
      .toEqual({ total: 8, open: 0 });
    expect((await decisionOn(set)).canaries).toMatchObject([{ canaries: 8, compared: 8 }]);
    expect(
      model.requests
        .slice(before)
        .some(({ messages, system }) => `${system}${messages.join()}`.includes('polite')),
    ).toBe(false);
    // The next run set is judged by another version, of which nothing is frozen before its judge is proved.
    const next = await setOf(task);
    await expect.poll(() => jobsOf(next).length).toBe(0);
    expect((await decisionOn(next)).canaries).toEqual([]);
    expect(versionsOf(id)).toEqual([1]);
    prove(id, POLITE, 2);
    expect((await decisionOn(await setOf(task))).canaries).toEqual([]);
    await expect.poll(() => versionsOf(id)).toEqual([2]);
    await expect.poll(() => frozen(id)).toBe(8);
    expect((await decisionOn(await setOf(task))).canaries).toMatchObject([
      { canaries: 8, compared: 8, toPassed: 0, toFailed: 0 },
    ]);
  });

  it('are not those of a judge that has lost its gate: those of the judge that was proved remain', async () => {
    const { task, definitions } = await withCanaries(10, 'Lost');
    const [id = ''] = definitions;
    const canaries = (): unknown[] =>
      rowsOf('SELECT eval_id, judge_version FROM canary WHERE definition_id = ? ORDER BY eval_id', id);
    const before = canaries();
    const globalConfig = { criterion: `${KIND} Say why.` };
    await server.ok('PUT', `/v0/definitions/${id}` as '/v0/definitions/{id}', { body: { globalConfig } });
    const set = await setOf(task);
    await expect.poll(() => jobsOf(set).length).toBe(0);
    expect(canaries()).toEqual(before);
  });

  it('are not those of a judge that was never proved, which are frozen with the first run set after its proof', async () => {
    const id = await definitionOf(KIND);
    const task = await createTaskOf(server, promptsOf(6, 'Never proved'), [id]);
    const before = model.requests.length;
    const first = await setOf(task);
    await expect.poll(() => jobsOf(first).length).toBe(0);
    expect(rowsOf('SELECT 1 FROM canary WHERE definition_id = ?', id)).toEqual([]);
    expect(model.requests.length).toBe(before + 6);

    prove(id, KIND);
    await setOf(task);
    await expect.poll(() => frozen(id)).toBe(6);
  });

  it('that a judge got before it had to be proved are forgotten, and judged no more', async () => {
    const { task, definitions } = await withCanaries(6, 'Forgotten');
    const [id = ''] = definitions;
    besideServer(server.folder, (database) => {
      database.run('DELETE FROM human_annotation WHERE eval_definition_id = ?', id);
      database.run('DELETE FROM run_set_definition WHERE definition_id = ?', id);
    });
    const before = model.requests.length;
    const set = await setOf(task);
    await expect.poll(() => jobsOf(set).length).toBe(0);
    expect((await decisionOn(set)).canaries).toEqual([]);
    expect(rowsOf('SELECT 1 FROM canary WHERE definition_id = ?', id)).toEqual([]);
    expect(model.requests.length).toBe(before + 6);
  });

  it('that only two run sets at once could freeze are frozen once', async () => {
    const id = await provedDefinition(KIND);
    const task = await createTaskOf(server, promptsOf(6, 'At once'), [id]);
    const before = model.requests.length;
    const sets = [await startSet(task), await startSet(task)];
    for (const set of sets) await reaches(server, set, 'COMPLETED');
    await expect.poll(() => frozen(id)).toBe(6);
    expect(model.requests.length - before).toBe(2 * 6 + 6);
  });

  it('are judged by no one after the judge was removed from the settings: the run set is undecided', async () => {
    const { task } = await withCanaries(8, 'Removed');
    await server.close();
    const { applicationId, apiKey } = server;
    server = await start({ bootstrapApplicationId: applicationId, bootstrapApiKey: apiKey });
    answerAll();
    const set = await setOf(task);
    const decision = await decisionOn(set);
    expect(decision.outcome).toBe('INCONCLUSIVE');
    expect(decision.canaries).toMatchObject([{ canaries: 8, compared: 0, changed: null, isShifted: false }]);
    expect(decision.gates.map(({ message }) => message).join('\n')).toContain(
      `the judge of ${KIND} gave a verdict on only 0 of its 8 canaries`,
    );
  });
});
