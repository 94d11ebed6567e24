import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonValue } from '../../../traces/span-wire.ts';
import { truncate } from './assertion.ts';
import { json } from './values.ts';

/** Options of schemas that are used a few times only: fast compilation matters more than fast validation. */
const OPTIONS = {
  strict: false,
  logger: false,
  validateFormats: false,
  addUsedSchema: false,
  inlineRefs: false,
  code: { optimize: false },
} as const;
const DRAFTS = new Map<string, () => Ajv>([
  ['https://json-schema.org/draft/2020-12/schema', () => new Ajv2020(OPTIONS)],
  ['http://json-schema.org/draft-07/schema', () => new Ajv(OPTIONS)],
]);
const [DEFAULT_DRAFT] = DRAFTS.keys();
/** Created when first needed: most threads only load this file. */
const compilers = new Map<() => Ajv, Ajv>();

/** Schemas kept ready to use: the tests of a task come one after another. */
const MAX_KEPT = 100;
const MAX_CHARACTERS = 20_000;
const kept = new Map<string, ValidateFunction>();
/** Schemas that the compilers have been given. They keep parts of each, whatever is removed from them. */
let compiled = 0;

/** Describes why the value does not match, or returns null. Throws when the schema cannot be used. */
export function schemaMismatch(schema: object, value: JsonValue): string | null {
  const validate = validatorOf(schema);
  if (validate(value)) return null;
  const [error] = validate.errors ?? [];
  return error
    ? truncate(`${error.instancePath || 'the value'} ${error.message ?? 'is wrong'}`)
    : 'it is wrong';
}

function validatorOf(schema: object): ValidateFunction {
  const key = JSON.stringify(schema);
  const known = kept.get(key);
  if (known) return known;
  if (++compiled > MAX_KEPT) {
    compiled = 1;
    kept.clear();
    compilers.clear();
  }
  const validate = compile(schema);
  kept.set(key, validate);
  return validate;
}

function compile(schema: object): ValidateFunction {
  const { $id: _, $schema: draft = DEFAULT_DRAFT, ...rest } = schema as Record<string, unknown>;
  const create = DRAFTS.get(String(draft).replace(/#$/, ''));
  if (!create) throw new Error('its $schema is neither draft 2020-12 nor draft-07');
  if (rest['$async'] !== undefined) throw new Error('$async is not supported');
  // Ajv would keep such names, for the schemas of everybody.
  if (JSON.stringify(rest).includes('"$id":"')) throw new Error('$id is supported at its top only');
  const compiler = compilers.get(create) ?? create();
  compilers.set(create, compiler);
  try {
    return compiler.compile(rest);
  } finally {
    // Without this the next schema could refer to it.
    compiler.removeSchema(rest);
  }
}

/** Explains why a schema cannot be used; null if it can. Compiling one may take half a second. */
export function schemaFault(schema: object): string | null {
  try {
    validatorOf(schema);
    return null;
  } catch (error) {
    return truncate(`must be a JSON Schema: ${(error as Error).message}`);
  }
}

/** A JSON Schema that has not been compiled: \`schemaFault\` finds out whether it can be. */
export const jsonSchema = json
  .refine((given) => typeof given === 'object' && given !== null && !Array.isArray(given), {
    error: 'must be an object',
    abort: true,
  })
  .transform((given) => given as object)
  .refine((schema) => JSON.stringify(schema).length <= MAX_CHARACTERS, {
    error: `must have at most ${MAX_CHARACTERS} characters`,
  });
