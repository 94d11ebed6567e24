import type { JsonValue } from '../span-wire.ts';
import { isObject } from '../../contract/is-object.ts';

/** Bytes that were sent within JSON. */
export interface SentBytes {
  mimeType?: string;
  /** Size of the decoded data, in bytes. */
  size: number;
}

/** Most characters before the data of a `data:` URI. */
const MAX_HEAD = 256;

/** Reports whether any text consists of encoded bytes only. */
export function isBase64Uri(text: string): boolean {
  return /^data:[^,\s]{0,200};base64,/i.test(text);
}

/** Decodes a `data:` URI; undefined for any other text. */
export function dataUriBytes(text: string): SentBytes | undefined {
  const [head, mimeType = '', parameters = ''] =
    /^data:([^,;\s]*)((?:;[^,;\s]*)*),/i.exec(text.slice(0, MAX_HEAD)) ?? [];
  if (head === undefined) return undefined;
  const data = text.slice(head.length);
  const size = /;base64$/i.test(parameters) ? base64Size(data) : percentDecodedSize(data);
  return { ...(mimeType !== '' && { mimeType }), size };
}

/** Reports whether a text consists of encoded bytes, in a place where bytes or an address are expected. */
export function isBase64(text: string): boolean {
  return /^[\w+/=\r\n-]+$/.test(text.slice(0, 200));
}

export function base64Size(text: string): number {
  return Buffer.byteLength(text.replaceAll(/\s/g, ''), 'base64');
}

/** Counts the bytes in the JSON of a Buffer, a Uint8Array or a list of numbers; undefined for other values. */
export function byteCount(value: JsonValue): number | undefined {
  if (isObject(value) && value['type'] === 'Buffer') return byteCount(value['data'] ?? null);
  if (typeof value !== 'object' || value === null) return undefined;
  const bytes = Array.isArray(value) ? value : '0' in value ? Object.values(value) : [];
  return bytes.length > 0 && bytes.every((byte) => typeof byte === 'number') ? bytes.length : undefined;
}

function percentDecodedSize(data: string): number {
  return Buffer.byteLength(data.replaceAll(/%[\da-f]{2}/gi, '.'));
}
