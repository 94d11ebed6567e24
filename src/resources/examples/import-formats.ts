import { isObject } from '../../contract/is-object.ts';
import { withCellValues } from './cell-values.ts';
import type { ImportField, ImportSource } from './import-contract.ts';
import { namedFor } from './import-names.ts';
import { hasPhoenixColumns } from './import-value.ts';

type Row = Readonly<Record<string, unknown>>;
type Sources = Partial<Record<ImportField, ImportSource | undefined>>;

/** Format of another tool, known by its columns. */
interface Format {
  name: string;
  /** Reports whether a row has the columns of the format. */
  matches: (has: (column: string) => boolean, row: Row) => boolean;
  /** True if cells of its tables contain objects, lists and texts in quotes. */
  hasValues?: true;
  /** Returns where the fields of examples are in a row; a field that it does not have takes no column. */
  sources: (has: (column: string) => boolean, row: Row) => Sources;
}

/** Sources of fields in a row, with the name of the format. */
export interface Recognised {
  format: string;
  sources: Sources;
}

const first = (has: (column: string) => boolean, ...columns: string[]): string | undefined =>
  columns.find(has);
const all = (has: (column: string) => boolean, ...columns: string[]): string[] => columns.filter(has);
const isList = (value: unknown): value is unknown[] => Array.isArray(value);

/** Columns of promptfoo's CSV that hold an assertion each. */
export const ASSERTION_COLUMN = /^(?:assert|__expected\d*)$/;
/** Columns of promptfoo that belong to the assertions. */
export const SETTING_COLUMN = /^(?:threshold|__threshold|__metric|__config:__expected\d*:threshold)$/;
/** Column with the threshold of one of the assertions in cells. */
export const THRESHOLD_OF_CELL = /^__config:__expected(\d*):threshold$/;

const FORMATS: readonly Format[] = [
  {
    name: 'promptfoo',
    matches: (has, row) =>
      Object.keys(row).some((column) =>
        /^__(?:expected\d*|description|metadata:.+|metric|threshold)$/.test(column),
      ) ||
      (isObject(row['vars']) && !has('input')),
    sources: (has, row) => {
      const columns = Object.keys(row);
      const variables = columns.filter((column) => !column.startsWith('__'));
      const ofMetadata = columns.filter((column) => column.startsWith('__metadata:'));
      return {
        input: has('vars') ? 'vars' : variables,
        expected: columns.find((column) => ASSERTION_COLUMN.test(column)),
        metadata: [...all(has, 'metadata', 'description', '__description'), ...ofMetadata],
      };
    },
  },
  {
    name: 'MLflow',
    hasValues: true,
    matches: (has) => has('inputs') && has('expectations'),
    sources: (has, { expectations }) => {
      const names = isObject(expectations) ? Object.keys(expectations) : [];
      const own = names.filter((name) => !EXPECTATIONS.has(name)).map((name) => `expectations.${name}`);
      const hasResponse = names.includes('expected_response') || own.length === 0;
      return {
        input: 'inputs',
        expected: hasResponse ? 'expectations.expected_response' : own,
        rubric: ['expectations.expected_facts', 'expectations.guidelines'],
        key: first(has, 'dataset_record_id'),
        metadata: [
          ...all(has, 'tags', 'metadata'),
          ...(names.includes('expected_retrieved_context')
            ? ['expectations.expected_retrieved_context']
            : []),
          ...(hasResponse ? own : []),
        ],
      };
    },
  },
  {
    name: 'LangSmith',
    hasValues: true,
    matches: (has) => has('inputs') && (has('outputs') || has('reference_outputs')),
    sources: (has, { metadata }) => ({
      input: 'inputs',
      expected: first(has, 'reference_outputs', 'outputs'),
      key: first(has, 'id', 'example_id'),
      metadata: all(has, 'metadata'),
      split:
        first(has, 'split', 'dataset_split') ??
        (isObject(metadata) && Object.hasOwn(metadata, SPLIT) ? `metadata.${SPLIT}` : undefined),
    }),
  },
  {
    name: 'Langfuse',
    hasValues: true,
    matches: (has, row) =>
      has('input') &&
      ((has('expectedOutput') && !has('actualOutput')) ||
        (has('expected_output') && !has('actual_output') && isOfLangfuse(has, row))),
    sources: (has) => ({
      input: 'input',
      expected: first(has, 'expectedOutput', 'expected_output'),
      key: first(has, 'id'),
      metadata: all(has, 'metadata'),
      status: first(has, 'status'),
    }),
  },
  {
    name: 'DeepEval',
    matches: (has) =>
      has('input') &&
      ['actual_output', 'actualOutput', 'retrieval_context', 'retrievalContext', 'expected_tools'].some(has),
    sources: (has) => ({
      input: 'input',
      expected: first(has, 'expected_output', 'expectedOutput'),
      key: first(has, 'id'),
      metadata: all(
        has,
        'additional_metadata',
        'additionalMetadata',
        'custom_column_key_values',
        'customColumnKeyValues',
        'name',
        'context',
        'comments',
        'source_file',
        'sourceFile',
        'expected_tools',
        'expectedTools',
      ),
      tags: first(has, 'tags'),
    }),
  },
  {
    name: 'Ragas',
    hasValues: true,
    matches: (has) =>
      has('user_input') ||
      (has('question') && ['contexts', 'retrieved_contexts', 'ground_truth', 'ground_truths'].some(has)),
    sources: (has) => ({
      input: first(has, 'user_input', 'question'),
      expected: first(has, 'reference', 'ground_truth', 'ground_truths'),
      rubric: first(has, 'rubrics', 'rubric'),
      metadata: all(
        has,
        'reference_contexts',
        'reference_context_ids',
        'reference_tool_calls',
        'reference_topics',
        'persona_name',
        'query_style',
        'query_length',
        'synthesizer_name',
        'evolution_type',
        'episode_done',
        'metadata',
      ),
    }),
  },
  {
    name: 'Inspect',
    matches: (has) => has('input') && has('target'),
    sources: (has) => ({
      input: 'input',
      expected: 'target',
      key: first(has, 'id'),
      metadata: all(has, 'metadata', 'choices', 'sandbox', 'files', 'setup'),
    }),
  },
  {
    name: 'OpenAI fine-tuning',
    hasValues: true,
    matches: (_has, row) => isList(row['messages']),
    sources: (has, row) => ({
      input: 'messages',
      expected: isAnswered(row['messages']) ? 'messages' : namedFor('expected', Object.keys(row)),
      metadata: all(has, 'metadata', 'tools'),
    }),
  },
  {
    name: 'OpenAI preferences',
    hasValues: true,
    matches: (has, row) => isObject(row['input']) && has('preferred_output'),
    sources: () => ({ input: 'input.messages', expected: 'preferred_output' }),
  },
  {
    name: 'OpenAI evals',
    hasValues: true,
    matches: (has) => has('input') && has('ideal'),
    sources: (has) => ({ input: 'input', expected: 'ideal', metadata: all(has, 'metadata') }),
  },
  {
    name: 'OpenAI evals',
    matches: (has, row) =>
      isObject(row['item']) && Object.keys(row).every((column) => column === 'item' || column === 'sample'),
    sources: (_has, { item }) => {
      const names = Object.keys(item as Row);
      const expected = namedFor('expected', names);
      const others = names.filter((name) => name !== expected);
      const input = namedFor('input', others);
      const paths = others.filter((name) => name !== input).map((name) => `item.${name}`);
      return {
        input: input === undefined ? paths : `item.${input}`,
        expected: expected === undefined ? undefined : `item.${expected}`,
        metadata: input === undefined ? [] : paths,
      };
    },
  },
  {
    name: 'Braintrust',
    hasValues: true,
    matches: (has) =>
      has('input') && ['_xact_id', 'root_span_id', 'span_id', 'dataset_id', 'scores'].some(has),
    sources: (has) => ({
      input: 'input',
      expected: first(has, 'expected'),
      key: first(has, 'id'),
      metadata: all(has, 'metadata'),
      tags: first(has, 'tags'),
    }),
  },
  {
    name: 'Phoenix',
    hasValues: true,
    matches: (_has, row) => hasPhoenixColumns(row),
    sources: (_has, row) => ({
      input: prefixed(row, 'input_'),
      expected: prefixed(row, 'output_'),
      metadata: prefixed(row, 'metadata_'),
      key: 'example_id',
    }),
  },
  {
    name: 'Phoenix',
    hasValues: true,
    matches: (has, row) => has('example_id') && isObject(row['input']) && has('output'),
    sources: (has) => ({
      input: 'input',
      expected: 'output',
      metadata: all(has, 'metadata'),
      key: 'example_id',
    }),
  },
  {
    name: 'dotted columns',
    matches: (_has, row) => dotted(row, INPUTS).length > 0,
    sources: (has, row) => ({
      input: dotted(row, INPUTS),
      expected: [
        ...dotted(row, REFERENCES),
        ...(dotted(row, REFERENCES).length > 0 ? [] : dotted(row, OUTPUTS)),
      ],
      metadata: dotted(row, METADATA),
      key: first(has, 'example_id', 'id', 'key'),
      split: first(has, 'split'),
    }),
  },
];

