import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Issue, IssueEvent } from '../../src/api/generated/schema.ts';
import { saveEvals } from '../../src/evaluate/eval-store.ts';
import { parseId } from '../../src/traces/ids.ts';
import { besideServer } from '../support/beside-store.ts';
import { addPerson } from '../support/people.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';
import { applicationKey, storeRun, storeTest } from '../support/stored-tests.ts';
import { PENDING_EVAL, verdict } from '../support/stored-evals.ts';
import { annotating } from './annotation-support.ts';
import { judging } from './reliability-support.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

type Outcome = 'PASSED' | 'FAILED' | 'NOT_RUN' | 'APP_ERROR';
type Headers = Readonly<Record<string, string | null>>;

/** Issues of one application of a server, with what brings them back. */
function relapsing(at: TestServer, { applicationId, headers }: Pick<Tenant, 'applicationId' | 'headers'>) {
  const issue = async (id: string): Promise<Issue> =>
    (await at.ok('GET', `/v0/issues/${id}`, { headers })).data;
  const resolve = async (id: string): Promise<Issue> =>
    (
      await at.ok('POST', `/v0/issues/${id}/resolve`, {
        body: { withoutEvidence: true, reason: 'Fixed.' },
        headers,
      })
    ).data;
  const resolved = async (more: object = {}): Promise<Issue> => {
    const body = { source: 'API' as const, title: 'Promises', ...more };
    const { data } = await at.ok('POST', '/v0/issues', { body, headers });
    return resolve(data.id);
  };
  const reopenings = async (id: string, as: Headers = headers): Promise<IssueEvent[]> =>
    (await at.ok('GET', `/v0/issues/${id}/activity?orderDir=asc&limit=100`, { headers: as })).data.filter(
      ({ kind }) => kind === 'REOPENED',
    );
  const task = async (): Promise<string> =>
    (await at.ok('POST', '/v0/tasks', { body: { title: 'Refunds', description: 'All' }, headers })).task.id;
  /** Stores an example of an issue; returns its id. */
  const example = async (taskId: string, number: number): Promise<string> => {
    const { json } = await at.call('POST', `/v0/tasks/${taskId}/examples`, {
      body: { input: `Refund ${randomUUID()}?`, split: `issue-${number}` },
      headers,
    });
    return (json as { data: { id: string } }).data.id;
  };
  const inStore = (work: Parameters<typeof besideServer>[1]): void => {
    besideServer(at.folder, work);
  };
  /** Stores a run of an example for each list of outcomes, one after the other. */
  const runs = (
    { exampleId, taskId, from = Date.now() + 1_000 }: { exampleId: string; taskId: string; from?: number },
    ...all: Outcome[][]
  ): { runId: string; testIds: string[] }[] => {
    const made: { runId: string; testIds: string[] }[] = [];
    inStore((database) => {
      const application = applicationKey(database, applicationId);
      for (const [place, outcomes] of all.entries()) {
        const run = { id: randomUUID(), taskId, createdAt: from + place };
        storeRun(database, application, run);
        const testIds = outcomes.map((outcome) => {
          const id = randomUUID();
          storeTest(database, application, {
            id,
            run,
            createdAt: run.createdAt,
            exampleId,
            status: 'COMPLETED',
          });
          database.run(
            `INSERT INTO test_result (application, run_id, test_id, task_id, example_id, input, outcome)
             VALUES (?, ?, ?, ?, ?, 'x', ?) ON CONFLICT (application, run_id, test_id) DO UPDATE SET outcome = excluded.outcome`,
            application,
            run.id,
            id,
            taskId,
            exampleId,
            outcome,
          );
          return id;
        });
        made.push({ runId: run.id, testIds });
      }
    });
    return made;
  };
  return { issue, resolve, resolved, reopenings, task, example, runs };
}

/** Waits until an issue is open again; returns the event. */
async function reopened(ours: ReturnType<typeof relapsing>, id: string, times = 1): Promise<IssueEvent> {
  await expect.poll(async () => (await ours.issue(id)).status, { timeout: 120_000 }).toBe('OPEN');
  const events = await ours.reopenings(id);
  expect(events).toHaveLength(times);
  return events.at(-1) as IssueEvent;
}

/** Waits until everything that is stored now was looked at: until an issue that has surely relapsed is open. */
async function lookedAt(ours: ReturnType<typeof relapsing>): Promise<void> {
  for (let look = 0; look < 2; look++) {
    const { id, number } = await ours.resolved();
    const taskId = await ours.task();
    ours.runs({ exampleId: await ours.example(taskId, number), taskId }, ['FAILED'], ['FAILED']);
    await reopened(ours, id);
  }
}

