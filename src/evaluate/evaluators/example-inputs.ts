import type { JsonValue } from '../../traces/span-wire.ts';
import type { DeterministicEvaluator } from '../evaluator.ts';
import { schemaMismatch } from './assertions/json-schema.ts';

/** Type of the only definition that the service makes itself; no definition of a user has it. */
export const EXAMPLE_INPUTS = 'EXAMPLE_INPUTS';

/**
 * Compares inputs of examples, which are the output of its subject, with a JSON Schema. `results` is `{ faults }`: for
 * each input why it does not match, or null. It is an evaluator because a pattern of the schema may run forever.
 */
export const exampleInputs: DeterministicEvaluator = {
  judgedBy: 'rule',
  reads: () => ['output'],
  evaluate({ output }, { config }) {
    const schema = config['schema'] as object;
    const faults = (output as JsonValue[]).map((input) => schemaMismatch(schema, input));
    return { status: 'COMPLETED', score: 1, normalised: 1, passed: true, results: { faults }, reason: null };
  },
};
