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
