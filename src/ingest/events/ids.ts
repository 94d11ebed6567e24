import { createHash } from 'node:crypto';
import type { AttributeValue } from './draft.ts';

const SPAN_ID = /^(?!0{16})[0-9a-f]{16}$/;

/** Returns the id of the span that stores what `trace` events report for the complete trace. */
export function traceSpanId(traceId: Buffer): Buffer {
  return firstSpanId((salt) => digest('trace', traceId, salt));
}

/**
 * Returns the span id of a step with the sender's `id`: a text in the form of a span id is used as it is, any other
 * is hashed.
 */
export function stepSpanId(traceId: Buffer, id: string): Buffer {
  const taken = traceSpanId(traceId);
  if (SPAN_ID.test(id)) {
    const spanId = Buffer.from(id, 'hex');
    if (!spanId.equals(taken)) return spanId;
  }
  return firstSpanId((salt) => digest(traceId, 'step', id, salt), taken);
}

/**
 * Returns the span id of a step without id, a hash of its contents. `ordinal` distinguishes steps of equal content in
 * one call.
 */
export function unnamedSpanId(traceId: Buffer, content: Buffer, ordinal: number): Buffer {
  return firstSpanId(
    (salt) => digest(traceId, 'unnamed', content, String(ordinal), salt),
    traceSpanId(traceId),
  );
}

/** Returns the key by which an `llm` end without id finds its start. */
export function matchKey(
  traceId: Buffer,
  model: AttributeValue,
  name: AttributeValue,
  group: AttributeValue | null,
): Buffer {
  return digest(traceId, JSON.stringify([model, name, group])).subarray(0, 16);
}

/** Returns the first eight bytes of the first hash that are neither all zero nor equal to `taken`. */
function firstSpanId(hash: (salt: string) => Buffer, taken?: Buffer): Buffer {
  for (let salt = ''; ; salt += '+') {
    const spanId = hash(salt).subarray(0, 8);
    if (spanId.some((byte) => byte !== 0) && !(taken !== undefined && spanId.equals(taken))) return spanId;
  }
}

export function digest(...parts: (string | Buffer)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
