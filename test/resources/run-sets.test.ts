import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { besideServer } from '../support/beside-store.ts';
import { type CustomerApp, hang, startCustomerApp } from '../support/customer-app.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { uuid } from '../support/spans.ts';
import { answering, createRule, createTaskOf, promptsOf, reaches } from './run-set-support.ts';

let server: TestServer;
let app: CustomerApp;
beforeAll(async () => {
  server = await startServer({ config: { quietMs: 50, orphanQuietMs: 400, traceDeadlineMs: 20_000 } });
  app = await startCustomerApp();
  await server.ok('POST', '/v0/webhook', { body: { url: app.url } });
});
afterAll(async () => {
  await app.close();
  await server.close();
});

const start = async (body: object): Promise<string> => {
  const { status, json, text } = await server.call('POST', '/v0/run-sets', { body });
  expect(status, text).toBe(201);
  return (json as { data: { id: string } }).data.id;
};
const decided = async (id: string, query = '') =>
  (await server.ok('GET', `/v0/run-sets/${id}/decision?${query}`)).data;
const right = (): string => 'right';

describe('a run set', () => {
  it('is one record of the runs of several tasks, with what is known of the build', async () => {
    const rule = await createRule(server);
    const taskIds = [
      await createTaskOf(server, promptsOf(2, 'First'), [rule]),
      await createTaskOf(server, promptsOf(3, 'Second'), [rule]),
    ];
    answering(server, app, (prompt) => (prompt === 'First 0?' ? 'wrong' : 'right'));
    const known = {
      title: 'Build 1',
      commit: 'abc123',
      branch: 'feature/one',
      pullRequest: '7',
      author: 'ada',
      buildUrl: 'https://ci.example.com/1',
      metadata: { model: 'small' },
    };
    const id = await start({ taskIds, examples: {}, ...known });
    const set = await reaches(server, id, 'COMPLETED');
    expect(set).toMatchObject({
      ...known,
      tests: { total: 5, open: 0 },
      examples: 5,
      result: { passed: 4, failed: 1, total: 5, passRate: 80, averageScore: 0.8 },
      decision: null,
    });
    expect(set.runIds).toHaveLength(2);
    for (const runId of set.runIds)
      expect((await server.ok('GET', `/v0/runs/${runId}`)).run.runSetId).toBe(id);
    const { data: tests } = await server.ok('GET', `/v0/tests?runId=${set.runIds.join(',')}`);
    expect(tests.map(({ exampleVersion }) => exampleVersion)).toEqual([1, 1, 1, 1, 1]);
    const listed = await server.ok('GET', '/v0/run-sets?branch=feature/one&status=COMPLETED');
    expect(listed.data).toEqual([set]);
    expect((await server.ok('GET', '/v0/run-sets?branch=other')).data).toEqual([]);
  });

  it('selects active tasks by a filter', async () => {
    const topic = (await server.ok('POST', '/v0/topics', { body: { title: 'Filtered' } })).data;
    const taskId = await createTaskOf(server, promptsOf(2, 'Filtered'), []);
    await server.ok('PUT', `/v0/tasks/${taskId}`, { body: { topicId: topic.id } });
    const other = await createTaskOf(server, promptsOf(2, 'Archived'), []);
    await server.ok('PUT', `/v0/tasks/${other}`, { body: { topicId: topic.id, status: 'ARCHIVED' } });
    answering(server, app, right);
    const id = await start({ filter: { topicId: [topic.id] }, examples: {} });
    const { data } = await server.ok('GET', `/v0/run-sets/${id}/snapshot`);
    expect(data.tasks.map((task) => task.taskId)).toEqual([taskId]);
    await reaches(server, id, 'COMPLETED');
  });

  it.each([
    ['nothing is chosen', {}, 422],
    ['a task is unknown', { taskIds: [uuid(0xdead)] }, 404],
    ['a topic of the filter is unknown', { filter: { topicId: [uuid(0xdead)] } }, 404],
    ['a tag of the filter is unknown', { filter: { tagId: [uuid(0xdead)] } }, 404],
    ['a baseline is unknown', { baseline: uuid(0xdead) }, 404],
    ['a branch has no completed run set', { baseline: 'branch:none' }, 404],
    ['a baseline names nothing', { baseline: 'sometimes' }, 400],
    ['no example has the split', { examples: { splits: ['nope'] } }, 409],
    ['an address is not one of the web', { buildUrl: 'javascript:alert(1)' }, 422],
  ])('is not stored if %s', async (_name, more, status) => {
    const before = (await server.ok('GET', '/v0/run-sets')).pagination.total;
    const taskIds = [await createTaskOf(server, promptsOf(1, 'Rejected'), [])];
    const body = Object.keys(more).length === 0 ? {} : { taskIds, ...more };
    const response = await server.call('POST', '/v0/run-sets', { body });
    expect(response.status, response.text).toBe(status);
    expect((await server.ok('GET', '/v0/run-sets')).pagination.total).toBe(before);
  });

  it('tests all examples unless others are chosen, or a number of them in turn', async () => {
    const taskIds = [await createTaskOf(server, promptsOf(3, 'All of them'), [await createRule(server)])];
    const sizeOf = async (body: object): Promise<unknown> => {
      const id = await start({ taskIds, ...body });
      const { tests, examples } = await reaches(server, id, 'COMPLETED');
      return [tests.total, examples];
    };
    expect(await sizeOf({})).toEqual([3, 3]);
    expect(await sizeOf({ repeat: 2 })).toEqual([6, 3]);
    expect(await sizeOf({ examples: null })).toEqual([1, 1]);
    expect(await sizeOf({ examples: null, repeat: 2 })).toEqual([2, 2]);
    const body = { taskIds, examples: null, untilSure: {} };
    expect((await server.call('POST', '/v0/run-sets', { body })).status).toBe(422);
  });

  it('of a task without examples is rejected, and of one without definitions is undecided', async () => {
    const empty = await createTaskOf(server, [], []);
    expect((await server.call('POST', '/v0/run-sets', { body: { taskIds: [empty] } })).status).toBe(409);
    answering(server, app, right);
    const id = await start({ taskIds: [await createTaskOf(server, promptsOf(1, 'Bare'), [])] });
    await reaches(server, id, 'COMPLETED');
    expect(await decided(id)).toMatchObject({ outcome: 'INCONCLUSIVE', rate: null, judged: 0 });
  });

  it('fails if no test of it completes', async () => {
    app.behave((_received, response) => response.writeHead(500).end());
    const id = await start({ taskIds: [await createTaskOf(server, promptsOf(1, 'Down'), [])] });
    await reaches(server, id, 'FAILED');
    expect(await decided(id, 'failUnder=50')).toMatchObject({ outcome: 'FAIL' });
  });

  it('reads percentages like the flags of the command: what may be meant as a share needs the sign', async () => {
    const rule = await createRule(server);
    answering(server, app, () => 'right');
    const id = await start({ taskIds: [await createTaskOf(server, promptsOf(1, 'Percent'), [rule])] });
    await reaches(server, id, 'COMPLETED');
    const faults = async (query: string): Promise<string> => {
      const { status, json } = await server.call('GET', `/v0/run-sets/${id}/decision?${query}`);
      return `${status} ${JSON.stringify(json)}`;
    };
    expect(await faults('failUnder=0.6')).toMatch(
      /^422 .*failUnder.*is a percentage, and 0.6 may be meant as a share: write 60 or 0.6%/,
    );
    for (const query of ['failUnder=1', 'minPaired=1', 'margin=0.5', 'findLoss=0.5'])
      expect(await faults(query)).toMatch(/^422 .*may be meant as a share/);
    expect(await faults('failUnder=x')).toMatch(/^422 .*must be a number/);
    expect(await faults('failUnder=101%25')).toMatch(/^422 .*must be at most 100/);
    const { rule: read } = await decided(id, 'failUnder=0.6%25&minPaired=1%25&margin=1&findLoss=0.5%25');
    expect(read).toMatchObject({ failUnder: 0.6, minPaired: 1, margin: 1, findLoss: 0.5 });
  });

  it('is undecided while it runs, and after it was cancelled in the middle', async () => {
    const rule = await createRule(server);
    const taskId = await createTaskOf(server, promptsOf(4, 'Cancelled'), [rule]);
    app.behave(hang);
    const id = await start({ taskIds: [taskId], examples: {} });
    const running = await decided(id, 'failUnder=0');
    expect(running.outcome).toBe('INCONCLUSIVE');
    expect(running.gates[0]?.message).toBe('Unknown: the run set is still running.');
    const { data } = await server.ok('POST', `/v0/run-sets/${id}/cancel`);
    expect(data).toMatchObject({ status: 'CANCELLED', tests: { total: 4, open: 0 } });
    expect((await server.call('POST', `/v0/run-sets/${id}/cancel`)).status).toBe(409);
    expect((await decided(id, 'failUnder=0')).outcome).toBe('INCONCLUSIVE');
  });

  it('does not mix with another one that runs at the same time', async () => {
    const rule = await createRule(server);
    const taskIds = [await createTaskOf(server, promptsOf(3, 'Twice'), [rule])];
    answering(server, app, right);
    const ids = await Promise.all([1, 2].map(() => start({ taskIds, examples: {} })));
    for (const id of ids) {
      expect(await reaches(server, id, 'COMPLETED')).toMatchObject({ tests: { total: 3 } });
      expect(await decided(id)).toMatchObject({ outcome: 'PASS', tests: 3, judged: 3 });
    }
  });
});