describe('a regression example', () => {
  it('opens its issue again when it fails in two runs in a row, once, with the run that decided', async () => {
    const ours = relapsing(server, await server.newTenant());
    const { id, number } = await ours.resolved();
    const taskId = await ours.task();
    const exampleId = await ours.example(taskId, number);
    const all = ours.runs({ exampleId, taskId }, ['PASSED'], ['FAILED', 'PASSED'], ['FAILED']);
    const event = await reopened(ours, id);
    expect(event).toMatchObject({
      by: { type: 'system', name: 'Touchstone' },
      reason: null,
      relapse: {
        kind: 'EXAMPLE',
        count: 2,
        of: 3,
        exampleId,
        taskId,
        runId: all[2]?.runId,
        testId: all[2]?.testIds[0],
        evalDefinitionId: null,
        rate: null,
      },
    });
    expect(event.withheld).toBeUndefined();
    const issue = await ours.issue(id);
    expect(issue.resolution).toBeNull();
    expect(issue.reopenedAt).toBe(event.createdAt);
    await lookedAt(ours);
    expect(await ours.reopenings(id)).toHaveLength(1);
  });

  it.each<[string, Outcome[][]]>([
    ['fails once', [['PASSED'], ['FAILED'], ['PASSED']]],
    [
      'fails in one test of many',
      [['FAILED', ...Array<Outcome>(9).fill('PASSED')], Array<Outcome>(9).fill('PASSED')],
    ],
    ['could not be tested', [['NOT_RUN'], ['APP_ERROR'], ['NOT_RUN']]],
  ])('leaves its issue resolved when it %s', async (_what, outcomes) => {
    const ours = relapsing(server, await server.newTenant());
    const { id, number } = await ours.resolved();
    const taskId = await ours.task();
    ours.runs({ exampleId: await ours.example(taskId, number), taskId }, ...outcomes);
    await lookedAt(ours);
    expect(await ours.issue(id)).toMatchObject({ status: 'RESOLVED' });
  });

  it('leaves it resolved when its runs are older than the resolution, also than the second one', async () => {
    const ours = relapsing(server, await server.newTenant());
    const { id, number } = await ours.resolved();
    const taskId = await ours.task();
    const of = { exampleId: await ours.example(taskId, number), taskId };
    ours.runs({ ...of, from: Date.now() - 60_000 }, ['FAILED'], ['FAILED']);
    await lookedAt(ours);
    expect(await ours.issue(id)).toMatchObject({ status: 'RESOLVED' });
    ours.runs(
      { ...of, from: Date.parse((await ours.issue(id)).resolution?.at ?? '') + 1 },
      ['FAILED'],
      ['FAILED'],
    );
    await reopened(ours, id);
    await ours.resolve(id);
    await lookedAt(ours);
    expect(await ours.issue(id)).toMatchObject({ status: 'RESOLVED' });
    ours.runs({ ...of, from: Date.now() + 60_000 }, ['FAILED'], ['FAILED']);
    await reopened(ours, id, 2);
  });

  it('is withheld from those who review its trace blind', async () => {
    const tenant = await server.newTenant();
    const ours = relapsing(server, tenant);
    const { id, number } = await ours.resolved();
    const taskId = await ours.task();
    const exampleId = await ours.example(taskId, number);
    const [, last] = ours.runs({ exampleId, taskId }, ['FAILED'], ['FAILED']);
    const [traceId = ''] = await annotating(server, tenant.headers).traces(1, { testId: last?.testIds[0] });
    const person = addPerson(server, tenant, { role: 'admin' });
    await reopened(ours, id);
    const queue = await annotating(server, tenant.headers).queue({
      isBlind: true,
      reviewerIds: [person.id],
    });
    await annotating(server, tenant.headers).item({ queueId: queue.id, traceId });
    const [seen] = await ours.reopenings(id, { ...person.headers, 'x-api-key': null });
    expect(seen).toMatchObject({ relapse: null, withheld: true });
    expect((await ours.reopenings(id))[0]).toMatchObject({ relapse: { runId: last?.runId } });
  });
});

