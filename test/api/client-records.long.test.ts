/** Responses as clients parse them that were generated for the hosted form of the interface. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shownResults } from '../../src/resources/evals/shown-results.ts';
import { faultsOf } from '../support/client-shapes.ts';
import { startServer, type TestServer } from '../support/server.ts';
import {
  createTenantFixture,
  FIXTURE_SETTINGS,
  type Outside,
  startOutside,
  type TenantFixture,
} from '../support/tenant-fixture.ts';

let server: TestServer;
let outside: Outside;
let fixture: TenantFixture;
beforeAll(async () => {
  server = await startServer({ config: FIXTURE_SETTINGS });
  outside = await startOutside();
  fixture = await createTenantFixture(server, await server.newTenant(), outside);
  await call('POST', '/v0/definitions', {
    name: 'List',
    type: 'OUTPUT_MATCH',
    globalConfig: { type: 'list' },
  });
  const extract = { pattern: '(a)(b)', group: [1, 2] };
  const globalConfig = { type: 'string', extract };
  await call('POST', '/v0/definitions', { name: 'Text', type: 'OUTPUT_MATCH', globalConfig });
  await call('PUT', `/v0/tasks/${fixture.ids.task}/schedule`, { criticality: 'HIGH' });
  const at = { timestamp: '2026-03-01T12:00:00Z' };
  const content = { a: ['list'] };
  await call('POST', '/v0/ingest', {
    events: [
      { ...at, type: 'trace', traceId: NATIVE, metadata: 'text' },
      { ...at, type: 'llm', event: 'start', modelId: 'm', input: content, params: 'text' },
      { ...at, type: 'llm', event: 'end', modelId: 'n', output: content, metadata: [1] },
      { ...at, type: 'tool', toolInput: content, toolOutput: content, status: 'timeout' },
      { ...at, type: 'retriever', query: content, result: [content], durationMs: 0.4 },
      ...['reranker', 'embedding', 'agent', 'guardrail', 'evaluator'].map((type) => ({ ...at, type })),
      ...['log', 'request', 'response'].map((type) => ({ ...at, type, content })),
      { ...at, type: 'group', key: 'k', error: 'failed' },
    ],
  });
});
afterAll(async () => {
  await server.close();
  await outside.close();
});

const NATIVE = '5d1a1f2e-3c4b-4d5e-8f60-718293a4b5c6';

async function call(method: string, path: string, body?: object): Promise<unknown> {
  const { headers } = fixture;
  const { status, text, json } = await server.call(method, path, { headers, ...(body && { body }) });
  expect(status, text).toBeLessThan(300);
  return json;
}

/** Paths with the type of the response. `{x}` is the id of the x of the fixture. */
const RESPONSES: readonly (readonly [path: string, place: string, type: string])[] = [
  ['/v0/applications', 'data', 'Application[]'],
  ['/v0/definitions', 'data', 'Definition[]'],
  ['/v0/documents', 'data', 'ListedDocument[]'],
  ['/v0/documents/{document}', 'document', 'Document'],
  ['/v0/documents/{document}/tags', 'data', 'Tag[]'],
  ['/v0/documents/{document}/versions', '', 'VersionsResponse'],
  ['/v0/documents/{document}/versions/1', '', 'VersionResponse'],
  ['/v0/style-guides', 'data', 'StyleGuide[]'],
  ['/v0/tags', 'data', 'Tag[]'],
  ['/v0/tasks', 'data', 'ListedTask[]'],
  ['/v0/tasks/{task}', 'task', 'Task'],
  ['/v0/tasks/{task}/tags', 'data', 'Tag[]'],
  ['/v0/tests', 'data', 'ListedTest[]'],
  ['/v0/tests/{test}', 'test', 'Test'],
  ['/v0/evals', 'data', 'Eval[]'],
  ['/v0/evals/{eval}', 'data', 'Eval'],
  ['/v0/topics', 'data', 'Topic[]'],
  ['/v0/topics/{topic}', 'data', 'Topic'],
  ['/v0/traces', 'data', 'Trace[]'],
  ['/v0/traces/{trace}', 'data', 'Trace'],
  [`/v0/traces/${NATIVE}`, 'data', 'Trace'],
  ['/v0/traces/by-test/{test}', 'data', 'Trace'],
];

it.each(RESPONSES)('%s is parsed', async (path, place, type) => {
  const ids = fixture.ids as unknown as Readonly<Record<string, string>>;
  const json = (await call(
    'GET',
    path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? ''),
  )) as {
    [place: string]: unknown;
  };
  const value = place === '' ? json : json[place];
  if (type.endsWith('[]')) expect(value).not.toEqual([]);
  const faults = faultsOf(type, value);
  expect(faults, faults.join('\n')).toEqual([]);
});

