import type { JsonValue } from '../span-wire.ts';
import { isObject } from './json.ts';

/** Bytes that were sent within JSON. */
export interface SentBytes {
  mimeType?: string;
  /** Of the decoded data, in bytes. */
  size: number;
}

/** What stands before the data of a `data:` URI is short. */
const MAX_HEAD = 256;

/** Whether a text, wherever it stands, is bytes and nothing else. */
export function isBase64Uri(text: string): boolean {
  return /^data:[^,\s]{0,200};base64,/i.test(text);
}

/** What a `data:` URI holds; undefined for any other text. */
export function dataUriBytes(text: string): SentBytes | undefined {
  const [head, mimeType = '', parameters = ''] =
    /^data:([^,;\s]*)((?:;[^,;\s]*)*),/i.exec(text.slice(0, MAX_HEAD)) ?? [];
  if (head === undefined) return undefined;
  const data = text.slice(head.length);
  const size = /;base64$/i.test(parameters) ? base64Size(data) : percentDecodedSize(data);
  return { ...(mimeType !== '' && { mimeType }), size };
}

/** Whether a text that stands where bytes or an address are expected is bytes. */
export function isBase64(text: string): boolean {
  return /^[\w+/=\r\n-]+$/.test(text.slice(0, 200));
}

export function base64Size(text: string): number {
  return Buffer.byteLength(text.replaceAll(/\s/g, ''), 'base64');
}

/** How many bytes there are in what JSON makes of a Buffer, a Uint8Array or a list of numbers; undefined for else. */
export function byteCount(value: JsonValue): number | undefined {
  if (isObject(value) && value['type'] === 'Buffer') return byteCount(value['data'] ?? null);
  if (typeof value !== 'object' || value === null) return undefined;
  const bytes = Array.isArray(value) ? value : '0' in value ? Object.values(value) : [];
  return bytes.length > 0 && bytes.every((byte) => typeof byte === 'number') ? bytes.length : undefined;
}

function percentDecodedSize(data: string): number {
  return Buffer.byteLength(data.replaceAll(/%[\da-f]{2}/gi, '.'));
}