describe('a decision on what is left of a run set', () => {
  it('is none when some of its tests were not started, or were deleted', async () => {
    const taskIds = [await createTaskOf(server, promptsOf(3, 'Left'), [await createRule(server)])];
    answering(server, app, right);
    const id = await start({ taskIds, examples: {} });
    await reaches(server, id, 'COMPLETED');
    expect((await decided(id)).outcome).toBe('PASS');
    besideServer(server.folder, (database) =>
      database.run('UPDATE run_set SET planned_tests = 6, status = ? WHERE id = ?', 'CANCELLED', id),
    );
    const { outcome, reasons } = await decided(id);
    expect(outcome).toBe('INCONCLUSIVE');
    expect(reasons[0]).toBe(
      'Unknown: the run set has 3 of its 6 tests; the others were not started, or were deleted.',
    );
  });

  it('is none when what it had failed was judged again by one definition more', async () => {
    const globalConfig = { assertions: [{ type: 'equals', value: 'never' }] };
    const never = await createRule(server, { name: 'Never', globalConfig });
    const taskId = await createTaskOf(server, promptsOf(3, 'In part'), [never]);
    answering(server, app, right);
    const id = await start({ taskIds: [taskId], examples: {} });
    const { runIds } = await reaches(server, id, 'COMPLETED');
    const evalDefinitions = [never, await createRule(server, { name: 'Lenient' })].map(
      (evalDefinitionId) => ({ evalDefinitionId }),
    );
    await server.ok('PUT', `/v0/tasks/${taskId}`, { body: { evalDefinitions } });
    const { data: tests } = await server.ok('GET', `/v0/tests?runId=${runIds.join(',')}`);
    await server.ok('POST', `/v0/tests/${tests[0]?.id ?? ''}/evaluate`, { body: {} });
    await reaches(server, id, 'COMPLETED');
    const decision = await decided(id, 'failUnder=0');
    expect(decision.outcome, decision.reasons.join()).toBe('INCONCLUSIVE');
    expect(decision.reasons[0]).toMatch(/^Unknown: Lenient judged some tests of Task \d+ and not others\./);
  });
});