describe('definitions of every type, and every expected output, are parsed with x-client-form', () => {
  const configs: Readonly<Record<string, object>> = {
    FACT: { groundTruth: 'Lima' },
    TOXICITY: {},
    SIMILARITY: {},
    CONVERSATION: {},
    PAIRWISE: { baselineRunIds: [NATIVE] },
    ASSERT: { assertions: [{ type: 'is-json' }] },
    HTTP: { url: 'https://scorer.example.com/' },
  };
  const expected: readonly unknown[] = ['Lima', ['a', 'b'], ['a', 1], 4, false, { a: 1 }, null];

  it('by create, list and as parts of tasks', async () => {
    const tenant = await server.newTenant();
    const headers = { ...tenant.headers, 'x-client-form': 'hosted' };
    const hosted = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
      const { status, text, json } = await server.call(method, path, { headers, ...(body && { body }) });
      expect(status, text).toBeLessThan(300);
      return json as Record<string, unknown>;
    };
    const ids: string[] = [];
    for (const [type, globalConfig] of Object.entries(configs)) {
      const { data } = await hosted('POST', '/v0/definitions', { name: type, type, globalConfig });
      expect(faultsOf('Definition', data)).toEqual([]);
      expect(data).toMatchObject({ type: 'CUSTOM', evaluatorType: type, globalConfig });
      ids.push((data as { id: string }).id);
    }
    const { task } = await hosted('POST', '/v0/tasks', {
      title: 'T',
      inputExamples: ['a'],
      evalDefinitions: ids.map((evalDefinitionId, index) => ({
        evalDefinitionId,
        config: { expected: expected[index] },
      })),
    });
    const { id } = task as { id: string };
    expect(faultsOf('Definition[]', (await hosted('GET', '/v0/definitions'))['data'])).toEqual([]);
    expect(faultsOf('Task', (await hosted('GET', `/v0/tasks/${id}`))['task'])).toEqual([]);
    expect(faultsOf('ListedTask[]', (await hosted('GET', '/v0/tasks'))['data'])).toEqual([]);
    const { data } = (await server.call('GET', '/v0/definitions?type=ASSERT', tenant)).json as {
      data: object[];
    };
    expect(data).toMatchObject([{ type: 'ASSERT' }]);
  });

  it('and fields that a client sends back as null are absent', async () => {
    const extract = { pattern: 'a', flags: '', group: 0 };
    const sent = { type: 'list', matchMode: 'contains', extract, passThreshold: null, scoreMetric: null };
    const body = { name: 'Nulls', type: 'OUTPUT_MATCH', globalConfig: sent };
    expect(await call('POST', '/v0/definitions', body)).toMatchObject({
      data: { globalConfig: { type: 'list', matchMode: 'contains', extract } },
    });
  });
});

describe('a change is parsed', () => {
  it('of a style guide with one section', async () => {
    const section = { heading: 'Tone', content: 'Warm.', approved: true };
    const { data } = (await call('POST', '/v0/style-guides', section)) as { data: { id: string } };
    expect(data).toMatchObject({ content: [section] });
    const path = `/v0/style-guides/${data.id}`;
    const warmer = { heading: 'Tone', content: 'Warmer.' };
    const added = { heading: 'Length', content: 'Short.', approved: true };
    await call('PUT', path, warmer);
    expect(await call('PUT', path, added)).toMatchObject({
      data: { content: [{ ...warmer, approved: false }, added] },
    });
  });

  it('of a definition that is sent back as it was read, which is no new version', async () => {
    const { data } = (await call('GET', '/v0/definitions?limit=100')) as {
      data: { id: string; version: number; globalConfig: object }[];
    };
    for (const { id, version, globalConfig } of data)
      expect(await call('PUT', `/v0/definitions/${id}`, { globalConfig })).toMatchObject({
        data: { version, globalConfig },
      });
  });
});

describe('the mean score of the evals of a trace', () => {
  it.each([
    ['minScore=0&maxScore=1', 1],
    ['minScore=0.9&maxScore=0.1', 0],
  ])('?%s finds %d', async (query, found) => {
    const { data } = (await call(
      'GET',
      `/v0/traces?${query}&includeSamples=true&includeDeliveries=true`,
    )) as { data: unknown[] };
    expect(data).toHaveLength(found);
  });

  it.each(['stepCount', 'modifiedAt', 'id'])('traces are ordered by %s', async (orderBy) => {
    const ids = async (orderDir: string): Promise<unknown[]> => {
      const json = await call('GET', `/v0/traces?orderBy=${orderBy}&orderDir=${orderDir}`);
      return (json as { data: { id: string }[] }).data.map(({ id }) => id);
    };
    expect((await ids('asc')).toReversed()).toEqual(await ids('desc'));
  });
});

describe('results', () => {
  const rated = { score: 4, rationale: 'It is.' };
  const CRITERIA = ['clarity', 'coherence', 'engagingness', 'naturalness', 'relevance'];
  it.each([
    ['NATURALNESS', 'Naturalness', { criteria: Object.fromEntries(CRITERIA.map((name) => [name, rated])) }],
    ['NATURALNESS', 'Style', {}],
    ['STYLE', 'Style', { sections: [{ heading: 'Tone', ...rated }] }],
    ['RECALL', 'Recall', { measures: { answerRelevancy: 1, contextPrecision: 0.5, faithfulness: null } }],
    ['CUSTOM', 'Custom', { verdict: 'yes', rationale: 'It is.' }],
    ['CUSTOM', 'Style', { rationale: 'It is.', scale: { min: 1, max: 5 } }],
    ['OUTPUT_MATCH', 'Match', { found: 'a', expected: 'b' }],
    [
      'OUTPUT_MATCH',
      'Match',
      { f1: 1, foundCount: 1, expectedCount: 2, missing: [{ value: 'a', have: 0, need: 1 }] },
    ],
    ['OUTPUT_MATCH', 'Match', { f1: 1, found: 1, expected: 2, missing: ['a'], unexpected: [] }],
  ])('of %s are %s: %j', (definitionType, type, results) => {
    const shown = shownResults({ definitionType, score: 0.5, passed: true, reason: null, results });
    expect(faultsOf(type, shown)).toEqual([]);
  });

  it('are null when there are none', () => {
    const judged = { definitionType: 'CUSTOM', score: null, passed: null, reason: null, results: null };
    expect(shownResults(judged)).toBeNull();
  });
});