/** Expectations that MLflow's own judges read; others have names of their users. */
const EXPECTATIONS: ReadonlySet<string> = new Set([
  'expected_response',
  'expected_facts',
  'guidelines',
  'expected_retrieved_context',
]);

/** Metadata in which LangSmith has the splits of an example. */
const SPLIT = 'dataset_split';

/** Reports whether the assistant has the last word in a chat; the answers of other chats are beside them, for graders. */
const isAnswered = (messages: unknown): boolean => {
  const last: unknown = isList(messages) ? messages.at(-1) : undefined;
  return isObject(last) && last['role'] === 'assistant';
};

/** Reports whether a row has columns of Langfuse, as its Python package names them. */
const isOfLangfuse = (has: (column: string) => boolean, row: Row): boolean =>
  ['dataset_id', 'dataset_name', 'source_trace_id', 'datasetId', 'datasetName', 'sourceTraceId'].some(has) ||
  row['status'] === 'ACTIVE' ||
  row['status'] === 'ARCHIVED';

const INPUTS = /^inputs?\./;
const REFERENCES = /^(?:reference_outputs?|expected|expected_outputs?|reference)\./;
const OUTPUTS = /^outputs?\./;
const METADATA = /^metadata\./;

const dotted = (row: Row, prefix: RegExp): string[] =>
  Object.keys(row).filter((column) => prefix.test(column));

const prefixed = (row: Row, prefix: string): string[] =>
  Object.keys(row).filter((column) => column.startsWith(prefix));

/** Returns the format of a row and where its fields are; null if it is none of another tool. */
export function recognise(row: Row): Recognised | null {
  const has = (column: string): boolean => Object.hasOwn(row, column);
  const format = FORMATS.find(({ matches }) => matches(has, row));
  return format ? { format: format.name, sources: format.sources(has, row) } : null;
}

/** Returns a row of a table as its format has it: the cells of some contain objects, lists and texts in quotes. */
export function rowOfTable(row: Row): Row {
  const values = withCellValues(row);
  const has = (column: string): boolean => Object.hasOwn(row, column);
  const format = FORMATS.find(({ hasValues, matches }) => matches(has, hasValues ? values : row));
  return format?.hasValues ? values : row;
}
