import { invalid } from '../../contract/errors.ts';
import { promptObjectOf } from '../../deliver/payload.ts';
import type { CheckInputs } from '../../evaluate/check-inputs.ts';
import type { JsonValue } from '../../traces/span-wire.ts';
import type { NewExampleFields } from './contract.ts';

/** JSON Schema of the prompts of a task; null if these are texts. */
export type PromptSchema = Readonly<Record<string, unknown>> | null;

/** Returns the object that tests send of an input, which may be its JSON text; null if they send a text. */
export const objectOfInput = (input: NewExampleFields['input'], schema: PromptSchema): JsonValue =>
  (typeof input === 'string' ? promptObjectOf(input, schema) : input) as JsonValue;

/** Throws `invalid` if an input is an object that does not match the schema. */
export async function requireValidInput(
  checkInputs: CheckInputs,
  {
    application,
    schema,
    input,
  }: { application: number; schema: PromptSchema; input: NewExampleFields['input'] },
): Promise<void> {
  const object = objectOfInput(input, schema);
  if (schema === null || object === null) return;
  const [fault] = await checkInputs({ application, schema, inputs: [object] });
  if (fault) throw invalid([{ code: 'custom', message: fault, path: ['input'] }]);
}

/**
 * Throws `invalid` if input examples of a task are objects that do not match the schema. Those in `known`, which the task
 * already has, are not compared: it can be sent back as it was read.
 */
export async function requireValidInputExamples(
  checkInputs: CheckInputs,
  {
    application,
    schema,
    prompts,
    known = [],
  }: { application: number; schema: PromptSchema; prompts: readonly string[]; known?: readonly string[] },
): Promise<void> {
  if (schema === null) return;
  const inputs = prompts.flatMap((prompt, index) => {
    const object = known.includes(prompt) ? null : objectOfInput(prompt, schema);
    return object === null ? [] : [{ object, index }];
  });
  const faults = await checkInputs({ application, schema, inputs: inputs.map(({ object }) => object) });
  const issues = inputs.flatMap(({ index }, place) => {
    const message = faults[place];
    return message ? [{ code: 'custom' as const, message, path: ['inputExamples', String(index)] }] : [];
  });
  if (issues.length > 0) throw invalid(issues);
}