describe('what is changed while a run set runs', () => {
  /** Starts a run set whose first test waits until `change` was made; returns its id when it has ended. */
  async function changedMeanwhile(taskId: string, change: () => Promise<unknown>): Promise<string> {
    let made: Promise<unknown> | undefined;
    answering(server, app, right, async () => {
      await (made ??= change());
    });
    const id = await start({ taskIds: [taskId], examples: {} });
    await reaches(server, id, 'COMPLETED');
    return id;
  }
  const evalsOf = async (id: string) => {
    const { data: set } = await server.ok('GET', `/v0/run-sets/${id}`);
    return (await server.ok('GET', `/v0/evals?runId=${set.runIds.join(',')}&superseded=false`)).data;
  };

  it('changes nothing: a definition that is unlinked still judges all tests', async () => {
    const rule = await createRule(server);
    const taskId = await createTaskOf(server, promptsOf(4, 'Unlinked'), [rule]);
    const id = await changedMeanwhile(taskId, () =>
      server.ok('PUT', `/v0/tasks/${taskId}`, { body: { evalDefinitions: [] } }),
    );
    expect(await decided(id)).toMatchObject({ outcome: 'PASS', tests: 4, judged: 4 });
  });

  it('changes nothing: a definition that is edited judges by the version at the start', async () => {
    const rule = await createRule(server);
    const taskId = await createTaskOf(server, promptsOf(4, 'Edited'), [rule]);
    const globalConfig = { assertions: [{ type: 'equals', value: 'something else' }] };
    const id = await changedMeanwhile(taskId, () =>
      server.ok('PUT', `/v0/definitions/${rule}`, { body: { globalConfig } }),
    );
    expect((await evalsOf(id)).map(({ definitionVersion: version, passed }) => [version, passed])).toEqual(
      Array.from({ length: 4 }, () => [1, true]),
    );
    expect((await decided(id)).outcome).toBe('PASS');
    // Evaluating again, which a caller requests, is by the definitions of today.
    const { data: set } = await server.ok('GET', `/v0/run-sets/${id}`);
    await server.ok('POST', `/v0/runs/${set.runIds[0]}/evaluate`, { body: {} });
    await reaches(server, id, 'COMPLETED');
    expect((await evalsOf(id)).map(({ definitionVersion: version, passed }) => [version, passed])).toEqual(
      Array.from({ length: 4 }, () => [2, false]),
    );
    expect((await decided(id)).outcome).toBe('FAIL');
  });

  it.each(['DELETE', 'PUT'] as const)(
    'changes nothing: a definition that is archived by %s',
    async (method) => {
      const rule = await createRule(server);
      const taskId = await createTaskOf(server, promptsOf(2, `Archived by ${method}`), [rule]);
      const id = await changedMeanwhile(taskId, () =>
        server.call(
          method,
          `/v0/definitions/${rule}`,
          method === 'PUT' ? { body: { status: 'ARCHIVED' } } : {},
        ),
      );
      expect(await decided(id)).toMatchObject({ outcome: 'PASS', judged: 2 });
    },
  );

  it('changes nothing: the expected value of an example, of which the version at the start applies', async () => {
    const rule = await createRule(server, { type: 'OUTPUT_MATCH', globalConfig: { type: 'string' } });
    const taskId = await createTaskOf(server, [], [rule]);
    for (const input of promptsOf(3, 'Expected'))
      await server.ok('POST', `/v0/tasks/${taskId}/examples`, { body: { input, expected: 'right' } });
    const { data: examples } = await server.ok('GET', `/v0/tasks/${taskId}/examples`);
    const id = await changedMeanwhile(taskId, async () => {
      for (const { id: exampleId } of examples)
        await server.ok('PUT', `/v0/tasks/${taskId}/examples/${exampleId}`, { body: { expected: 'other' } });
    });
    expect(await decided(id)).toMatchObject({ outcome: 'PASS', judged: 3 });
    const { data: snapshot } = await server.ok('GET', `/v0/run-sets/${id}/snapshot`);
    expect(snapshot.tasks[0]?.examples.map(({ version }) => version)).toEqual([1, 1, 1]);
    // What was expected differs, so that a run set of today is not compared with it.
    const later = await start({ taskIds: [taskId], examples: {}, baseline: id });
    await reaches(server, later, 'COMPLETED');
    expect((await decided(later, 'failUnder=0')).comparison?.candidates[0]).toMatchObject({
      pairs: 0,
      judgedOtherwise: 3,
    });
  });

  it('changes nothing: an example that is added or archived', async () => {
    const taskId = await createTaskOf(server, promptsOf(2, 'Kept'), [await createRule(server)]);
    const { data: examples } = await server.ok('GET', `/v0/tasks/${taskId}/examples`);
    const id = await changedMeanwhile(taskId, async () => {
      await server.ok('POST', `/v0/tasks/${taskId}/examples`, { body: { input: 'New?' } });
      const body = { status: 'ARCHIVED' as const };
      await server.ok('PUT', `/v0/tasks/${taskId}/examples/${examples[0]?.id ?? ''}`, { body });
    });
    expect(await decided(id)).toMatchObject({ outcome: 'PASS', tests: 2, judged: 2 });
  });
});

