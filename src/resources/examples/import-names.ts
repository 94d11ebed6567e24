import type { ImportField } from './import-contract.ts';

/** Names of columns by field, most likely first; compared without case, spaces, `_` and `-`. */
export const NAMES: Readonly<Record<ImportField, readonly string[]>> = {
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
    'referenceanswer',
    'correctanswer',
    'correctlabel',
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

/** Returns a name of a column without what its spelling may vary in. */
export const foldedName = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, '');

/** Returns the first name, by likelihood, that a field may have; undefined if there is none. */
export const namedFor = (field: ImportField, names: readonly string[]): string | undefined =>
  NAMES[field].flatMap((known) => names.find((name) => foldedName(name) === known) ?? [])[0];
