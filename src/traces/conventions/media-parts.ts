import type { JsonValue } from '../span-wire.ts';
import { base64Size, byteCount, dataUriBytes, isBase64, isBase64Uri } from './data-uri.ts';
import type { JsonObject } from './json.ts';
import { defined, memberOf, objectMember, textMember } from './members.ts';
import { rememberSent } from './inline-media.ts';
import type { Media } from './message.ts';

/** Media types by the `type` (or `modality`) of a part that is not text. */
const TYPES: ReadonlyMap<string, Media['type']> = new Map<string, Media['type']>([
  ['image', 'image'],
  ['image_url', 'image'],
  ['input_image', 'image'],
  ['output_image', 'image'],
  ['image_generation_call', 'image'],
  ['audio', 'audio'],
  ['audio_url', 'audio'],
  ['input_audio', 'audio'],
  ['output_audio', 'audio'],
  ['video', 'video'],
  ['video_url', 'video'],
  ['input_video', 'video'],
  ['file', 'file'],
  ['input_file', 'file'],
  ['document', 'file'],
  ['media', 'file'],
  ['blob', 'file'],
  ['uri', 'file'],
]);

/** Members of a part that contain the media as an object. */
const HOLDERS = ['source', 'image_url', 'input_audio', 'audio_url', 'video_url', 'file'];
/** Members of a part without a `type` that contain the media. */
const UNTYPED_HOLDERS = ['inlineData', 'inline_data', 'fileData', 'file_data', 'media'];
const ADDRESS_KEYS = ['uri', 'url', 'image_url', 'audio_url', 'video_url', 'file_url', 'fileUri', 'file_uri'];
const DATA_KEYS = ['data', 'content', 'bytes', 'image', 'audio', 'video', 'file', 'file_data', 'result'];
const MIME_KEYS = ['mimeType', 'mime_type', 'mediaType', 'media_type', 'contentType'];

/** Length up to which a text is kept where bytes are expected, because it may be a placeholder. */
const SHORT = 100;

/** Reads the address or the size of a media part; undefined if it has neither. */
export function readMedia(part: JsonObject): Media | undefined {
  const type = textMember(part, 'type');
  if (type === undefined) return readUntyped(part);
  const named = TYPES.get(type);
  return named && mediaOf(part, objectMember(part, ...HOLDERS) ?? part, named);
}

/** Replaces the media bytes in a value by a note with their type and size. */
export function withoutBytes(value: JsonValue): JsonValue {
  if (typeof value === 'string') return isBase64Uri(value) ? note(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutBytes);
  const entries = Object.entries(value).map(([key, item]): [string, JsonValue] => [
    key,
    isBytesMember(value, key) && isLongBase64(item) ? note(item) : withoutBytes(item),
  ]);
  return Object.fromEntries(entries);
}

/** Reads a part without a type: `{ inlineData: { mimeType, data } }`, `{ image: { format, source: { bytes } } }`. */
function readUntyped(part: JsonObject): Media | undefined {
  const holder = objectMember(part, ...UNTYPED_HOLDERS);
  if (holder) return mediaOf(part, holder, 'file');
  const type = (['image', 'audio', 'video'] as const).find((key) => objectMember(part, key));
  const named = type && objectMember(part, type);
  const source = named && objectMember(named, 'source');
  return source && mediaOf(named, source, type);
}

function mediaOf(part: JsonObject, fields: JsonObject, named: Media['type']): Media | undefined {
  const place = placeOf(fields);
  const fileId = textMember(fields, 'file_id', 'fileId', ...(fields['source_type'] === 'id' ? ['id'] : []));
  if (place === undefined && fileId === undefined) return undefined;
  const format = named === 'file' ? undefined : textMember({ ...part, ...fields }, 'format');
  const mimeType =
    place?.mimeType ??
    textMember(fields, ...MIME_KEYS) ??
    textMember(part, ...MIME_KEYS) ??
    (format && `${named}/${format}`);
  const type = named === 'file' ? finerType(textMember(part, 'modality') ?? mimeType) : named;
  const media: Media = {
    type,
    ...defined<Pick<Media, 'uri' | 'fileId' | 'mimeType' | 'size'>>({
      uri: place?.uri,
      fileId,
      mimeType,
      size: place?.size,
    }),
  };
  if (place?.sent !== undefined) rememberSent(media, place.sent);
  return media;
}

interface Place extends Pick<Media, 'uri' | 'mimeType' | 'size'> {
  /** Bytes as they were sent. */
  sent?: JsonValue;
}

function placeOf(fields: JsonObject): Place | undefined {
  for (const key of [...ADDRESS_KEYS, ...DATA_KEYS]) {
    const value = memberOf(fields, key);
    if (value === undefined) continue;
    const place = typeof value === 'string' ? placeInText(value, ADDRESS_KEYS.includes(key)) : sizeOf(value);
    if (place !== undefined) return place;
  }
  const size = memberOf(fields, 'size');
  return typeof size === 'number' ? { size } : undefined;
}

function placeInText(text: string, addressExpected: boolean): Place | undefined {
  const bytes = dataUriBytes(text);
  if (bytes) return { ...bytes, sent: text };
  if (/^[a-z][\w+.-]*:/i.test(text)) return { uri: text };
  if (isBase64(text) && (text.length > SHORT || !addressExpected))
    return { size: base64Size(text), sent: text };
  return addressExpected ? { uri: text } : undefined;
}

function sizeOf(value: JsonValue): Place | undefined {
  const size = byteCount(value);
  return size === undefined ? undefined : { size, sent: value };
}

function finerType(modalityOrMimeType = ''): Media['type'] {
  const [type = ''] = modalityOrMimeType.split('/', 1);
  return TYPES.get(type) ?? 'file';
}

/** Reports whether a member of an object that no rule knows is where objects of its kind keep their bytes. */
function isBytesMember(object: JsonObject, key: string): boolean {
  if (key === 'bytes' || ADDRESS_KEYS.includes(key)) return true;
  const type = textMember(object, 'type') ?? '';
  const isMedia =
    TYPES.has(type) || type === 'base64' || memberOf(object, ...MIME_KEYS, 'format') !== undefined;
  return isMedia && DATA_KEYS.includes(key);
}

function isLongBase64(value: JsonValue): value is string {
  return typeof value === 'string' && value.length > SHORT && isBase64(value);
}

function note(bytes: string): JsonValue {
  const { mimeType, size } = dataUriBytes(bytes) ?? { size: base64Size(bytes) };
  return { type: finerType(mimeType), ...(mimeType !== undefined && { mimeType }), size };
}