describe('the baseline of a run set', () => {
  it('is a run set, the previous one of its branch, the newest one of a branch, or runs', async () => {
    const taskIds = [await createTaskOf(server, promptsOf(6, 'Baseline'), [await createRule(server)])];
    answering(server, app, right);
    const ended = async (more: object): Promise<string> => {
      const id = await start({ taskIds, examples: {}, ...more });
      await reaches(server, id, 'COMPLETED');
      return id;
    };
    const first = await ended({ branch: 'trunk' });
    const second = await ended({ branch: 'trunk' });
    const third = await ended({ branch: 'topic', baseline: 'branch:trunk' });
    expect((await server.ok('GET', `/v0/run-sets/${third}`)).data.baselineId).toBe(second);
    const { data: set } = await server.ok('GET', `/v0/run-sets/${first}`);
    for (const [of, text, expected] of [
      [third, undefined, second],
      [third, first, first],
      [third, 'branch:trunk', second],
      [second, 'previous', first],
      [third, set.runIds.join(','), null],
    ] as const) {
      const query = `margin=0&findLoss=90${text === undefined ? '' : `&baseline=${encodeURIComponent(text)}`}`;
      const decision = await decided(of, query);
      expect(decision, text).toMatchObject({ outcome: 'PASS', baselineId: expected });
      expect(decision.comparison?.candidates[0]?.pairs).toBe(6);
    }
    for (const [of, text] of [
      [first, 'previous'],
      [third, 'previous'],
      [third, third],
    ] as const)
      expect(
        (await server.call('GET', `/v0/run-sets/${of}/decision?baseline=${text}`)).status,
      ).toBeGreaterThanOrEqual(400);
  });

  it('is neither itself by its runs, nor one that tests until it is sure', async () => {
    const taskIds = [await createTaskOf(server, promptsOf(6, 'Not itself'), [await createRule(server)])];
    answering(server, app, right);
    const ended = async (more: object): Promise<string> => {
      const id = await start({ taskIds, ...more });
      await reaches(server, id, 'COMPLETED');
      return id;
    };
    const [id, sure] = [await ended({ examples: {} }), await ended({ untilSure: {} })];
    const runsOf = async (of: string) => (await server.ok('GET', `/v0/run-sets/${of}`)).data.runIds.join(',');
    for (const baseline of [await runsOf(id), sure, await runsOf(sure)]) {
      const response = await server.call('GET', `/v0/run-sets/${id}/decision?margin=0&baseline=${baseline}`);
      expect(response.status, response.text).toBe(400);
    }
  });

  it('that still runs leaves the comparison undecided', async () => {
    const taskIds = [await createTaskOf(server, promptsOf(6, 'Open'), [await createRule(server)])];
    answering(server, app, right);
    const id = await start({ taskIds, examples: {} });
    await reaches(server, id, 'COMPLETED');
    app.behave(hang);
    const open = await start({ taskIds, examples: {} });
    const decision = await decided(id, `failUnder=0&margin=0&findLoss=90&baseline=${open}`);
    expect(decision.outcome).toBe('INCONCLUSIVE');
    expect(decision.reasons[0]).toBe('Unknown: tests of the baseline have not ended.');
    await server.ok('POST', `/v0/run-sets/${open}/cancel`);
  });

  it('of another application is unknown', async () => {
    const taskIds = [await createTaskOf(server, promptsOf(1, 'Theirs'), [])];
    const id = await start({ taskIds });
    const { headers } = await server.newTenant();
    const own = await server.call('POST', '/v0/tasks', {
      headers,
      body: { title: 'Own', type: 'STATIC', inputExamples: ['One?'] },
    });
    const { task } = own.json as { task: { id: string } };
    const body = { taskIds: [task.id], baseline: id };
    expect((await server.call('POST', '/v0/run-sets', { headers, body })).status).toBe(404);
    expect((await server.call('GET', `/v0/run-sets/${id}/decision`, { headers })).status).toBe(404);
  });
});

