import type { SpanMedia } from '../../traces/span-media.ts';

/** Types that a browser shows without running anything. SVG and HTML are not among them. */
const SAFE_TYPES: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'audio/mpeg',
  'audio/mp4',
  'audio/aac',
  'audio/flac',
  'audio/ogg',
  'audio/wav',
  'audio/webm',
  'video/mp4',
  'video/ogg',
  'video/webm',
]);

/** Other names of safe types. */
const SYNONYMS: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'audio/mp3': 'audio/mpeg',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
};

/** First bytes of common formats, in hexadecimal digits, for media that was sent without its type. */
const SIGNATURES: readonly (readonly [beginning: RegExp, type: string])[] = [
  [/^89504e470d0a1a0a/, 'image/png'],
  [/^ffd8ff/, 'image/jpeg'],
  [/^47494638/, 'image/gif'],
  [/^52494646.{8}57454250/, 'image/webp'],
  [/^52494646.{8}57415645/, 'audio/wav'],
  [/^4f676753/, 'audio/ogg'],
  [/^(?:494433|fffb)/, 'audio/mpeg'],
];

/** Returns headers with which the media of a span, which anyone may have sent, does no harm in a browser. */
export function mediaHeaders({ mimeType, bytes }: SpanMedia, index: number): Record<string, string> {
  const type = mimeType === null ? sniff(bytes) : essenceOf(mimeType);
  const isSafe = SAFE_TYPES.has(type);
  return {
    'content-type': isSafe ? type : 'application/octet-stream',
    'content-disposition': isSafe ? 'inline' : `attachment; filename="media-${index}.bin"`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache',
  };
}

/** Returns a media type without parameters. */
function essenceOf(mimeType: string): string {
  const essence = (mimeType.split(';', 1)[0] as string).trim().toLowerCase();
  return SYNONYMS[essence] ?? essence;
}

function sniff(bytes: Uint8Array): string {
  const beginning = Buffer.from(bytes.subarray(0, 16)).toString('hex');
  return SIGNATURES.find(([signature]) => signature.test(beginning))?.[1] ?? '';
}
