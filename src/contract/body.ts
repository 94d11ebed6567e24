import { AppError } from '../errors.ts';
import { measureJson } from './json-limits.ts';

/**
 * Limits of the JSON of a request. Deeper values could overflow the stack when they are written or sent to another
 * thread; more of them occupy the thread that parses them.
 */
const LIMITS = { depth: 200, values: 300_000, members: 50_000 };
const MAY_HOLD_PROTO = /__proto__|\\u005f/i;
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses the JSON of a request; undefined when the body is empty. Throws AppError, also for JSON that could pollute
 * object prototypes.
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  measureJson(bytes, LIMITS);
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

/** Estimates the memory of a parsed body. Throws AppError when it is beyond the limits of `parseJsonBody`. */
export const bodyMemory = (bytes: Uint8Array): number => measureJson(bytes, LIMITS);
