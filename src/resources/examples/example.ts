import { dates, ID, LATER, owner } from '../../contract/example-values.ts';
import type { Example, ExampleVersion } from './contract.ts';
import type { ImportReport } from './import-contract.ts';

export const exampleExample: Example = {
  id: ID.example,
  ...owner,
  ...dates,
  taskId: ID.task,
  position: 0,
  key: 'return-window-1',
  input: 'How long can I return a chair?',
  expected: '30 days',
  rubric: null,
  rubrics: null,
  assertions: [{ type: 'contains', value: '30 days' }],
  metadata: null,
  tags: ['returns'],
  split: 'test',
  weight: 1,
  status: 'ACTIVE',
  version: 1,
  traceId: null,
};

const { input, expected, rubric, rubrics, assertions, metadata, tags, split, weight, status } =
  exampleExample;
const content = { input, rubric, rubrics, assertions, metadata, tags, split, weight, status };
export const exampleVersionList: ExampleVersion[] = [
  { ...content, version: 2, replacedAt: null, expected: '60 days' },
  { ...content, version: 1, replacedAt: LATER, expected },
];

export const exampleImport: ImportReport = {
  dryRun: false,
  rows: 3,
  created: 2,
  updated: 0,
  unchanged: 0,
  replaced: [],
  rejected: [{ line: 3, error: 'input: is missing' }],
  rejectedCount: 1,
  format: null,
  mapping: { input: 'question', expected: 'answer' },
  assertions: 0,
  rubrics: 0,
  definitions: [],
  unusedColumns: ['comment'],
  notCarried: [],
  preview: [
    {
      key: 'return-window-1',
      input: 'How long can I return a chair?',
      expected: '30 days',
      rubric: null,
      rubrics: null,
      assertions: null,
      metadata: null,
      tags: [],
    },
  ],
};
