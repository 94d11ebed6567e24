/** Filter lines over the REST API, and suggestions for them; what terms find is tested in test/traces/filter and test/tests. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedServer, type TestServer } from '../support/server.ts';

const AT = '2026-03-01T12:00:00.000Z';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
  const step = (modelId: string) => ({
    type: 'llm' as const,
    event: 'end' as const,
    timestamp: AT,
    modelId,
    output: 'zebrafishword',
    usage: { promptTokens: 1, completionTokens: 1 },
  });
  const events = ['gpt-4o', 'gpt-4o', 'my model'].map((model, index) => ({
    type: 'trace' as const,
    timestamp: AT,
    input: index === 0 ? 'Hello my name is Ada' : 'Hello',
    output: 'Hi',
    referenceId: `talk-${index}`,
    metadata: { channel: index === 0 ? 'app' : 'web' },
    steps: [step(model)],
  }));
  await server.call('POST', '/v0/ingest', { body: { events } });
});
afterAll(() => server.close());

const LISTS = [
  '/v0/traces',
  '/v0/traces/facets',
  '/v0/traces/export',
  '/v0/traces/stream',
  '/v0/tests',
  '/v0/tests/export',
  '/v0/sessions',
];

describe('q', () => {
  it.each(LISTS)('of %s is rejected with the place of each fault', async (path) => {
    const { status, json } = await server.call('GET', `${path}?q=user%3Aada+modle%3Ax`);
    expect(status).toBe(422);
    expect(json).toEqual({
      message: 'Invalid request: q: Unknown field “modle”',
      issues: [
        {
          code: 'custom',
          path: ['q'],
          start: 9,
          end: 16,
          message: 'Unknown field “modle”',
          suggestion: 'model:x',
        },
      ],
    });
  });

  it('finds traces by the text of a step, and says what was searched', async () => {
    const found = await server.ok('GET', '/v0/traces?q=zebrafishword+model%3Agpt-*');
    expect(found).toMatchObject({ pagination: { total: 2 }, searched: { isComplete: true } });
  });

  it('finds conversations with a trace that matches', async () => {
    const found = await server.ok('GET', '/v0/sessions?q=metadata.channel%3Aapp');
    expect(found.data.map(({ id }) => id)).toEqual(['talk-0']);
  });
});

describe('a suggestion', () => {
  const suggest = async (q: string, more: Readonly<Record<string, string>> = {}) =>
    server.ok(
      'GET',
      `/v0/filter/suggest?${new URLSearchParams({ screen: 'traces', q, ...more }).toString()}`,
    );

  it.each<[q: string, inserts: string[]]>([
    ['mod', ['model:', '-model:', 'mod']],
    ['-mod', ['-model:', '-mod']],
    ['meta', ['metadata.', '-metadata.', 'meta']],
    ['model:', ['model:gpt-4o', 'model:"my model"']],
    ['model:my', ['model:"my model"']],
    ['model:"my', ['model:"my model"']],
    ['model:gpt-4o,', ['model:gpt-4o,gpt-4o', 'model:gpt-4o,"my model"']],
    ['metadata.channel:app model:', ['model:gpt-4o']],
    ['metadata.channel:', ['metadata.channel:web', 'metadata.channel:app']],
    ['error:', ['error:yes', 'error:no']],
    ['verdict:f', ['verdict:fail']],
    ['duration:>', ['duration:>2s', 'duration:>10s']],
    ['nosuchfield', ['nosuchfield']],
    ['he', ['he', 'hello']],
    ['-hell', ['-hell', '-hello']],
    ['input:he', ['input:hello']],
    ['output:he', []],
    ['output:h', []],
    ['input:"hello my na', ['input:"hello my name"']],
    ['input:/he', []],
    ['input:h(', []],
    ['nosuchfield:x', []],
  ])('for %s is %j', async (q, inserts) => {
    expect((await suggest(q)).data.map(({ insert }) => insert)).toEqual(inserts);
  });

  it('has the number of matches among the other terms', async () => {
    expect((await suggest('model:')).data.map(({ count }) => count)).toEqual([2, 1]);
  });

  it('is for the term at the cursor', async () => {
    expect(await suggest('mod user:ada', { cursor: '3' })).toMatchObject({
      start: 0,
      end: 3,
      data: [{ insert: 'model:' }, {}, {}],
    });
  });

  it('lists every field of the screen for an empty line', async () => {
    const names = (await suggest('', { screen: 'tests' })).data.map(({ insert }) => insert);
    expect(names).toContain('outcome:');
    expect(names).not.toContain('samples:');
  });
});
