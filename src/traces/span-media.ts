import { decodeMedia, hasBytes } from './conventions/inline-media.ts';
import type { Media, Message } from './conventions/message.ts';
import type { DescribedSpan } from './described.ts';

/** An image or the like that was sent within a span. */
export interface SpanMedia {
  mimeType: string | null;
  bytes: Uint8Array;
}

/** Numbers the media parts whose bytes were sent: those of the input first, in the order of the messages. */
export function numberMedia(span: DescribedSpan): void {
  for (const [index, media] of inlineMedia(span).entries()) media.mediaIndex = index;
}

/** Returns the media part with that number, decoded. */
export function mediaAt(span: DescribedSpan, index: number): SpanMedia | null {
  const media = inlineMedia(span)[index];
  const decoded = media && decodeMedia(media);
  // A buffer of its own moves between threads without a copy.
  return decoded ? { mimeType: media.mimeType ?? null, bytes: new Uint8Array(decoded) } : null;
}

function inlineMedia({ fields }: DescribedSpan): Media[] {
  return [fields.inputMessages, fields.outputMessages]
    .flatMap((given) => (given?.value ?? []) as unknown as Message[])
    .flatMap(({ parts }) => parts)
    .filter((part): part is Media => 'type' in part && hasBytes(part as Media));
}
