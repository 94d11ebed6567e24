import { AppError } from '../errors.ts';

/** Most fields of one object. Adding one takes longer the more distinct ones there are. */
export const MAX_FIELDS = 20_000;

/** Limits of a JSON text. */
export interface JsonLimits {
  depth: number;
  /** Objects, arrays, the values in them and the keys of fields. */
  values: number;
  /** Fields of all objects; default: unlimited. Parsing many distinct names takes long. */
  members?: number;
  /** Called now and then with the number of values since the last call; may throw to end the count. */
  onValues?: (count: number) => void;
}

/** Estimated memory of an object or array in a parsed document, of a value in one, and of the key of a field. */
const CONTAINER_BYTES = 64;
const VALUE_BYTES = 16;
const KEY_BYTES = 32;
const STEP = 1_024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Counts what parsing a JSON text would make, and returns an estimate of its memory, with the text itself. The estimate
 * never falls when values are added. Throws AppError `bad_request` beyond a limit; whether the text is JSON is not checked.
 */
export function measureJson(bytes: Uint8Array, limits: JsonLimits): number {
  const { depth: maxDepth, values: maxValues, members: maxMembers, onValues } = limits;
  const fields: number[] = [0];
  let members = 0;
  let memory = bytes.length;
  let [depth, values, reported] = [0, 0, 0];
  for (let i = 0; i < bytes.length; i++) {
    switch (bytes[i]) {
      case QUOTE:
        i = endOfString(bytes, i);
        continue;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (++depth > maxDepth)
          throw new AppError('bad_request', `The body is nested deeper than ${maxDepth} levels`);
        fields[depth] = 0;
        memory += CONTAINER_BYTES;
        values += 1;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (depth > 0) depth -= 1;
        continue;
      case COLON:
        if ((fields[depth] = (fields[depth] as number) + 1) > MAX_FIELDS) throw tooManyFields();
        members += 1;
        memory += KEY_BYTES;
        values += 1;
        break;
      case COMMA:
        memory += VALUE_BYTES;
        values += 1;
        break;
      default:
        continue;
    }
    if (values - reported < STEP) continue;
    if (values > maxValues) throw tooManyValues(maxValues);
    onValues?.(values - reported);
    reported = values;
  }
  if (maxMembers !== undefined && members > maxMembers)
    throw new AppError('bad_request', `The body has ${members} members, more than ${maxMembers}`);
  if (values > maxValues) throw tooManyValues(maxValues);
  onValues?.(values - reported);
  return memory;
}

/** Returns the offset of the quote that ends a string; the length of the text when there is none. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  for (; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === BACKSLASH) at++;
    else if (byte === QUOTE) break;
  }
  return at;
}

export const tooManyFields = (): AppError =>
  new AppError('bad_request', `The body has an object with more than ${MAX_FIELDS} fields`);

const tooManyValues = (most: number): AppError =>
  new AppError('bad_request', `The body has more than ${most} values`);
