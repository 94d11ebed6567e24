import { EVENT_SCOPE_NAME } from '../../traces/event-scope.ts';
import { WireWriter } from '../../traces/wire/writer.ts';

/** Wraps span messages in one OTLP TracesData message, in the same order. */
export function wrapSpans(spans: readonly { bytes: Buffer }[]): Buffer {
  const writer = new WireWriter();
  const resourceSpans = writer.begin(1);
  writer.bytesField(1, Buffer.alloc(0));
  const scopeSpans = writer.begin(2);
  const scope = writer.begin(1);
  writer.stringField(1, EVENT_SCOPE_NAME);
  writer.end(scope);
  for (const { bytes } of spans) writer.bytesField(2, bytes);
  writer.end(scopeSpans);
  writer.end(resourceSpans);
  return writer.toBuffer();
}
