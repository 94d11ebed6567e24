import { parquetWriteBuffer } from 'hyparquet-writer';
import { workbook } from './workbook.ts';

/** Files of other tools, in the form in which they export datasets, and the examples that an import makes of them. */

export interface FormatCase {
  title: string;
  file: { name: string; content: string | ArrayBuffer | Uint8Array<ArrayBuffer> };
  /** Format that the import recognises; null for a plain table. */
  format: string | null;
  /** Fields of the examples, in order. */
  examples: readonly object[];
  notCarried: readonly string[];
  unused: readonly string[];
}

const lines = (...rows: object[]): string => rows.map((row) => JSON.stringify(row)).join('\n');

const Q = 'Capital of Peru?';

export const FORMAT_CASES: readonly FormatCase[] = [
  {
    title: 'promptfoo, CSV',
    file: {
      name: 'promptfoo.csv',
      content: [
        'question,__expected,__expected2,__description,__metadata:team',
        `${Q},contains: Lima,not-contains: refund,second,maps`,
        'Hi,llm-rubric: is friendly,,,',
        'List,"contains-any: a, b",,,',
        'Edit,levenshtein(2): hello,,,',
        'Code,equals: 1,fn:output.length<10,,',
        'Plain, Lima ,,,',
        'Quoted,"contains-any: ""a, b"", c",,,',
      ].join('\n'),
    },
    format: 'promptfoo',
    examples: [
      {
        input: Q,
        expected: 'Lima',
        assertions: [
          { type: 'contains', value: 'Lima' },
          { type: 'contains', value: 'refund', not: true },
        ],
        metadata: { description: 'second', team: 'maps' },
      },
      { input: 'Hi', expected: null, rubric: 'is friendly', assertions: null },
      { input: 'List', expected: null, assertions: [{ type: 'contains-any', value: ['a', 'b'] }] },
      { input: 'Edit', expected: null, assertions: [{ type: 'levenshtein', value: 'hello', threshold: 2 }] },
      { input: 'Code', expected: '1', assertions: [{ type: 'equals', value: '1' }] },
      { input: 'Plain', expected: 'Lima', assertions: [{ type: 'equals', value: 'Lima' }] },
      { input: 'Quoted', expected: null, assertions: [{ type: 'contains-any', value: ['a, b', 'c'] }] },
    ],
    notCarried: ['line 6: the assertion javascript'],
    unused: [],
  },
  {
    title: 'promptfoo, CSV with settings',
    file: {
      name: 'promptfoo-2.csv',
      content: [
        'question,__expected1,__expected2,__metric,__config:__expected1:threshold,__providerOutput',
        `${Q},levenshtein: Lima,llm-rubric: is short,Tone,3,`,
      ].join('\n'),
    },
    format: 'promptfoo',
    examples: [
      {
        input: Q,
        rubrics: { Tone: 'is short' },
        assertions: [{ type: 'levenshtein', value: 'Lima', threshold: 3 }],
      },
    ],
    notCarried: ['line 2: metric of the assertion levenshtein'],
    unused: ['__providerOutput'],
  },
  {
    title: 'promptfoo, YAML',
    file: {
      name: 'promptfooconfig.yaml',
      content: `prompts: ["{{question}}"]
defaultTest:
  assert:
    - type: latency
      threshold: 3000
tests:
  - description: capital
    vars: { question: "${Q}" }
    assert:
      - { type: icontains, value: lima, weight: 2 }
      - { type: similar, value: Lima, threshold: 0.9, weight: 2 }
      - { type: not-similar, value: Cusco }
  - vars: { name: Ann, topic: maps }
`,
    },
    format: 'promptfoo',
    examples: [
      {
        input: Q,
        expected: 'lima',
        assertions: [
          { type: 'latency', threshold: 3000 },
          { type: 'icontains', value: 'lima', weight: 2 },
        ],
        rubrics: { 'Similar (0.9)': 'Lima' },
        metadata: { description: 'capital' },
      },
      {
        input: '{"name":"Ann","topic":"maps"}',
        expected: null,
        assertions: [{ type: 'latency', threshold: 3000 }],
      },
    ],
    notCarried: [
      'file: prompts',
      'line 1: weight of the assertion similar',
      'line 1: the assertion not-similar',
    ],
    unused: [],
  },
  {
    title: 'LangSmith',
    file: {
      name: 'langsmith.jsonl',
      content: lines({
        id: 'e1',
        inputs: { question: Q },
        outputs: { answer: 'Lima' },
        metadata: { source: 'docs' },
        split: 'test',
      }),
    },
    format: 'LangSmith',
    examples: [{ key: 'e1', input: Q, expected: 'Lima', metadata: { source: 'docs' }, split: 'test' }],
    notCarried: [],
    unused: [],
  },
  {
    title: 'LangSmith, JSON',
    file: {
      name: 'langsmith.json',
      content: JSON.stringify([
        {
          id: 'e1',
          dataset_id: 'd',
          inputs: { messages: [{ type: 'human', content: Q }] },
          outputs: { messages: [{ type: 'ai', content: 'Lima' }] },
          metadata: { dataset_split: ['base', 'test'] },
        },
      ]),
    },
    format: 'LangSmith',
    examples: [
      { key: 'e1', input: Q, expected: 'Lima', split: 'test', metadata: { dataset_split: ['base', 'test'] } },
    ],
    notCarried: [],
    unused: ['dataset_id'],
  },
  {
    title: 'Langfuse',
    file: {
      name: 'langfuse.json',
      content: JSON.stringify({
        data: [
          {
            id: 'i1',
            input: { question: Q },
            expectedOutput: { answer: 'Lima' },
            metadata: null,
            status: 'ACTIVE',
          },
          { id: 'i2', input: 'Hi', expectedOutput: null, metadata: 'old', status: 'ARCHIVED' },
        ],
      }),
    },
    format: 'Langfuse',
    examples: [
      { key: 'i1', input: Q, expected: 'Lima', status: 'ACTIVE' },
      { key: 'i2', input: 'Hi', expected: null, metadata: { metadata: 'old' }, status: 'ARCHIVED' },
    ],
    notCarried: [],
    unused: [],
  },
  {
    title: 'Braintrust',
    file: {
      name: 'braintrust.jsonl',
      content: lines({
        id: 'b1',
        _xact_id: '1',
        input: { question: Q },
        expected: 'Lima',
        tags: ['geo'],
        metadata: { level: 1 },
      }),
    },
    format: 'Braintrust',
    examples: [{ key: 'b1', input: Q, expected: 'Lima', tags: ['geo'], metadata: { level: 1 } }],
    notCarried: [],
    unused: ['_xact_id'],
  },
  {
    title: 'Braintrust, events',
    file: {
      name: 'braintrust.json',
      content: JSON.stringify({
        events: [
          { id: 'b1', dataset_id: 'd', input: Q, expected: 'Lima', metadata: { level: 2 }, tags: null },
        ],
        cursor: null,
      }),
    },
    format: 'Braintrust',
    examples: [{ key: 'b1', input: Q, expected: 'Lima', metadata: { level: 2 } }],
    notCarried: [],
    unused: ['dataset_id'],
  },
  {
    title: 'MLflow',
    file: {
      name: 'mlflow.json',
      content: JSON.stringify([
        {
          dataset_record_id: 'dr-1',
          inputs: { question: Q },
          outputs: { response: 'Cusco' },
          expectations: { expected_response: 'Lima', guidelines: ['be brief'] },
          tags: { team: 'maps' },
        },
        {
          inputs: { question: 'Hi' },
          expectations: { expected_facts: ['greets', 'asks back'], guidelines: { tone: ['is kind'] } },
        },
      ]),
    },
    format: 'MLflow',
    examples: [
      { key: 'dr-1', input: Q, expected: 'Lima', rubric: '- be brief', metadata: { tags: { team: 'maps' } } },
      { input: 'Hi', expected: null, rubric: '- greets\n- asks back\n- tone: is kind' },
    ],
    notCarried: [],
    unused: ['outputs'],
  },
  {
    title: 'Phoenix',
    file: {
      name: 'phoenix.csv',
      content: `example_id,input.question,input.lang,output.answer,metadata.source\nRGF0,${Q},en,Lima,docs\n`,
    },
    format: 'dotted columns',
    examples: [
      {
        key: 'RGF0',
        input: `{"question":"${Q}","lang":"en"}`,
        expected: 'Lima',
        metadata: { source: 'docs' },
      },
    ],
    notCarried: [],
    unused: [],
  },
  {
    title: 'Phoenix, CSV of pandas',
    file: {
      name: 'phoenix-3.csv',
      content: `example_id,input,output,metadata\nRGF0,{'question': '${Q}'},{'answer': 'Lima'},{'level': 1}\n`,
    },
    format: 'Phoenix',
    examples: [{ key: 'RGF0', input: Q, expected: 'Lima', metadata: { level: 1 } }],
    notCarried: [],
    unused: [],
  },
  {
    title: 'CSV with an example_id',
    file: {
      name: 'ids.csv',
      content: `example_id,question,answer,input_tokens,output_tokens\ne1,${Q},Lima,12,3\n`,
    },
    format: null,
    examples: [{ key: 'e1', input: Q, expected: 'Lima' }],
    notCarried: [],
    unused: ['input_tokens', 'output_tokens'],
  },
  {
    title: 'LangSmith, CSV',
    file: {
      name: 'langsmith.csv',
      content: `inputs,outputs,created_at\n"{""question"":""${Q}""}","{""answer"":""Lima""}",2026-01-01\n`,
    },
    format: 'LangSmith',
    examples: [{ input: Q, expected: 'Lima' }],
    notCarried: [],
    unused: ['created_at'],
  },
  {
    title: 'Langfuse, CSV',
    file: {
      name: 'langfuse.csv',
      content: [
        'id,dataset_id,status,input,expected_output,metadata',
        `i1,d,ACTIVE,"""${Q}""","{""answer"":""Lima""}","{""team"":""maps""}"`,
        'i2,d,ARCHIVED,Who?,,by hand',
      ].join('\n'),
    },
    format: 'Langfuse',
    examples: [
      { key: 'i1', input: Q, expected: 'Lima', metadata: { team: 'maps' }, status: 'ACTIVE' },
      { key: 'i2', input: 'Who?', expected: null, metadata: { metadata: 'by hand' }, status: 'ARCHIVED' },
    ],
    notCarried: [],
    unused: ['dataset_id'],
  },
  {
    title: 'MLflow, CSV of pandas',
    file: {
      name: 'mlflow.csv',
      content: [
        'dataset_record_id,inputs,expectations,tags',
        `dr-1,{'question': '${Q}'},"{'expected_response': 'Lima', 'expected_facts': ['It\\'s in Peru'], 'score': 5}",`,
        `dr-2,"{""question"": ""Who?""}",{'answer': 'Ann'},"{'team': None, 'ok': True}"`,
      ].join('\n'),
    },
    format: 'MLflow',
    examples: [
      { key: 'dr-1', input: Q, expected: 'Lima', rubric: "- It's in Peru", metadata: { score: 5 } },
      {
        key: 'dr-2',
        input: 'Who?',
        expected: 'Ann',
        rubric: null,
        metadata: { tags: { team: null, ok: true } },
      },
    ],
    notCarried: [],
    unused: [],
  },
  {
    title: 'Phoenix, CSV',
    file: {
      name: 'phoenix-2.csv',
      content: `example_id,input_question,output_answer,metadata_team\ne1,${Q},Lima,maps\n`,
    },
    format: 'Phoenix',
    examples: [{ key: 'e1', input: Q, expected: 'Lima', metadata: { team: 'maps' } }],
    notCarried: [],
    unused: [],
  },
  {
    title: 'OpenAI evals',
    file: {
      name: 'evals.jsonl',
      content: lines({
        input: [
          { role: 'system', content: 'Answer briefly.' },
          { role: 'user', content: Q },
        ],
        ideal: ['Lima', 'Lima, Peru'],
      }),
    },
    format: 'OpenAI evals',
    examples: [{ input: Q, expected: ['Lima', 'Lima, Peru'] }],
    notCarried: [],
    unused: [],
  },
  {
    title: 'OpenAI evals, items',
    file: {
      name: 'items.jsonl',
      content: lines(
        { item: { ticket_text: 'My monitor', correct_label: 'Hardware' } },
        { item: { question: Q, answer: 'Lima', lang: 'en' }, sample: { output_text: 'Cusco' } },
      ),
    },
    format: 'OpenAI evals',
    examples: [
      { input: 'My monitor', expected: 'Hardware' },
      { input: Q, expected: 'Lima', metadata: { lang: 'en' } },
    ],
    notCarried: [],
    unused: ['sample'],
  },
  {
    title: 'OpenAI fine-tuning with a reference',
    file: {
      name: 'reference.jsonl',
      content: lines({
        messages: [{ role: 'user', content: [{ type: 'text', text: Q }] }],
        reference_answer: 'Lima',
      }),
    },
    format: 'OpenAI fine-tuning',
    examples: [{ input: Q, expected: 'Lima' }],
    notCarried: [],
    unused: [],
  },
  {
    title: 'OpenAI fine-tuning',
    file: {
      name: 'tuning.jsonl',
      content: lines({
        messages: [
          { role: 'user', content: Q },
          { role: 'assistant', content: 'Lima' },
        ],
      }),
    },
    format: 'OpenAI fine-tuning',
    examples: [{ input: Q, expected: 'Lima' }],
    notCarried: [],
    unused: [],
  },
  {
    title: 'Inspect',
    file: {
      name: 'inspect.jsonl',
      content: lines({ id: 1, input: Q, target: 'A', choices: ['Lima', 'Cusco'], metadata: { level: 1 } }),
    },
    format: 'Inspect',
    examples: [{ key: '1', input: Q, expected: 'A', metadata: { level: 1, choices: ['Lima', 'Cusco'] } }],
    notCarried: [],
    unused: [],
  },
  {
    title: 'Inspect, log',
    file: {
      name: 'log.json',
      content: JSON.stringify({
        version: 2,
        eval: { task: 'capitals' },
        samples: [{ id: 1, epoch: 1, input: Q, target: 'Lima', scores: {} }],
      }),
    },
    format: 'Inspect',
    examples: [{ key: '1', input: Q, expected: 'Lima' }],
    notCarried: [],
    unused: ['epoch', 'scores'],
  },
  {
    title: 'DeepEval, CSV',
    file: {
      name: 'goldens.csv',
      content: [
        'input,expected_output,context,name,expected_tools,additional_metadata,custom_column_key_values',
        `${Q},Lima,a|b,geo,"[{""name"": ""search""}]","{""level"": 1}","{""team"": ""maps""}"`,
        'Hi,Hello,,geo,,,',
      ].join('\n'),
    },
    format: 'DeepEval',
    examples: [
      {
        input: Q,
        expected: 'Lima',
        metadata: {
          level: 1,
          team: 'maps',
          name: 'geo',
          context: 'a|b',
          expected_tools: [{ name: 'search' }],
        },
      },
      { input: 'Hi', expected: 'Hello', metadata: { name: 'geo' } },
    ],
    notCarried: [],
    unused: [],
  },
  {
    title: 'DeepEval',
    file: {
      name: 'goldens.json',
      content: JSON.stringify([
        {
          input: Q,
          actual_output: 'Cusco',
          expected_output: 'Lima',
          context: ['Peru: Lima'],
          retrieval_context: null,
        },
      ]),
    },
    format: 'DeepEval',
    examples: [{ input: Q, expected: 'Lima', metadata: { context: ['Peru: Lima'] } }],
    notCarried: [],
    unused: ['actual_output', 'retrieval_context'],
  },
  {
    title: 'Ragas',
    file: {
      name: 'ragas.jsonl',
      content: lines(
        { user_input: Q, response: 'Cusco', reference: 'Lima', retrieved_contexts: ['…'] },
        { user_input: 'Hi', response: 'Hello', retrieved_contexts: [] },
      ),
    },
    format: 'Ragas',
    examples: [
      { input: Q, expected: 'Lima' },
      { input: 'Hi', expected: null },
    ],
    notCarried: [],
    unused: ['response', 'retrieved_contexts'],
  },
  {
    title: 'Ragas, testset',
    file: {
      name: 'testset.csv',
      content: [
        'user_input,reference_contexts,reference,persona_name,query_style,query_length,synthesizer_name',
        `${Q},"['Peru: Lima']",Lima,Ann,FORMAL,SHORT,single_hop`,
      ].join('\n'),
    },
    format: 'Ragas',
    examples: [
      {
        input: Q,
        expected: 'Lima',
        metadata: {
          reference_contexts: ['Peru: Lima'],
          persona_name: 'Ann',
          query_style: 'FORMAL',
          query_length: 'SHORT',
          synthesizer_name: 'single_hop',
        },
      },
    ],
    notCarried: [],
    unused: [],
  },
  {
    title: 'Ragas, earlier versions',
    file: { name: 'ragas.csv', content: `question,answer,ground_truth,contexts\n${Q},Cusco,Lima,[]\n` },
    format: 'Ragas',
    examples: [{ input: Q, expected: 'Lima' }],
    notCarried: [],
    unused: ['answer', 'contexts'],
  },
  {
    title: 'CSV of Excel',
    file: { name: 'excel.csv', content: `sep=;\r\nquestion;answer\r\n${Q};Lima\r\n;\r\n ; \r\n` },
    format: null,
    examples: [{ input: Q, expected: 'Lima' }],
    notCarried: [],
    unused: [],
  },
  {
    title: 'Excel',
    file: {
      name: 'questions.xlsx',
      content: workbook([
        ['question', 'answer', 'tags'],
        [Q, 'Lima', 'geo; south'],
      ]),
    },
    format: null,
    examples: [{ input: Q, expected: 'Lima', tags: ['geo', 'south'] }],
    notCarried: [],
    unused: [],
  },
  {
    title: 'Parquet',
    file: {
      name: 'questions.parquet',
      content: parquetWriteBuffer({
        columnData: [
          { name: 'id', data: [9_007_199_254_740_993n], type: 'INT64' },
          { name: 'input', data: [Q], type: 'STRING' },
          { name: 'expected', data: ['Lima'], type: 'STRING' },
        ],
      }),
    },
    format: null,
    examples: [{ key: '9007199254740993', input: Q, expected: 'Lima' }],
    notCarried: [],
    unused: [],
  },
  {
    title: 'TSV',
    file: { name: 'a.tsv', content: `prompt\tideal\tnote\n${Q}\tLima\tx\n` },
    format: null,
    examples: [{ input: Q, expected: 'Lima' }],
    notCarried: [],
    unused: ['note'],
  },
  {
    title: 'JSONL',
    file: { name: 'a.jsonl', content: lines({ id: 'a', prompt: Q, completion: 'Lima', weight: 2 }) },
    format: null,
    examples: [{ key: 'a', input: Q, expected: 'Lima', weight: 2 }],
    notCarried: [],
    unused: [],
  },
  {
    title: 'JSON',
    file: { name: 'a.json', content: JSON.stringify([{ input: Q, expected: 'Lima', tags: 'geo' }], null, 2) },
    format: null,
    examples: [{ input: Q, expected: 'Lima', tags: ['geo'] }],
    notCarried: [],
    unused: [],
  },
];

