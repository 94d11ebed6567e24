/** Number of bytes at the beginning of a page in which it may declare its encoding. */
const DECLARED_WITHIN = 1_024;
const DECLARED = /<meta[^>]{0,512}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i;

/** Decodes a body by its byte order mark, its content type, its own declaration, else as UTF-8. */
export function decodeText(body: Uint8Array, contentType: string): string {
  const label = markedEncoding(body) ?? labelOf(contentType) ?? declaredEncoding(body);
  return decoderOf(label).decode(body);
}

function markedEncoding([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined;
}

const labelOf = (contentType: string): string | undefined =>
  /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1];

function declaredEncoding(body: Uint8Array): string | undefined {
  const label = DECLARED.exec(Buffer.from(body.subarray(0, DECLARED_WITHIN)).toString('latin1'))?.[1];
  // A declaration that is readable as ASCII cannot be in UTF-16.
  return label?.toLowerCase().startsWith('utf-16') ? 'utf-8' : label;
}

function decoderOf(label = 'utf-8'): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
