import { createHash } from 'node:crypto';
import type { JsonValue } from '../traces/span-wire.ts';
import type { EvaluatePool } from './evaluate-pool.ts';
import { EXAMPLE_INPUTS } from './evaluators/example-inputs.ts';
import type { Subject } from './subject.ts';

/** Inputs of examples and the JSON Schema that they must match. */
export interface InputsToCheck {
  application: number;
  schema: Readonly<Record<string, unknown>>;
  inputs: readonly JsonValue[];
}

/** Returns for each input why it does not match the schema, or null. Throws `unavailable` when too many calls wait. */
export type CheckInputs = (check: InputsToCheck) => Promise<readonly (string | null)[]>;

const NOTHING: Omit<Subject, 'output'> = {
  input: null,
  documents: [],
  toolCalls: [],
  turns: [],
  spans: [],
  latencyMs: null,
  usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
  cost: null,
  isTruncated: false,
};

/** Returns a function that checks inputs in the threads of evaluators, within their time limit. */
export const inputCheck =
  (evaluatePool: Pick<EvaluatePool, 'evaluateAll'>): CheckInputs =>
  async ({ application, schema, inputs }) => {
    if (inputs.length === 0) return [];
    const definition = {
      definitionId: createHash('sha256').update(JSON.stringify(schema)).digest('hex'),
      version: 1,
      name: 'simulatedPromptSchema',
      type: EXAMPLE_INPUTS,
      config: { schema },
      expected: undefined,
      styleGuide: null,
      repeats: 1,
    };
    const subject = { ...NOTHING, output: [...inputs] };
    const [verdict] = await evaluatePool.evaluateAll({ application, subject, definitions: [definition] });
    if (verdict?.status === 'COMPLETED')
      return (verdict.results['faults'] as (string | null)[]).map((fault) => fault && mustMatch(fault));
    return inputs.map(() => `cannot be compared with the \`simulatedPromptSchema\`: ${verdict?.reason}`);
  };

const mustMatch = (fault: string): string => `must match the \`simulatedPromptSchema\` of the task: ${fault}`;