describe('the live rate', () => {
  const evaluator = async (headers: Headers): Promise<string> =>
    (
      await server.ok('POST', '/v0/definitions', {
        body: { name: 'Asks first', type: 'OUTPUT_MATCH', globalConfig: { type: 'string' } } as never,
        headers,
      })
    ).data.id;

  it('of a rule opens the issue again with one failure on a newer response', async () => {
    const tenant = await server.newTenant();
    const ours = relapsing(server, tenant);
    const definitionId = await evaluator(tenant.headers);
    const { id } = await ours.resolved({ evalDefinitionId: definitionId });
    const { inStore } = judging(server);
    const verdicts = async (timestamp: string, passed: boolean[]): Promise<void> => {
      const traceIds = await annotating(server, tenant.headers).traces(passed.length, { timestamp });
      const evals = traceIds.map((traceId, i) => ({
        ...PENDING_EVAL,
        ...verdict(passed[i] === true),
        id: randomUUID(),
        definitionId,
        definitionType: 'OUTPUT_MATCH' as const,
        traceId: parseId(traceId),
      }));
      inStore((database, application) => saveEvals(database, { application, evals, at: Date.now() }), tenant);
    };
    await verdicts(new Date(Date.now() - 60_000).toISOString(), [false, false]);
    await lookedAt(ours);
    expect(await ours.issue(id)).toMatchObject({ status: 'RESOLVED' });
    await verdicts(new Date(Date.now() + 1_000).toISOString(), [true, true, false, true]);
    expect(await reopened(ours, id)).toMatchObject({
      relapse: {
        kind: 'LIVE_RATE',
        count: 1,
        of: 4,
        evalDefinitionId: definitionId,
        rate: 25,
        exampleId: null,
        runId: null,
      },
    });
  });

  it('of a judge must exceed its false alarms, and counts only while reviewers have verified it', async () => {
    const own = await startServer();
    try {
      const ours = relapsing(own, { applicationId: own.applicationId, headers: {} });
      const { judge, say, draw, traces, newDefinition } = judging(own);
      // 6 of 100 good responses fail by the judge, and all 40 bad ones.
      const verified = await newDefinition({ gate: { minKappa: 0.6, minAnnotations: 30 } });
      const advisory = await newDefinition({ gate: null });
      const drawn = await traces(140);
      const kinds = drawn.map((_trace, i) => i % 7);
      const good = kinds.map((kind) => kind < 5);
      for (const definitionId of [verified, advisory])
        judge({ definitionId, traceIds: drawn, passed: good.map((isGood, i) => isGood && i % 23 !== 0) });
      say(...drawn.map((traceId, i) => ({ traceId, verdict: good[i] === true })));
      draw(drawn);
      const issueOf = (evalDefinitionId: string) => ours.resolved({ evalDefinitionId });
      const [quiet, ofAdvisory] = [await issueOf(verified), await issueOf(advisory)];
      const live = async (failed: number): Promise<void> => {
        const later = Date.now() + 1_000;
        const ids = await annotating(own).traces(100, { timestamp: new Date(later).toISOString() });
        for (const definitionId of [verified, advisory])
          judge({ definitionId, traceIds: ids, passed: ids.map((_trace, i) => i >= failed) }, {}, later);
      };
      await live(5);
      await lookedAt(ours);
      expect(await ours.issue(quiet.id)).toMatchObject({ status: 'RESOLVED' });
      await live(60);
      const { relapse } = await reopened(ours, quiet.id);
      expect(relapse).toMatchObject({ kind: 'LIVE_RATE', count: 65, of: 200, evalDefinitionId: verified });
      expect(relapse?.rate).toBeGreaterThan(20);
      expect(relapse?.rate).toBeLessThan(35);
      expect(relapse?.low).toBeGreaterThan(10);
      await lookedAt(ours);
      expect(await ours.issue(ofAdvisory.id)).toMatchObject({ status: 'RESOLVED' });
    } finally {
      await own.close();
    }
  });
});

it('an issue that relapsed while no server ran is opened again by the next one, and only once', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'touchstone-'));
  const first = await startServer({ config: { dataDir } });
  const tenant = { applicationId: first.applicationId, headers: {} };
  const ours = relapsing(first, tenant);
  const { id, number } = await ours.resolved();
  const taskId = await ours.task();
  const exampleId = await ours.example(taskId, number);
  ours.runs({ exampleId, taskId }, ['FAILED']);
  await first.close();
  const presets = {
    bootstrapApplicationId: first.applicationId,
    bootstrapApiKey: first.apiKey,
  };
  try {
    for (const outcome of [['FAILED'], ['PASSED']] as Outcome[][]) {
      const next = await startServer({ config: { dataDir, ...presets } });
      const theirs = relapsing(next, tenant);
      theirs.runs({ exampleId, taskId, from: Date.now() + 60_000 }, outcome);
      expect(await reopened(theirs, id)).toMatchObject({ relapse: { kind: 'EXAMPLE', count: 2, of: 2 } });
      await next.close();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
