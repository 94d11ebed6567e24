import { asIs, bytes, flag, json, nullable, number, text, time } from '../../storage/column.ts';
import { record, table } from '../../storage/record.ts';
import { traceReference } from '../traces/trace-reference.ts';

const content = {
  prompt: text,
  isObject: flag,
  expected: nullable(json<unknown>()),
  rubric: nullable(text),
  rubrics: nullable(json<Record<string, string>>()),
  assertions: nullable(json<Record<string, unknown>[]>()),
  metadata: nullable(json<Record<string, unknown>>()),
  tags: json<string[]>(),
  split: nullable(text),
  weight: number,
  status: asIs<'ACTIVE' | 'ARCHIVED' | 'WRITTEN'>(),
  version: number,
};

const columns = {
  taskId: text,
  position: number,
  key: nullable(text),
  ...content,
  traceId: nullable(traceReference),
};
export const examples = record('example', 'example', columns);
/** Columns for inserts: the origin is never shown. */
export const newExamples = record('example', 'example', { ...columns, origin: nullable(bytes) });

/** Earlier versions of examples. */
export const exampleVersions = table(
  'example_version',
  'version',
  { exampleId: text, ...content, replacedAt: time },
  'exampleId',
);

export const contentFields = examples.pick(...(Object.keys(content) as (keyof typeof content)[]));

/** Columns of an input: the text that is sent, and whether it encodes an object. */
export const promptColumns = (
  input: string | Record<string, unknown>,
): { prompt: string; isObject: boolean } =>
  typeof input === 'string'
    ? { prompt: input, isObject: false }
    : { prompt: JSON.stringify(input), isObject: true };

/** Replaces the columns of the input by the input. */
export function withInput<T extends { prompt: string; isObject: boolean }>({ prompt, isObject, ...rest }: T) {
  return { ...rest, input: isObject ? (JSON.parse(prompt) as Record<string, unknown>) : prompt };
}
