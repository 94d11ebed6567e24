import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Results } from '../../src/api/generated/schema.ts';
import { saveEvals } from '../../src/evaluate/eval-store.ts';
import type { Database } from '../../src/storage/database.ts';
import { besideServer } from '../support/beside-store.ts';
import { testHttp } from '../support/http-cases.ts';
import { startServer, type Tenant, type TestServer } from '../support/server.ts';
import { BASE_MS, uuid } from '../support/spans.ts';
import { evalOf, storeDefinition, verdict } from '../support/stored-evals.ts';
import { applicationKey, storeRun, type StoredRun, storeTask, storeTest } from '../support/stored-tests.ts';

const [TASK, RULE, FACTS, UNKNOWN, VARIANT] = [0x1001, 0x2001, 0x2002, 0xdead, 0x3001].map(uuid) as [
  string,
  string,
  string,
  string,
  string,
];
const APP_FAULT = {
  code: 'webhook_status',
  message: 'The webhook responded with status 500.',
  hint: '',
} as const;
const CANCELLED = { code: 'cancelled', message: '', hint: '' } as const;

let server: TestServer;
let other: Tenant;
let runs = 0;

/**
 * Stores a run with a test of each example in turn for each letter: `p` passed, `f` the rule failed, `m` a fact is missing (which
 * blocks nothing), `a` the app failed, `o` was cancelled, `r` runs, `n` nothing judged it.
 */
function storeResults(
  database: Database,
  application: number,
  letters: string,
  { examples = letters.length, ...more }: Partial<StoredRun> & { examples?: number } = {},
): string {
  const run: StoredRun = { id: uuid(0x50_000 + runs++), taskId: TASK, createdAt: BASE_MS, ...more };
  storeRun(database, application, run);
  for (const [i, letter] of letters.split('').entries()) {
    const failure = { a: APP_FAULT, o: CANCELLED }[letter];
    const status = letter === 'r' ? 'IN_PROGRESS' : failure ? 'FAILED' : 'COMPLETED';
    const test = { id: randomUUID(), run, status, createdAt: BASE_MS + i } as const;
    storeTest(database, application, { ...test, exampleIndex: i % examples, ...(failure && { failure }) });
    if (!'pfm'.includes(letter)) continue;
    const rule = {
      ...verdict(letter !== 'f'),
      definitionType: 'ASSERT',
      reason: '0 of 1 hold; contains: no.',
    };
    const results = { falsePositives: [], falseNegatives: [{ statement: 'It takes 30 days.' }] };
    const fact = { ...verdict(letter !== 'm'), definitionType: 'FACT', results };
    saveEvals(database, {
      application,
      evals: [evalOf(test, RULE, rule), evalOf(test, FACTS, fact)],
      at: BASE_MS,
    });
  }
  return run.id;
}

const run = (letters: string, more: Partial<StoredRun> & { examples?: number } = {}): string =>
  besideServer(server.folder, (database) => {
    const application = applicationKey(database, server.applicationId);
    return database.transaction(() => storeResults(database, application, letters, more));
  });

beforeAll(async () => {
  server = await startServer();
  other = await server.newTenant();
  besideServer(server.folder, (database) => {
    const application = applicationKey(database, server.applicationId);
    storeTask(database, application, TASK);
    storeDefinition(database, application, { id: RULE, name: 'Order number', type: 'ASSERT' });
    storeDefinition(database, application, { id: FACTS, name: 'Facts', type: 'FACT' });
    database.run(
      `INSERT INTO experiment_variant (id, application, experiment_id, title, status, config_patch, created_at, modified_at)
       VALUES (?, ?, ?, 'V', 'COMPLETED', '{}', 0, 0)`,
      VARIANT,
      application,
      randomUUID(),
    );
  });
});
afterAll(() => server.close());

const read = (query: string): Promise<Results> => server.ok('GET', `/v0/results?${query}`);
/** Places of the examples on a page, in their order. */
const places = ({ data }: Results): string => data.map(({ exampleIndex }) => exampleIndex).join('');

