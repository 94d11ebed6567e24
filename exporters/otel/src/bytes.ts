const encoder = new TextEncoder();
const native = (globalThis as { Buffer?: { byteLength: (text: string) => number } }).Buffer;

/** Returns the number of bytes of a text in UTF-8. */
export const byteLength = native ? (text: string): number => native.byteLength(text) : countBytes;

/** Counts without a copy of the text. */
function countBytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    // Each half of a surrogate pair has two of the four bytes of its character.
    bytes += unit < 0x8_00 || (unit >= 0xd8_00 && unit <= 0xdf_ff) ? 1 : 2;
  }
  return bytes;
}

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text);

/** Returns the pieces as one. */
export function concat(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(pieces.reduce((sum, { byteLength: length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.byteLength;
  }
  return joined;
}

/** Returns the bytes that a text in base64 stands for; none if it is no base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

/**
 * Reads a stream to its end. Returns undefined when it has more than `maxBytes`; the rest is then not read, and what came so far
 * is dropped.
 */
export async function readAtMost(
  maxBytes: number,
  stream: ReadableStream<Uint8Array> | null,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (stream === null) return new Uint8Array();
  const reader = stream.getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return concat(pieces);
    length += value.byteLength;
    if (length > maxBytes) {
      void reader.cancel().catch(() => undefined);
      return undefined;
    }
    pieces.push(value);
  }
}
