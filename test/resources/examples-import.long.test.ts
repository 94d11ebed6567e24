import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreateTaskBody } from '../../src/api/generated/schema.ts';
import type { ImportReport } from '../../src/resources/examples/import-contract.ts';
import { sharedServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});
afterAll(() => server.close());

async function newTask(fields: Partial<CreateTaskBody> = {}): Promise<string> {
  const body: CreateTaskBody = { title: 'Questions', type: 'STATIC', ...fields };
  return (await server.ok('POST', '/v0/tasks', { body })).task.id;
}

async function importFile(
  taskId: string,
  name: string,
  content: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<{ status: number; report: ImportReport; text: string }> {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append('file', new File([content], name));
  const response = await fetch(`${server.url}/v0/tasks/${taskId}/examples/import`, {
    method: 'POST',
    headers: server.headers,
    body: form,
  });
  const text = await response.text();
  return { status: response.status, text, report: (JSON.parse(text) as { data: ImportReport }).data };
}

interface Listed {
  input: unknown;
  expected: unknown;
  tags: string[];
  version: number;
}
async function examplesOf(taskId: string): Promise<Listed[]> {
  return (await server.ok('GET', `/v0/tasks/${taskId}/examples?limit=100`)).data;
}

const pairs = (examples: readonly Listed[]): unknown[] =>
  examples.map(({ input, expected }) => [input, expected]);

const manyMembers = (count: number, more: string): string =>
  `{${Array.from({ length: count }, (_, n) => `"m${n}":${n}`).join(',')},${more}}`;

const CSV = `question,expected_output,tags,comment
Capital of France?,Paris,"eu, west",x
Capital of Peru?,Lima,,y
,Rome,,z
`;

describe('an import', () => {
  it('takes no column for a field that is mapped to null', async () => {
    const id = await newTask();
    const given = { dryRun: 'true', mapping: '{"expected":null}' };
    const { report } = await importFile(id, 'a.csv', 'question,answer\nWhere?,Here\n', given);
    expect(report).toMatchObject({ mapping: { input: 'question' }, unusedColumns: ['answer'] });
    expect(report.mapping).not.toHaveProperty('expected');
  });

  it('takes CSV, shows the mapping and what it did not use, and reports rows by line', async () => {
    const id = await newTask();
    const dry = await importFile(id, 'a.csv', CSV, { dryRun: 'true' });
    expect(dry.report).toMatchObject({
      dryRun: true,
      rows: 3,
      created: 2,
      preview: [{ expected: 'Paris' }, {}],
    });
    expect(await examplesOf(id)).toEqual([]);
    const { report } = await importFile(id, 'a.csv', CSV);
    expect(report).toMatchObject({
      created: 2,
      mapping: { input: 'question', expected: 'expected_output', tags: 'tags' },
      unusedColumns: ['comment'],
      rejected: [{ line: 4, error: 'input: is missing' }],
      rejectedCount: 1,
    });
    const examples = await examplesOf(id);
    expect(pairs(examples)).toEqual([
      ['Capital of France?', 'Paris'],
      ['Capital of Peru?', 'Lima'],
    ]);
    expect(examples[0]?.tags).toEqual(['eu', 'west']);
  });

  it.each<[what: string, assertions: unknown, kept: object, notCarried: string[]]>([
    ['one value', [{ type: 'equals', value: 'Paris' }], { expected: 'Paris' }, []],
    [
      'several assertions',
      [
        { type: 'equals', value: 'Paris' },
        { type: 'latency', threshold: 5 },
      ],
      {
        expected: 'Paris',
        assertions: [
          { type: 'equals', value: 'Paris' },
          { type: 'latency', threshold: 5 },
        ],
      },
      [],
    ],
    [
      'containment and settings',
      [{ type: 'icontains', value: 'Paris', weight: 2, metric: 'place' }],
      { expected: 'Paris', assertions: [{ type: 'icontains', value: 'Paris', weight: 2 }] },
      ['line 1: metric of the assertion icontains'],
    ],
    [
      'a rubric, and what is forbidden',
      [
        { type: 'not-contains', value: 'refund' },
        { type: 'llm-rubric', value: 'is friendly' },
      ],
      {
        expected: null,
        rubric: 'is friendly',
        assertions: [{ type: 'contains', value: 'refund', not: true }],
      },
      [],
    ],
  ])('keeps of promptfoo what an example can have: %s', async (_what, assertions, kept, notCarried) => {
    const file = JSON.stringify([{ vars: { question: 'Capital of France?' }, assert: assertions }]);
    const id = await newTask();
    const { report } = await importFile(id, 'a.json', file);
    expect(report).toMatchObject({ created: 1, notCarried });
    expect(await examplesOf(id)).toMatchObject([kept]);
  });

  it('never expects what promptfoo forbids, and rejects what it computes', async () => {
    const id = await newTask();
    const cells = [
      'not-contains: refund',
      'contains: Lima',
      'llm-rubric: is friendly',
      '"contains-any: a,b"',
      'regex: ^a',
      'fn: output.length < 3',
      'similar(0.8): Lima',
      'note: bring a coat',
      'Lima',
    ];
    const file = `question,__expected\n${cells.map((cell, i) => `q${i},${cell}`).join('\n')}\n`;
    const { report } = await importFile(id, 'promptfoo.csv', file);
    expect(report.rejected).toEqual([
      { line: 7, error: '__expected: an example cannot have the assertion javascript' },
    ]);
    expect(report.notCarried).toEqual([]);
    expect(await examplesOf(id)).toMatchObject([
      { input: 'q0', expected: null, assertions: [{ type: 'contains', value: 'refund', not: true }] },
      { input: 'q1', expected: 'Lima' },
      { input: 'q2', expected: null, rubric: 'is friendly' },
      { input: 'q3', expected: null, assertions: [{ type: 'contains-any', value: ['a', 'b'] }] },
      { input: 'q4', expected: null, assertions: [{ type: 'regex', value: '^a' }] },
      { input: 'q6', expected: null, assertions: null, rubrics: { 'Similar (0.8)': 'Lima' } },
      { input: 'q7', expected: 'note: bring a coat' },
      { input: 'q8', expected: 'Lima' },
    ]);
  });

  it('never expects the name of a check that a cell has without a value', async () => {
    const id = await newTask();
    const cells = [
      'contains-xml',
      'contains-sql',
      'is-valid-openai-tools-call',
      'perplexity(1.5)',
      'conversation-relevance(0.5)',
      'conversation-relevance: on topic',
      'tool-call-f1: search',
      'skill-used: search',
      'file://check.js',
    ];
    const words = ['python', 'well-known', 'contains', 'cost-free'];
    const rows = [...cells, ...words].map((cell, i) => `q${i},${cell}`);
    const { report } = await importFile(id, 'promptfoo.csv', `question,__expected\n${rows.join('\n')}\n`);
    expect(report.rejected.map(({ error }) => error.split(' the assertion ')[1])).toEqual([
      'contains-xml',
      'contains-sql',
      'is-valid-openai-tools-call',
      'perplexity',
      'conversation-relevance',
      'conversation-relevance',
      'tool-call-f1',
      'skill-used',
      'file',
    ]);
    expect(await examplesOf(id)).toMatchObject(words.map((expected) => ({ expected })));
  });

  it('reads criteria in a list as a rubric, and the threshold that promptfoo takes for a cell', async () => {
    const id = await newTask();
    const criteria = [{ type: 'g-eval', value: ['is coherent', 'is short'], threshold: 0.8 }];
    const file = JSON.stringify([{ vars: { question: 'Who?' }, assert: criteria }]);
    const { report } = await importFile(id, 'a.json', file);
    expect(report.notCarried).toEqual(['line 1: threshold of the assertion g-eval']);
    await importFile(id, 'a.csv', 'question,__expected\nSum?,similar: four\n');
    expect(await examplesOf(id)).toMatchObject([
      { rubric: 'is coherent\nis short' },
      { rubrics: { 'Similar (0.8)': 'four' } },
    ]);
  });

  it.each<[what: string, file: object | object[], inputs: unknown[]]>([
    [
      'lists of texts',
      [{ vars: { city: ['Lima', 'Quito'], tone: ['warm', 'dry'], days: 2 } }],
      [
        { city: 'Lima', tone: 'warm', days: 2 },
        { city: 'Lima', tone: 'dry', days: 2 },
        { city: 'Quito', tone: 'warm', days: 2 },
        { city: 'Quito', tone: 'dry', days: 2 },
      ],
    ],
    ['a list of other values', [{ vars: { days: [1, 2], city: 'Lima' } }], [{ days: [1, 2], city: 'Lima' }]],
    ['an empty list', [{ vars: { cities: [], city: 'Lima' } }], [{ cities: [], city: 'Lima' }]],
    [
      'a list of all tests',
      { defaultTest: { vars: { tone: ['warm', 'dry'] } }, tests: [{ vars: { city: 'Lima' } }] },
      [
        { tone: 'warm', city: 'Lima' },
        { tone: 'dry', city: 'Lima' },
      ],
    ],
    [
      'a list that is one value for all tests',
      {
        defaultTest: { options: { disableVarExpansion: true } },
        tests: [{ vars: { cities: ['Lima', 'Quito'], tone: 'dry' } }],
      },
      [{ cities: ['Lima', 'Quito'], tone: 'dry' }],
    ],
    [
      'a text that is there twice',
      [{ vars: { city: ['Lima', 'Lima'], tone: 'dry' } }],
      [{ city: 'Lima', tone: 'dry' }],
    ],
  ])(
    'makes of variables of promptfoo with %s an example for each combination',
    async (_what, file, inputs) => {
      const id = await newTask();
      const { report } = await importFile(id, 'a.json', JSON.stringify(file));
      expect(report).toMatchObject({ created: inputs.length, rejected: [], notCarried: [] });
      const stored = await examplesOf(id);
      expect(stored.map(({ input }) => JSON.parse(input as string) as unknown)).toEqual(inputs);
      const again = await importFile(id, 'a.json', JSON.stringify(file));
      expect(again.report).toMatchObject({ created: 0, updated: 0 });
    },
  );

  it('replaces variables in the assertions of each combination', async () => {
    const id = await newTask();
    const asserted = [
      { vars: { city: ['Lima', 'Quito'] }, assert: [{ type: 'contains', value: '{{city}}' }] },
    ];
    await importFile(id, 'a.json', JSON.stringify(asserted));
    expect(pairs(await examplesOf(id))).toEqual([
      ['Lima', 'Lima'],
      ['Quito', 'Quito'],
    ]);
  });

  it('rejects a test of promptfoo with too many combinations, and takes the others', async () => {
    const id = await newTask();
    const list = Array.from({ length: 32 }, (_, n) => `v${n}`);
    const file = [{ vars: { a: list, b: list } }, { vars: { a: 'x' } }];
    const { report } = await importFile(id, 'a.json', JSON.stringify(file));
    expect(report).toMatchObject({
      created: 1,
      rejected: [{ line: 1, error: 'vars: has 1024 combinations, more than 1000' }],
    });
  });

  it('makes of each metric of promptfoo a rubric and a definition that reads only its own', async () => {
    const id = await newTask();
    const rubric = (value: string, metric?: string) => ({ type: 'llm-rubric', value, metric });
    const file = [
      {
        vars: { q: 'a' },
        assert: [rubric('is short'), rubric('is warm', 'Warmth'), rubric('smiles', 'Warmth')],
      },
      { vars: { q: 'b' }, assert: [rubric('is right', 'Facts')] },
    ];
    const { report } = await importFile(id, 'a.json', JSON.stringify(file));
    expect(report).toMatchObject({ created: 2, rubrics: 2, notCarried: [] });
    expect(report.definitions.map(({ name, type, action }) => [name, type, action])).toEqual([
      ['Rubric of the example', 'CUSTOM', expect.stringMatching(/CREATED|LINKED/)],
      ['Warmth', 'CUSTOM', expect.stringMatching(/CREATED|LINKED/)],
      ['Facts', 'CUSTOM', expect.stringMatching(/CREATED|LINKED/)],
    ]);
    expect(await examplesOf(id)).toMatchObject([
      { input: 'a', rubric: 'is short', rubrics: { Warmth: 'is warm\nsmiles' } },
      { input: 'b', rubric: null, rubrics: { Facts: 'is right' } },
    ]);
    const linked = (await server.ok('GET', `/v0/definitions?taskId=${id}`)).data;
    const configs = Object.fromEntries(
      linked.map(({ name, globalConfig }) => [name, globalConfig['exampleRubric']]),
    );
    expect(configs).toEqual({ 'Rubric of the example': 'any', Warmth: 'own', Facts: 'own' });
    const again = await importFile(id, 'a.json', JSON.stringify(file));
    expect(again.report.definitions.map(({ action }) => action)).toEqual(['KEPT', 'KEPT', 'KEPT']);
  });

  it('reads messages, lists and files as the tools mean them', async () => {
    const human = { type: 'human', content: 'Where is it?' };
    const ai = { output: { type: 'ai', content: 'On its way' } };
    const id = await newTask();
    const lines = [
      { inputs: { messages: [human] }, outputs: ai, split: ['base'] },
      {
        inputs: {
          messages: [
            { role: 'system', content: 'S' },
            { role: 'user', content: 'Hi' },
          ],
        },
        outputs: { a: { b: 1 } },
      },
      {
        inputs: { messages: [human, { type: 'ai', content: 'There' }, { type: 'human', content: 'Where?' }] },
        outputs: {},
      },
    ];
    await importFile(id, 'a.jsonl', lines.map((one) => JSON.stringify(one)).join('\n'));
    expect(await examplesOf(id)).toMatchObject([
      { input: 'Where is it?', expected: 'On its way', split: 'base' },
      { input: 'Hi', expected: { a: { b: 1 } } },
      { input: expect.stringContaining('[{"type":"human"') as string },
    ]);
    const ofPromptfoo = await newTask();
    const file = [
      'q,__expected,__expected2,__metadata:tags[]',
      'a,similar:cosine(0.8): bye,is-refusal,"x, y\\, z"',
      'b,similar:dot(0.8): bye,contains: b,',
      'c,contains: file://expected.txt,llm-rubric: file://rubric.txt,',
      'file://question.txt,contains: d,,',
    ].join('\n');
    expect((await importFile(ofPromptfoo, 'a.csv', file)).report).toMatchObject({
      notCarried: ['line 3: the assertion similar:dot'],
      rejected: [
        {
          line: 4,
          error: '__expected: an example cannot have the assertion contains, the assertion llm-rubric',
        },
        { line: 5, error: 'input: the variable q is in a file, which the import does not have' },
      ],
    });
    expect(await examplesOf(ofPromptfoo)).toMatchObject([
      {
        input: 'a',
        rubrics: { 'Similar (0.8)': 'bye' },
        assertions: [{ type: 'is-refusal' }],
        metadata: { tags: ['x', 'y, z'] },
      },
      { input: 'b', expected: 'b' },
    ]);
  });

  it('makes of each threshold of similar a definition that compares with the text of the example', async () => {
    const id = await newTask();
    const file = [
      'q,__expected,__expected2,__expected3',
      'a,similar(0.9): hello,contains: hel,',
      'b,similar: Hi,similar(0.9): Hi there,similar(0.9): Hey',
      'c,contains: x,,',
      'd,similar(7): x,,',
      'e,not-similar: x,contains: y,',
    ].join('\n');
    const { report } = await importFile(id, 'a.csv', file);
    expect(report).toMatchObject({
      created: 4,
      rejected: [{ line: 5, error: '__expected: an example cannot have the assertion similar' }],
      notCarried: ['line 3: the assertion similar', 'line 6: the assertion not-similar'],
    });
    expect(report.definitions.map(({ name, type }) => [name, type])).toEqual([
      ['Assertions of the example', 'ASSERT'],
      ['Similar (0.9)', 'SIMILARITY'],
      ['Similar (0.8)', 'SIMILARITY'],
    ]);
    expect(await examplesOf(id)).toMatchObject([
      { input: 'a', expected: 'hel', rubrics: { 'Similar (0.9)': 'hello' } },
      { input: 'b', expected: null, rubrics: { 'Similar (0.8)': 'Hi', 'Similar (0.9)': 'Hi there' } },
      { input: 'c', expected: 'x', rubrics: null },
      { input: 'e', expected: 'y', rubrics: null },
    ]);
    const linked = (await server.ok('GET', `/v0/definitions?taskId=${id}&type=SIMILARITY`)).data;
    expect(linked.map(({ globalConfig }) => globalConfig)).toEqual(
      expect.arrayContaining([
        { passThreshold: 0.9, exampleRubric: 'own' },
        { passThreshold: 0.8, exampleRubric: 'own' },
      ]),
    );
    expect((await importFile(id, 'a.csv', file)).report.definitions.map(({ action }) => action)).toEqual([
      'KEPT',
      'KEPT',
      'KEPT',
    ]);
  });

  it('rejects a row with the key or input of an earlier one and other values', async () => {
    const id = await newTask();
    const rows = [
      { id: '1', input: 'a', expected: 'x' },
      { id: '1', input: 'b', expected: 'y' },
      { input: 'c', expected: 'x' },
      { input: 'c', expected: 'y' },
      { input: 'c', expected: 'x' },
    ];
    const file = rows.map((row) => JSON.stringify(row)).join('\n');
    const rejected = [
      { line: 2, error: 'key: is that of line 1 too, with other values' },
      { line: 4, error: 'input: is that of line 3 too, with other values' },
    ];
    const counts = { created: 2, updated: 0, unchanged: 1, rejected };
    expect((await importFile(id, 'a.jsonl', file, { dryRun: 'true' })).report).toMatchObject(counts);
    expect((await importFile(id, 'a.jsonl', file)).report).toMatchObject(counts);
    expect(pairs(await examplesOf(id))).toEqual([
      ['a', 'x'],
      ['c', 'x'],
    ]);
    expect((await importFile(id, 'a.jsonl', file)).report).toMatchObject({
      created: 0,
      unchanged: 3,
      rejected,
    });
  });

  it('can be repeated: a known key changes an example', async () => {
    const id = await newTask();
    await importFile(id, 'a.csv', 'id,input,answer\n1,a,A\n2,b,B\n');
    const file = 'id,input,answer\n1,a,A\n2,b,C\n3,c,D\n';
    const counts = { created: 1, updated: 1, unchanged: 1 };
    expect((await importFile(id, 'a.csv', file, { dryRun: 'true' })).report).toMatchObject(counts);
    expect((await importFile(id, 'a.csv', file)).report).toMatchObject({
      ...counts,
      replaced: [{ line: 3, key: '2', fields: ['expected'] }],
      notCarried: [],
    });
    expect((await examplesOf(id)).map(({ expected, version }) => [expected, version])).toEqual([
      ['A', 1],
      ['C', 2],
      ['D', 1],
    ]);
  });

  it.each<[string, string, string, unknown[]]>([
    [
      'JSONL',
      'a.jsonl',
      '{"prompt":"b"}\n\nnot json\n{"prompt":"a","ideal":{"x":1}}',
      [
        ['b', null],
        ['a', { x: 1 }],
      ],
    ],
    [
      'a promptfoo configuration',
      'promptfoo.json',
      JSON.stringify({
        tests: [
          { vars: { question: 'a' }, assert: [{ type: 'is-json' }, { type: 'equals', value: 'A' }] },
          { vars: { name: 'n', topic: 't' } },
        ],
      }),
      [
        ['a', 'A'],
        ['{"name":"n","topic":"t"}', null],
      ],
    ],
    [
      'a dataset of Langfuse',
      'langfuse.json',
      JSON.stringify({
        items: [{ id: 'i1', input: { question: 'a' }, expectedOutput: 'A', metadata: { m: 1 } }],
      }),
      [['a', 'A']],
    ],
  ])('takes %s', async (_what, name, content, expected) => {
    const id = await newTask();
    expect((await importFile(id, name, content)).status).toBe(200);
    expect(pairs(await examplesOf(id))).toEqual(expected);
  });

  it('takes objects where the task has a schema', async () => {
    const id = await newTask({ simulatedPromptSchema: { type: 'object' } });
    await importFile(id, 'a.csv', 'input\n"{""q"":1}"\n');
    await importFile(id, 'a.jsonl', '{"input":{"q":2}}');
    expect(pairs(await examplesOf(id))).toEqual([
      [{ q: 1 }, null],
      [{ q: 2 }, null],
    ]);
  });

  it('rejects inputs that do not match the schema, by line', async () => {
    const schema = { type: 'object', required: ['q'], properties: { q: { type: 'string' } } };
    const id = await newTask({ simulatedPromptSchema: schema });
    const { report } = await importFile(
      id,
      'a.jsonl',
      '{"input":{"q":"a"}}\n{"input":{"q":1}}\n{"input":{}}',
    );
    const mustMatch = 'input: must match the `simulatedPromptSchema` of the task: ';
    expect(report).toMatchObject({
      rows: 3,
      created: 1,
      rejected: [
        { line: 2, error: `${mustMatch}/q must be string` },
        { line: 3, error: `${mustMatch}the value must have required property 'q'` },
      ],
    });
  });

  describe('of a body that is the file', () => {
    const send = async (taskId: string, type: string, body: string, query = '') => {
      const response = await fetch(`${server.url}/v0/tasks/${taskId}/examples/import${query}`, {
        method: 'POST',
        headers: { ...server.headers, 'content-type': type },
        body,
      });
      return {
        status: response.status,
        json: (await response.json()) as { data: ImportReport; message: string },
      };
    };

    it.each([
      ['text/csv', 'input,answer\na,A\n'],
      ['text/csv; charset=utf-8', 'input;answer\na;A\n'],
      ['text/tab-separated-values', 'input\tanswer\na\tA\n'],
      ['application/jsonl', '{"input":"a","answer":"A"}'],
      ['application/x-ndjson', '{"input":"a","answer":"A"}'],
      ['application/json', '[{"input":"a","answer":"A"}]'],
    ])('takes %s', async (type, body) => {
      const id = await newTask();
      expect((await send(id, type, body)).json.data).toMatchObject({ rows: 1, created: 1 });
      expect(pairs(await examplesOf(id))).toEqual([['a', 'A']]);
    });

    it('takes the fields of a form as parameters, and says which types there are', async () => {
      const id = await newTask();
      const mapping = encodeURIComponent('{"input":"x"}');
      const { json } = await send(id, 'text/csv', 'x,input\na,b\n', `?dryRun=true&mapping=${mapping}`);
      expect(json.data).toMatchObject({ dryRun: true, preview: [{ input: 'a' }] });
      expect((await send(id, 'text/csv', 'input\na\n', '?dryRun=yes')).status).toBe(422);
      const other = await send(id, 'text/plain', 'input\na\n');
      expect([other.status, other.json.message]).toEqual([
        415,
        expect.stringContaining('one of multipart/form-data, text/csv'),
      ]);
    });

    it('is limited like a file', async () => {
      const response = await send(await newTask(), 'text/csv', `input\n${'a'.repeat(33 * 1024 * 1024)}`);
      expect(response.status).toBe(413);
    });
  });

  it.each<[string, string, string, Record<string, string>]>([
    ['no column for the input', 'a.csv', 'x,y\n1,2\n', {}],
    ['a mapping to an unknown column', 'a.csv', 'x,y\n1,2\n', { mapping: '{"input":"z"}' }],
    ['a mapping that is none', 'a.csv', 'x,y\n1,2\n', { mapping: 'x' }],
    ['no list', 'a.json', '{"x":1}', {}],
    ['no rows', 'a.jsonl', '\n', {}],
    ['many lists besides its rows', 'a.json', `{"x":[${'[],'.repeat(100_001)}[]],"data":[{}]}`, {}],
    ['JSON without an end', 'a.json', '[{"input":"a"}', {}],
    ['JSON with brackets that do not match', 'a.json', '[{"input":"a"]}', {}],
    ['JSON with many members besides its rows', 'a.json', manyMembers(10_001, '"data":[{"input":"a"}]'), {}],
  ])('rejects %s', async (_what, name, content, fields) => {
    expect((await importFile(await newTask(), name, content, fields)).status).toBe(422);
  });
});

it('a JSON file of millions of empty rows is read up to the limit', async () => {
  const { report } = await importFile(await newTask(), 'a.json', `[${'[],'.repeat(2_000_000)}[]]`);
  expect(report).toMatchObject({ rows: 100_000, created: 0, rejectedCount: 100_001 });
  expect(report.rejected.at(-1)).toEqual({
    line: 100_001,
    error: 'is beyond the limit of 100000 rows; the rest of the file was not read',
  });
});

it.each<[format: string, asFile: (rows: string[]) => string]>([
  ['json', (rows) => `[${rows.join(',\n')}]`],
  ['jsonl', (rows) => rows.join('\n')],
])('rows of %s that are broken or have too many members are rejected alone', async (format, asFile) => {
  const id = await newTask();
  const rows = [
    '{"input":"a: {b}","metadata":{"list":["}",{"x":"\\\\\\"["}]}}',
    manyMembers(201, '"input":"columns"'),
    `{"input":"members","metadata":${manyMembers(10_000, '"z":1')}}`,
    '{"input":broken}',
    '["no object"]',
    '{"input":"last"}',
  ];
  const { report } = await importFile(id, `a.${format}`, asFile(rows));
  expect(report).toMatchObject({
    rows: 6,
    created: 2,
    rejected: [
      { line: 2, error: 'has 202 columns, more than 200' },
      { line: 3, error: 'has more than 10000 members' },
      { line: 4, error: 'is not valid JSON' },
      { line: 5, error: 'is not a JSON object' },
    ],
  });
  expect((await examplesOf(id)).map(({ input }) => input)).toEqual(['a: {b}', 'last']);
});

describe('an export', () => {
  const VALUES = [
    { input: '=1+1, "quoted"', expected: "'-5", tags: ['a,b', 'c'], split: 'test', key: 'own' },
    { input: 'two\r\nlines', expected: { city: ['Lima'] }, metadata: { a: 1 }, rubric: 'r', weight: 0.5 },
    { input: ' spaces ', expected: 5 },
    { input: 'lists', expected: [{ type: 'x', value: 1 }] },
    { input: 'prefix', expected: 'equals: y' },
    { input: 'none' },
    { input: 'empty', expected: '' },
  ];

  const exported = async (taskId: string, query: string): Promise<Response> =>
    fetch(`${server.url}/v0/tasks/${taskId}/examples/export?${query}`, { headers: server.headers });

  async function taskWith(values: readonly object[]): Promise<string> {
    const id = await newTask();
    for (const body of values) await server.call('POST', `/v0/tasks/${id}/examples`, { body });
    return id;
  }

  it.each(['csv', 'jsonl'])(
    'in %s is imported again without a change, and makes a copy elsewhere',
    async (format) => {
      const id = await taskWith(VALUES);
      const before = await examplesOf(id);
      const response = await exported(id, `format=${format}`);
      expect(response.headers.get('content-disposition')).toBe(`attachment; filename="examples.${format}"`);
      const file = await response.text();
      const { report } = await importFile(id, `a.${format}`, file);
      expect(report).toMatchObject({ created: 0, updated: 0, unchanged: 7, rejected: [], unusedColumns: [] });
      expect(await examplesOf(id)).toEqual(before);
      const copy = await newTask();
      await importFile(copy, `a.${format}`, file);
      const fieldsOf = ({ input, expected, tags, ...rest }: Listed): unknown => {
        const { metadata, rubric, split, weight } = rest as Record<string, unknown>;
        return { input, expected, tags, metadata, rubric, split, weight };
      };
      expect((await examplesOf(copy)).map(fieldsOf)).toEqual(before.map(fieldsOf));
    },
  );

  it('has each example once over pages of many examples and of many characters, up to the limit', async () => {
    const id = await newTask();
    const rows = Array.from({ length: 1_100 }, (_, n) =>
      JSON.stringify({ input: `${n} ${'x'.repeat(n < 30 ? 150_000 : 1)}` }),
    );
    await importFile(id, 'a.jsonl', rows.join('\n'));
    const inputs = async (query: string): Promise<number[]> => {
      const lines = (await (await exported(id, `format=jsonl&${query}`)).text()).trimEnd().split('\n');
      return lines.map((line) => Number.parseInt((JSON.parse(line) as { input: string }).input, 10));
    };
    expect(await inputs('')).toEqual(rows.map((_, n) => n));
    expect(await inputs('limit=501')).toHaveLength(501);
    expect(await inputs('search=1099%20')).toEqual([1_099]);
  });

  it('is not misread where `expectedJson` is not JSON', async () => {
    const { report } = await importFile(await newTask(), 'a.csv', 'input,expectedJson\na,{\nb,null\nc,1\n');
    expect(report).toMatchObject({
      created: 2,
      rejected: [{ line: 2, error: 'expectedJson: is not valid JSON' }],
    });
  });
});