describe('GET /v0/results', () => {
  it('shows what failed first, then what is missing, and last what passed', async () => {
    const found = await read(`side=run:${run('pfarnofm')}`);
    expect(places(found)).toBe('16245307');
    expect(found.facets.outcomes).toEqual({
      FAILED: 2,
      APP_ERROR: 1,
      NO_VERDICT: 1,
      NOT_RUN: 1,
      RUNNING: 1,
      PASSED: 2,
    });
    expect(found.facets.causes).toMatchObject([
      { key: `verdict:${RULE}`, title: 'Order number: did not pass', count: 2, outcome: 'FAILED' },
      { key: 'failure:cancelled', count: 1 },
      { key: 'failure:webhook_status:500', title: 'App error: the webhook responded with 500' },
      { key: 'none', title: 'No verdict: no evaluator applies' },
    ]);
    expect(found.columns).toMatchObject([
      { definitionId: RULE, isBlocking: true },
      { definitionId: FACTS, isBlocking: false },
    ]);
    expect(found.facets.definitions).toEqual([
      { id: RULE, passed: 2, failed: 2, none: 0 },
      { id: FACTS, passed: 3, failed: 1, none: 0 },
    ]);
  });

  it('shows an example with its texts and the reasons of its verdicts', async () => {
    const [row] = (await read(`side=run:${run('m')}`)).data;
    expect(row).toMatchObject({
      taskId: TASK,
      exampleIndex: 0,
      input: 'Hello 0?',
      isExampleDeleted: true,
      change: null,
      sides: [{ side: 0, tests: 1, passed: 1, outcome: 'PASSED', cause: null, output: null }],
    });
    expect(row?.sides[0]?.verdicts).toMatchObject([
      { definitionId: RULE, passed: true },
      { definitionId: FACTS, passed: false, reason: 'Missing: It takes 30 days.' },
    ]);
    const short = await read(`side=run:${run('p')}&text=5`);
    expect(short.data[0]?.input).toBe('Hello');
  });

  it('shows an example with several tests as its worst one', async () => {
    const { data, pagination } = await read(`side=run:${run('pfp', { examples: 1 })}`);
    expect(pagination.total).toBe(1);
    expect(data[0]?.sides).toMatchObject([{ tests: 3, passed: 2, outcome: 'FAILED' }]);
  });

  it.each([
    ['outcome=FAILED', '16'],
    ['outcome=PASSED&orderBy=example&orderDir=asc', '07'],
    ['outcome=APP_ERROR,NOT_RUN', '25'],
    ['causeKey=failure:webhook_status:500', '2'],
    ['causeKey=failure:webhook_status', ''],
    [`definitionId=${RULE}&passed=false`, '16'],
    [`definitionId=${FACTS}&passed=false`, '7'],
    [`definitionId=${RULE}&orderBy=example&orderDir=asc`, '0167'],
    [`definitionId=${UNKNOWN}`, ''],
    ['orderBy=example', '76543210'],
    ['orderBy=example&skip=1&limit=2', '65'],
    ['orderBy=cost&limit=1', '1'],
  ])('?%s', async (query, found) => {
    first ??= run('pfarnofm');
    expect(places(await read(`side=run:${first}&${query}`))).toBe(found);
  });
  let first: string | undefined;

  it('pairs the examples of two runs, and says what changed', async () => {
    const [before, after] = [run('ppffp'), run('pfpfap')];
    const sides = `side=run:${before}&side=run:${after}`;
    const found = await read(sides);
    expect(found.data.map(({ change, exampleIndex }) => `${change} ${exampleIndex}`)).toEqual([
      'REGRESSED 1',
      'REGRESSED 4',
      'FIXED 2',
      'BOTH_FAILED 3',
      'ONE_SIDE 5',
      'BOTH_PASSED 0',
    ]);
    expect(found.facets.changes).toMatchObject({
      REGRESSED: 2,
      FIXED: 1,
      BOTH_FAILED: 1,
      BOTH_PASSED: 1,
      ONE_SIDE: 1,
    });
    expect(found.data[4]?.sides.map(({ side }) => side)).toEqual([1]);
    expect(places(await read(`${sides}&change=REGRESSED`))).toBe('14');
    expect(places(await read(`${sides}&change=FIXED,BOTH_FAILED`))).toBe('23');
  });

  it('takes all tests of a variant for a side', async () => {
    run('pf', { type: 'EXPERIMENT', experimentVariantId: VARIANT });
    const found = await read(`side=run:${run('pp')}&side=variant:${VARIANT}`);
    expect(found.facets.changes).toMatchObject({ REGRESSED: 1, BOTH_PASSED: 1 });
  });

  it('says on which scale the scores of an evaluator are', async () => {
    const [id, rated, asked] = [run('p'), uuid(0x2003), uuid(0x2004)];
    besideServer(server.folder, (database) => {
      const application = applicationKey(database, server.applicationId);
      const scale = { min: 2, max: 9, anchors: [] };
      const config = { criterion: 'Is it polite?', scale, passThreshold: 7 };
      storeDefinition(database, application, { id: rated, name: 'Polite', type: 'CUSTOM', config });
      storeDefinition(database, application, { id: asked, name: 'Kind', type: 'STYLE' });
      const test = database.get<{ id: string }>('SELECT id FROM test WHERE run_id = ?', id);
      const of = { id: test?.id ?? '', run: { id, taskId: TASK, createdAt: BASE_MS }, createdAt: BASE_MS };
      const evals = [
        evalOf(of, rated, { ...verdict(true), definitionType: 'CUSTOM' }),
        evalOf(of, asked, { ...verdict(true), definitionType: 'STYLE' }),
      ];
      saveEvals(database, { application, evals, at: BASE_MS });
    });
    const { columns } = await read(`side=run:${id}`);
    const scales = columns.map(({ name, min, max }) => [name, min, max]);
    expect(scales.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))).toEqual([
      ['Facts', 0, 1],
      ['Kind', 1, 5],
      ['Order number', 0, 1],
      ['Polite', 2, 9],
    ]);
  });

  it('puts examples into groups, those with the most failures first', async () => {
    const side = run('pfpfa');
    const titles = async (groupBy: string) => {
      const { data } = await read(`side=run:${side}&groupBy=${groupBy}`);
      return data.map(({ exampleIndex, group }) => [exampleIndex, group?.title, group?.count]);
    };
    expect(await titles('evaluator')).toEqual([
      [1, 'Order number', 2],
      [3, 'Order number', 2],
      [4, 'App error', 1],
      [0, 'No evaluator failed', 2],
      [2, 'No evaluator failed', 2],
    ]);
    for (const [groupBy, title] of [
      ['topic', 'No topic'],
      ['tag', 'No tag'],
      ['subset', 'No subset'],
    ] as const)
      expect((await titles(groupBy)).map((row) => row.slice(1))).toEqual(
        Array.from({ length: 5 }, () => [title, 5]),
      );
    const { data } = await read(`side=run:${side}`);
    expect(data[0]).not.toHaveProperty('group');
  });

  it('shows a change of a result at once', async () => {
    const id = run('pr');
    expect((await read(`side=run:${id}`)).facets.outcomes).toMatchObject({ RUNNING: 1, PASSED: 1 });
    const { data } = await server.ok('GET', `/v0/tests?runId=${id}&status=IN_PROGRESS`);
    await server.ok('POST', `/v0/tests/${data[0]?.id}/cancel` as '/v0/tests/{id}/cancel');
    expect((await read(`side=run:${id}`)).facets.outcomes).toMatchObject({ RUNNING: 0, NOT_RUN: 1 });
  });

  testHttp(
    () => server,
    [
      { name: 'needs a side', request: 'GET /v0/results', status: 422, mustContain: ['side'] },
      { name: 'takes no other kind of side', request: `GET /v0/results?side=task:${TASK}`, status: 422 },
      { name: 'knows no other run', request: `GET /v0/results?side=run:${UNKNOWN}`, status: 404 },
      { name: 'knows no other variant', request: `GET /v0/results?side=variant:${UNKNOWN}`, status: 404 },
      {
        name: 'takes ten sides at most',
        request: `GET /v0/results?side=${Array.from({ length: 11 }, () => `run:${UNKNOWN}`).join(',')}`,
        status: 422,
      },
    ],
  );

  it('does not show the run of another application', async () => {
    const reply = await server.call('GET', `/v0/results?side=run:${run('p')}`, { headers: other.headers });
    expect(reply.status).toBe(404);
  });
});

describe('GET /v0/results/export', () => {
  it('has each example that meets the filter once, however many there are', async () => {
    const id = run('pf'.repeat(450));
    const filter = `side=run:${id}&definitionId=${RULE}&passed=false`;
    const { text } = await server.call('GET', `/v0/results/export?${filter}&format=jsonl`);
    const rows = text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { exampleIndex: number }).exampleIndex);
    expect(rows).toEqual(Array.from({ length: 450 }, (_unused, i) => 2 * i + 1));
  });

  it('has a line for each example that meets the filter', async () => {
    const id = run('pfm');
    const { text } = await server.call('GET', `/v0/results/export?side=run:${id}&format=jsonl`);
    const rows = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { exampleIndex: number });
    expect(rows.map(({ exampleIndex }) => exampleIndex)).toEqual([1, 0, 2]);
    const csv = await server.call('GET', `/v0/results/export?side=run:${id}&outcome=FAILED`);
    expect(csv.text.trim().split('\n')).toHaveLength(2);
    expect(csv.text).toContain('Order number: did not pass');
  });
});
