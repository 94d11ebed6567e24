import { AppError } from '../errors.ts';

/**
 * Deepest nesting of JSON. Deeper values could overflow the stack when they are written or sent to another thread.
 */
const MAX_DEPTH = 200;
/** Most members of all objects of a body: parsing many distinct names takes long, and nothing else runs meanwhile. */
const MAX_MEMBERS = 50_000;
const MAY_HOLD_PROTO = /__proto__|\\u005f/i;
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses the JSON of a request; undefined when the body is empty. Throws AppError, also for JSON that could pollute
 * object prototypes.
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  const { depth, members } = shapeOf(bytes);
  if (depth > MAX_DEPTH)
    throw new AppError('bad_request', `The body is nested deeper than ${MAX_DEPTH} levels`);
  if (members > MAX_MEMBERS)
    throw new AppError('bad_request', `The body has ${members} members, more than ${MAX_MEMBERS}`);
  let isPoisoned = false;
  let value: unknown;
  try {
    const text = decoder.decode(bytes);
    value = MAY_HOLD_PROTO.test(text)
      ? JSON.parse(text, (key, item: unknown) => {
          isPoisoned ||= key === '__proto__';
          return item;
        })
      : JSON.parse(text);
  } catch {
    throw new AppError('bad_request', 'The body is not valid JSON');
  }
  if (isPoisoned) throw new AppError('bad_request', 'The body has a property named __proto__');
  return value;
}

/** Approximate memory of an object or array in a parsed document, and of a value in one. */
const CONTAINER_BYTES = 64;
const VALUE_BYTES = 16;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const COMMA = 0x2c;

/** Estimates the memory of a parsed JSON document. The estimate never falls when values are added. */
export function jsonMemory(bytes: Uint8Array): number {
  let memory = bytes.length;
  for (const byte of bytes) {
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) memory += CONTAINER_BYTES;
    else if (byte === COMMA) memory += VALUE_BYTES;
  }
  return memory;
}

/** Returns the deepest nesting of a JSON text, and the number of members of all its objects. */
function shapeOf(bytes: Uint8Array): { depth: number; members: number } {
  let [depth, deepest, members, inString] = [0, 0, 0, false];
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === 0x22) inString = !inString;
    else if (inString) {
      if (byte === 0x5c) i++;
    } else if (byte === 0x5b || byte === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (byte === 0x5d || byte === 0x7d) depth--;
    else if (byte === 0x3a) members += 1;
  }
  return { depth: deepest, members };
}