it('a key that may only read gets the decision, and records none', async () => {
  const id = await start({ taskIds: [await createTaskOf(server, promptsOf(1, 'Read'), [])] });
  const headers = await server.newKey(['read']);
  expect((await server.call('GET', `/v0/run-sets/${id}/decision`, { headers })).status).toBe(200);
  expect((await server.call('POST', `/v0/run-sets/${id}/decision`, { headers })).status).toBe(403);
  await server.ok('POST', `/v0/run-sets/${id}/decision?failUnder=90`);
  const { data } = await server.ok('GET', `/v0/run-sets/${id}`);
  expect(data.decision).toMatchObject({ outcome: 'INCONCLUSIVE', rule: { failUnder: 90 }, baselineId: null });
});

it('examples with the same input are one: their tests are repeats of it', async () => {
  const taskId = await createTaskOf(server, ['Same?', 'Other?'], [await createRule(server)]);
  await server.ok('POST', `/v0/tasks/${taskId}/examples`, { body: { input: 'Same?' } });
  answering(server, app, right);
  const id = await start({ taskIds: [taskId], examples: {} });
  const { runIds } = await reaches(server, id, 'COMPLETED');
  const { run } = await server.ok('GET', `/v0/runs/${runIds[0] ?? ''}`);
  expect(run.repeats).toMatchObject({ groups: 1, k: 2 });
});
