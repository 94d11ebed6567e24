import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonValue } from '../../../traces/span-wire.ts';
import { truncateReason } from './assertion.ts';
import { jsonValue } from './values.ts';

/**
 * Compiler options for schemas that are used a few times only: compilation must be fast, validation may be slower.
 */
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
/** Created on first use, because most threads never need one. */
const compilers = new Map<() => Ajv, Ajv>();

/** Most compiled schemas that are kept; the tests of one task often follow each other. */
const MAX_KEPT = 100;
const MAX_CHARACTERS = 20_000;
const kept = new Map<string, ValidateFunction>();
/** Schemas compiled so far. A compiler retains parts of each, even of removed ones. */
let compiled = 0;

/** Describes why the value does not match; null when it does. Throws when the schema is invalid. */
export function schemaMismatch(schema: object, value: JsonValue): string | null {
  const validate = validatorOf(schema);
  if (validate(value)) return null;
  const [error] = validate.errors ?? [];
  return error
    ? truncateReason(`${error.instancePath || 'the value'} ${error.message ?? 'is not valid'}`)
    : 'it is not valid';
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
  // Ajv would retain such ids for the schemas of all users.
  if (JSON.stringify(rest).includes('"$id":"')) throw new Error('$id is supported at the top level only');
  const compiler = compilers.get(create) ?? create();
  compilers.set(create, compiler);
  try {
    return compiler.compile(rest);
  } finally {
    // Otherwise the next schema could refer to this one.
    compiler.removeSchema(rest);
  }
}

/** Explains why a schema is invalid; null when it is valid. Compilation may take half a second. */
export function schemaFault(schema: object): string | null {
  try {
    validatorOf(schema);
    return null;
  } catch (error) {
    return truncateReason(`must be a JSON Schema: ${(error as Error).message}`);
  }
}

/** Schema of a JSON Schema that is not compiled here; `schemaFault` checks it. */
export const jsonSchema = jsonValue
  .refine((given) => typeof given === 'object' && given !== null && !Array.isArray(given), {
    error: 'must be an object',
    abort: true,
  })
  .transform((given) => given as object)
  .refine((schema) => JSON.stringify(schema).length <= MAX_CHARACTERS, {
    error: `must have at most ${MAX_CHARACTERS} characters`,
  });
