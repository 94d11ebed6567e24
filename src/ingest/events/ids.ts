import { createHash } from 'node:crypto';
import type { AttributeValue } from './draft.ts';

const SPAN_ID = /^(?!0{16})[0-9a-f]{16}$/;

/** The span that holds what `trace` events say about their whole trace. */
export function traceSpanId(traceId: Buffer): Buffer {
  return firstSpanId((salt) => digest('trace', traceId, salt));
}

/** The span of the step a sender calls `id`: a text that looks like a span id is one, any other is hashed. */
export function stepSpanId(traceId: Buffer, id: string): Buffer {
  const taken = traceSpanId(traceId);
  if (SPAN_ID.test(id)) {
    const spanId = Buffer.from(id, 'hex');
    if (!spanId.equals(taken)) return spanId;
  }
  return firstSpanId((salt) => digest(traceId, 'step', id, salt), taken);
}

/** The span of a step without id, by all it says; `ordinal` tells apart those that say the same in one call. */
export function unnamedSpanId(traceId: Buffer, content: Buffer, ordinal: number): Buffer {
  return firstSpanId(
    (salt) => digest(traceId, 'unnamed', content, String(ordinal), salt),
    traceSpanId(traceId),
  );
}

/** An `llm` end without id closes a start of the same key. */
export function matchKey(
  traceId: Buffer,
  model: AttributeValue,
  name: AttributeValue,
  group: AttributeValue | null,
): Buffer {
  return digest(traceId, JSON.stringify([model, name, group])).subarray(0, 16);
}

/** The first hash whose first eight bytes are neither all zero nor `taken`. */
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
