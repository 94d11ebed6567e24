/** Parses the bytes of a request as JSON; every failure is an OtlpDecodeError. */
import { OtlpDecodeError } from './decode-error.ts';

export type ParsedObject = Record<string, unknown>;

/** Pattern of an integer of at most as many digits as 64 bits need. */
const INTEGER = /^-?\d{1,20}$/;

export function parseOtlpJson(text: string): unknown {
  return parse(text, undefined);
}

/** Parses JSON like `parseJson`, but integers that a double would round become bigints; several times slower. */
export function parseJsonExactly(text: string): unknown {
  return parse(text, keepDigits);
}

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? '';
  return INTEGER.test(source) ? BigInt(source) : value;
}

function parse(text: string, reviver: typeof keepDigits | undefined): unknown {
  try {
    return JSON.parse(text, reviver) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) throw new OtlpDecodeError(`the body is not JSON: ${error.message}`);
    // A reviver is called recursively, so the stack bounds how deep it can go.
    if (error instanceof RangeError) throw new OtlpDecodeError('the body is nested too deeply');
    throw error;
  }
}

/** Returns the first of these members that has a value; undefined if none has. */
export function firstOf(json: ParsedObject, names: readonly string[]): unknown {
  for (const name of names) {
    if (json[name] != null) return json[name];
  }
  return undefined;
}
