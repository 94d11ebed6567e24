import type { JsonValue } from '../span-wire.ts';
import { isObject } from '../../contract/is-object.ts';
import type { Media } from './message.ts';

/** The bytes of media parts as they were sent: kept beside the parts, which are shown without them. */
const sentOf = new WeakMap<Media, JsonValue>();

export function rememberSent(media: Media, sent: JsonValue): void {
  sentOf.set(media, sent);
}

/** Reports whether the bytes of a media part were sent along. */
export const hasBytes = (media: Media): boolean => sentOf.has(media);

/** Decodes the bytes of a media part that were sent along; null when there are none. */
export function decodeMedia(media: Media): Buffer<ArrayBuffer> | null {
  const sent = sentOf.get(media);
  if (sent === undefined) return null;
  return typeof sent === 'string' ? decodeText(sent) : Buffer.from(numbersIn(sent));
}

function decodeText(text: string): Buffer<ArrayBuffer> {
  const [head, parameters = ''] = /^data:[^,;\s]*((?:;[^,;\s]*)*),/i.exec(text) ?? [];
  if (head === undefined) return Buffer.from(text, 'base64');
  const data = text.slice(head.length);
  if (/;base64$/i.test(parameters)) return Buffer.from(data, 'base64');
  const bytes = Buffer.from(data).toString('latin1');
  const decoded = bytes.replaceAll(/%([\da-f]{2})/gi, (_escape, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return Buffer.from(decoded, 'latin1');
}

/** Returns the numbers in the JSON of a Buffer, a Uint8Array or a list. */
function numbersIn(value: JsonValue): number[] {
  if (isObject(value) && value['type'] === 'Buffer') return numbersIn(value['data'] ?? null);
  return typeof value === 'object' && value !== null ? (Object.values(value) as number[]) : [];
}
