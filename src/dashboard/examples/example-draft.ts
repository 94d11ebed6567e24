import type { Example, Task, UpdateExampleBody } from '../../api/generated/schema.ts';
import { formatJson, parseAnyJson, parseJsonObject } from '../ui/json-field.ts';

/** Fields of an example as their form shows them. */
export interface ExampleDraft {
  input: string;
  expected: string;
  /** True if the expected output is JSON, false if it is a text. */
  isExpectedJson: boolean;
  rubric: string;
  rubrics: string;
  split: string;
  tags: string;
  key: string;
  weight: string;
  metadata: string;
  status: Example['status'];
}

export const EMPTY_DRAFT: ExampleDraft = {
  input: '',
  expected: '',
  isExpectedJson: false,
  rubric: '',
  rubrics: '',
  split: '',
  tags: '',
  key: '',
  weight: '1',
  metadata: '',
  status: 'ACTIVE',
};

/** Writes a value of an example as text: a string as it is, anything else as JSON. */
export const valueText = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : formatJson(value);

/** Reports whether the input of an example is JSON rather than text. */
export const isJsonInput = (task: Task, example?: Example): boolean =>
  task.simulatedPromptSchema !== null || typeof example?.input === 'object';

export const draftOf = (example: Example): ExampleDraft => ({
  input: valueText(example.input),
  expected: valueText(example.expected),
  isExpectedJson: example.expected !== null && typeof example.expected !== 'string',
  rubric: example.rubric ?? '',
  rubrics: formatJson(example.rubrics),
  split: example.split ?? '',
  tags: example.tags.join(', '),
  key: example.key ?? '',
  weight: String(example.weight),
  metadata: formatJson(example.metadata),
  status: example.status,
});

const MAX_WEIGHT = 1_000;

interface ReadDraft {
  body: Omit<Required<UpdateExampleBody>, 'position' | 'status' | 'assertions'> &
    Pick<UpdateExampleBody, 'status'>;
  /** Says what is wrong with a field. */
  problems: Partial<Record<'input' | 'expected' | 'rubrics' | 'metadata' | 'weight', string | undefined>>;
}

const textsProblem = (value: unknown): string | undefined =>
  Object.values(value ?? {}).every((one) => typeof one === 'string' && one !== '')
    ? undefined
    : 'must have a text for each evaluator';

/** Reads the fields of a form. */
export function readDraft(draft: ExampleDraft, isInputJson: boolean): ReadDraft {
  const input: ReturnType<typeof parseAnyJson> = isInputJson
    ? parseJsonObject(draft.input)
    : { value: draft.input };
  const expected = draft.isExpectedJson ? parseAnyJson(draft.expected) : { value: draft.expected || null };
  const rubrics = parseJsonObject(draft.rubrics);
  const metadata = parseJsonObject(draft.metadata);
  const weight = draft.weight.trim() === '' ? Number.NaN : Number(draft.weight);
  const tags = draft.tags.split(',').map((tag) => tag.trim());
  return {
    problems: {
      input: input.problem,
      expected: expected.problem,
      rubrics: rubrics.problem ?? textsProblem(rubrics.value),
      metadata: metadata.problem,
      weight: weight >= 0 && weight <= MAX_WEIGHT ? undefined : `must be a number from 0 to ${MAX_WEIGHT}`,
    },
    body: {
      input: (input.value ?? '') as UpdateExampleBody['input'] & {},
      expected: expected.value,
      rubric: draft.rubric || null,
      rubrics: rubrics.value as Record<string, string> | null,
      split: draft.split.trim() || null,
      tags: tags.filter((tag) => tag !== ''),
      key: draft.key.trim() || null,
      weight,
      metadata: metadata.value,
      ...(draft.status !== 'WRITTEN' && { status: draft.status }),
    },
  };
}
