import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { halfOf } from '../../src/resources/definitions/holdout.ts';
import { besideServer } from '../support/beside-store.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type JudgeBehaviour, type StandInJudge, startStandInJudge } from '../support/stand-in-judge.ts';
import { annotating } from './annotation-support.ts';

const CRITERION = 'The answer asks for the order number before it promises money.';
/** Words of the texts of the holdout, which the drafting model must never be sent. */
const SEALED = 'sealedword';

let folder: string;
let model: StandInJudge;
let server: TestServer;
let drafts: JudgeBehaviour;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-'));
  model = await startStandInJudge(({ system, messages }) => {
    if (system.includes('You write a criterion')) return drafts;
    const isBad = messages.join('\n').includes('Money sent');
    return { say: { rationale: 'Because.', verdict: isBad ? 'no' : 'yes' } };
  });
  const only = {
    provider: 'openai-compatible',
    baseUrl: model.openAi,
    model: 'stand-in',
    prices: { input: 2, output: 10 },
  };
  const judgesFile = join(folder, 'judges.json');
  writeFileSync(judgesFile, JSON.stringify({ judges: { only } }));
  server = await startServer({ config: { judgesFile } });
});
beforeEach(() => {
  drafts = { say: { rationale: 'All say so.', name: 'Asks  for\nthe number', criterion: CRITERION } };
});
afterAll(async () => {
  await server.close();
  await model[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const isHeldOut = (traceId: string): boolean => halfOf(traceId.replaceAll('-', '')) === 'HOLDOUT';

/** A tenant with an issue that has notes on traces of both halves. */
async function withNotes(count = 12) {
  const { headers } = await server.newTenant();
  const of = annotating(server, headers);
  const number = (
    await server.ok('POST', '/v0/issues', { body: { source: 'API', title: 'Promises' }, headers })
  ).data.number;
  const traces: string[] = [];
  const link = async (traceId: string, text: string) => {
    const { data } = await server.ok('POST', '/v0/notes', { body: { traceId, text }, headers });
    const path = `/v0/issues/${number}/links` as '/v0/issues/{id}/links';
    await server.ok('POST', path, { body: { noteIds: [data.id] }, headers });
  };
  for (let made = 0; made < count; made++) {
    // Which half it is in is known by its id only, so its texts are stored afterwards.
    const [traceId = ''] = await of.traces(1, { output: 'Money sent' });
    traces.push(traceId);
    await link(traceId, isHeldOut(traceId) ? `${SEALED} ${made}` : `open ${made}`);
  }
  const call = (path: string, body: object = {}) =>
    server.call('POST', `/v0/issues/${number}/${path}`, { body, headers });
  const held = traces.filter(isHeldOut);
  return { ...of, headers, number, held, open: traces.filter((id) => !isHeldOut(id)), link, call };
}

/** Repeats until both halves have a trace: by chance, they may not. */
async function withBoth() {
  for (;;) {
    const made = await withNotes();
    if (made.held.length > 1 && made.open.length > 1) return made;
  }
}

describe('an evaluator that is drafted from the notes of an issue', () => {
  it('is written from the draft half alone, and the cost is known before', async () => {
    const ours = await withBoth();
    const asked = model.requests.length;
    const halves = { draft: ours.open.length, holdout: ours.held.length };
    const dry = await ours.call('draft-evaluator', { dryRun: true });
    expect(dry.json).toMatchObject({
      data: { halves, expected: { model: 'only', calls: 1 }, spent: { calls: 0 }, draft: null },
    });
    expect(model.requests).toHaveLength(asked);
    const { json, status } = await ours.call('draft-evaluator');
    expect(status).toBe(200);
    expect(json).toMatchObject({
      data: {
        halves,
        spent: { calls: 1, cost: 0.003 },
        draft: { name: 'Asks for the number', criterion: CRITERION },
      },
    });
    const { system = '', messages = [] } = model.requests.at(-1) ?? {};
    expect(model.requests).toHaveLength(asked + 1);
    expect(messages.join('\n')).toContain('open ');
    expect(messages.join('\n')).toContain('Money sent');
    expect(`${system}${messages.join('\n')}`).not.toContain(SEALED);
    const counted = messages.join('\n').match(/BEGIN \w+ note \d+/g) ?? [];
    expect(counted).toHaveLength(ours.open.length);
    const stored = besideServer(server.folder, (database) =>
      database.all('SELECT 1 FROM judge_call WHERE request IS NOT NULL OR raw IS NOT NULL'),
    );
    expect(stored).toEqual([]);
  });

  it('needs six notes, and an answer with a criterion', async () => {
    const few = await withNotes(3);
    const { status, json } = await few.call('draft-evaluator');
    expect(status).toBe(409);
    expect(JSON.stringify(json)).toContain('at least 6 notes');
    drafts = { say: { rationale: '', name: 'Empty', criterion: '  ' } };
    expect((await (await withBoth()).call('draft-evaluator')).status).toBe(503);
    drafts = { say: 'No.' };
    expect((await (await withBoth()).call('draft-evaluator')).status).toBe(503);
  });

  it('is measured on the holdout: counts without texts, in the activity of the issue', async () => {
    const ours = await withBoth();
    expect((await ours.call('measure-evaluator')).status).toBe(409);
    const { id: issueId } = (
      await server.ok('GET', `/v0/issues/${ours.number}` as '/v0/issues/{id}', { headers: ours.headers })
    ).data;
    const body = { type: 'CUSTOM', name: 'Asks', globalConfig: { criterion: CRITERION }, issueId } as const;
    const { data: definition } = await server.ok('POST', '/v0/definitions', { body, headers: ours.headers });
    expect(definition.issueId).toBe(issueId);
    await server.ok('PUT', `/v0/issues/${ours.number}` as '/v0/issues/{id}', {
      body: { evalDefinitionId: definition.id },
      headers: ours.headers,
    });
    const good = await ours.traces(12, { output: 'Which order?' });
    for (const traceId of good) await ours.annotation({ traceId, verdict: true });
    const kept = good.filter(isHeldOut).length;
    const cases = { shows: ours.held.length, passed: kept };
    const asked = model.requests.length;
    expect((await ours.call('measure-evaluator', { dryRun: true })).json).toMatchObject({
      data: {
        cases,
        measured: null,
        measurements: 0,
        expected: { model: 'only', calls: ours.held.length + kept },
      },
    });
    expect(model.requests).toHaveLength(asked);
    const { json, text } = await ours.call('measure-evaluator');
    expect(json).toMatchObject({
      data: {
        cases,
        measured: {
          version: 1,
          found: { count: ours.held.length, of: ours.held.length, high: 100 },
          kept: { count: kept, of: kept },
          unjudged: 0,
        },
        measurements: 1,
      },
    });
    expect(text).not.toContain('Money');
    expect(model.requests).toHaveLength(asked + ours.held.length + kept);
    const { data: events } = await server.ok(
      'GET',
      `/v0/issues/${ours.number}/activity?orderDir=desc` as '/v0/issues/{id}/activity',
      { headers: ours.headers },
    );
    expect(events[0]).toMatchObject({ kind: 'MEASURED', measured: { found: { of: ours.held.length } } });
    const evals = await server.ok('GET', '/v0/evals', { headers: ours.headers });
    expect(evals.pagination.total).toBe(0);
  });

  it('is not tried on the holdout', async () => {
    const ours = await withBoth();
    const definition = { type: 'CUSTOM', globalConfig: { criterion: CRITERION } };
    const tried = (body: object) =>
      server.call('POST', '/v0/definitions/try', { body: { definition, ...body }, headers: ours.headers });
    const { json } = await tried({ dryRun: true, sample: { pick: 'RECENT', count: 20 } });
    const { data } = json as { data: { results: { traceId: string }[]; leftOut: number } };
    expect(data.results.map(({ traceId }) => traceId).toSorted()).toEqual(ours.open.toSorted());
    expect(data.leftOut).toBe(ours.held.length);
    expect((await tried({ sample: { traceIds: [ours.held[0]] } })).status).toBe(409);
  });
});

describe('the notes of an issue', () => {
  it('are sealed in lists if they are held out, and readable beside their trace', async () => {
    const ours = await withBoth();
    const { data } = await server.ok('GET', '/v0/notes?limit=100', { headers: ours.headers });
    expect(data).toHaveLength(12);
    for (const note of data) {
      expect(note.half).toBe(isHeldOut(note.traceId) ? 'HOLDOUT' : 'DRAFT');
      expect([note.isSealed, note.text === '']).toEqual([note.half === 'HOLDOUT', note.half === 'HOLDOUT']);
    }
    const [held = ''] = ours.held;
    const path = `/v0/notes?traceId=${held}` as '/v0/notes';
    expect((await server.ok('GET', path, { headers: ours.headers })).data[0]?.text).toContain(SEALED);
  });

  it('are not sealed while an issue has fewer than six', async () => {
    const ours = await withNotes(5);
    const { data } = await server.ok('GET', '/v0/notes', { headers: ours.headers });
    expect(data.filter(({ isSealed }) => isSealed)).toEqual([]);
  });
});

it('names an issue of its application only', async () => {
  const { id: foreign } = (
    await server.ok('POST', '/v0/issues', {
      body: { source: 'API', title: 'Theirs' },
      headers: (await server.newTenant()).headers,
    })
  ).data;
  const body = { type: 'CUSTOM', name: 'Asks', globalConfig: { criterion: CRITERION }, issueId: foreign };
  expect((await server.call('POST', '/v0/definitions', { body })).status).toBe(404);
});
