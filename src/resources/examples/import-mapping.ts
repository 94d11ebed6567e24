import {
  type GivenMapping,
  type ImportField,
  type ImportMapping,
  IMPORT_FIELDS,
  type ImportSource,
} from './import-contract.ts';
import type { Recognised } from './import-formats.ts';
import { columnsTaken } from './import-value.ts';

/** Names of columns by field, most likely first; compared without case, spaces, `_` and `-`. */
const NAMES: Readonly<Record<ImportField, readonly string[]>> = {
  input: [
    'input',
    'prompt',
    'question',
    'query',
    'userinput',
    'instruction',
    'utterance',
    'text',
    'message',
    'vars',
    'inputs',
  ],
  expected: [
    'expected',
    'expectedoutput',
    'expectedanswer',
    'expectedresponse',
    'groundtruth',
    'reference',
    'referenceoutput',
    'ideal',
    'answer',
    'target',
    'label',
    'output',
    'response',
    'completion',
    'assert',
  ],
  expectedJson: ['expectedjson'],
  key: ['key', 'id', 'exampleid', 'itemid', 'externalid'],
  rubric: ['rubric', 'criteria', 'criterion'],
  rubrics: ['rubrics'],
  assertions: ['assertions'],
  metadata: ['metadata'],
  tags: ['tags', 'labels'],
  split: ['split', 'subset'],
  weight: ['weight'],
  status: [],
};

const folded = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '');

/**
 * Completes the mapping: by the format of the rows, else by guessing columns of fields that it does not name; a guessed column has
 * one field at most.
 */
export function guessMapping(
  columns: readonly string[],
  given: GivenMapping,
  recognised: Recognised | null = null,
): ImportMapping {
  const chosen = Object.entries(given).filter(
    (pair): pair is [ImportField, string | string[]] => pair[1] !== null,
  );
  const mapping: ImportMapping = Object.fromEntries(chosen);
  if (recognised) {
    for (const [field, source] of Object.entries(recognised.sources) as [
      ImportField,
      ImportSource | undefined,
    ][])
      if (given[field] === undefined && source !== undefined && source.length > 0) mapping[field] = source;
    return mapping;
  }
  const taken = new Set(Object.values(mapping).flatMap((source) => columnsTaken(columns, source)));
  for (const field of IMPORT_FIELDS) {
    if (given[field] !== undefined) continue;
    const free = columns.filter((column) => !taken.has(column));
    const [column] = NAMES[field].flatMap((name) => free.find((one) => folded(one) === name) ?? []);
    if (column === undefined) continue;
    mapping[field] = column;
    taken.add(column);
  }
  return mapping;
}