const FIELDS = [
  'input',
  'expected',
  'rubric',
  'rubrics',
  'assertions',
  'metadata',
  'tags',
  'split',
  'key',
  'weight',
  'status',
] as const;

/** Returns docs/import-formats.md: which fields of examples an import fills from which format. */
export function formatsPage(): string {
  const has = ({ examples }: FormatCase, field: string): boolean =>
    examples.some((example) => {
      const value = (example as Record<string, unknown>)[field];
      return value !== undefined && value !== null && value !== 'ACTIVE';
    });
  const rows = FORMAT_CASES.map((one) => {
    const cells = FIELDS.map((field) => (has(one, field) ? 'yes' : ''));
    return `| ${one.title} | ${cells.join(' | ')} | ${one.unused.map((column) => `\`${column}\``).join(', ')} |`;
  });
  return `# Formats of imports

<!-- Written by test/resources/example-formats.test.ts from its files: do not edit. -->

What an [import](examples.md#import) keeps of a file of each format. The format is recognised by its columns; \`mapping\` takes precedence. Columns that are
not used are in the response, by name, and so is each assertion that has no counterpart, by line.

| Format | ${FIELDS.map((field) => `\`${field}\``).join(' | ')} | Not used |
|---|${FIELDS.map(() => '---|').join('')}---|
${rows.join('\n')}

- An object with one text is that text, as an input and as what is expected. Messages with one text of the user are that text; the last message of the assistant is what is
  expected.
- Cells in tables of LangSmith, Langfuse, Braintrust, MLflow, OpenAI, Phoenix and Ragas contain objects, lists and texts in quotes, as JSON or as pandas writes them.
- Expectations of MLflow with names of their own are what is expected, and metadata beside an \`expected_response\`.
- What the app answered (\`actual_output\`, \`response\`, \`outputs\` beside \`expectations\`) is never what is expected.
- Assertions of promptfoo become \`assertions\` of the example where \`ASSERT\` has the same check, and \`expected\` if they are \`equals\`, \`contains\` or \`icontains\`. Definitions of
  \`ASSERT\` with \`exampleAssertions\` apply them. Rubrics become the \`rubric\`, those with a \`metric\` the member of that name in \`rubrics\`, and the
  text of \`similar\` the member with the name of a definition of \`SIMILARITY\`, such as \`Similar (0.8)\`.
- Verdicts of imported assertions are those of promptfoo (compared with 0.121), except: texts are compared after Unicode NFC; words of scripts without spaces count one by
  one; \`contains-json\` with a schema finds arrays too; \`is-refusal\` and \`is-html\` follow [rules of their own](evaluators.md#assert). Where a threshold decides, the score of \`levenshtein\` is named as not kept: it is 1 or 0 in promptfoo.
- Lists of texts in \`vars\` of promptfoo become an example for each combination.
- YAML has at most 1 MiB; JSON, Parquet and Excel have 8 MiB. Numbers beyond 2^53 are kept as texts.
`;
}
