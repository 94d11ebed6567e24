import { decodePayload, type PayloadSpan } from './payload.ts';
import type { RewriteInput } from './rewrite.ts';
import { decodeSkeleton } from './skeleton.ts';
import { WireWriter } from './wire/writer.ts';

/**
 * Returns the current spans of a trace as one OTLP TracesData message with their resources restored. Spans keep the
 * order of their blocks; those with the same resource and scope are grouped under one of each.
 */
export function currentSpans({ blocks, spanIds, spanBlocks, resources }: RewriteInput): Buffer {
  const ids = Buffer.from(spanIds);
  const blockOf = new Map(spanBlocks.map((block, i) => [ids.toString('hex', i * 8, i * 8 + 8), block]));
  const bytesOf = new Map(resources.map(({ hash, bytes }) => [Buffer.from(hash).toString('hex'), bytes]));
  const writer = new WireWriter(1024 * 1024);
  for (const [, byScope] of grouped(blocks, blockOf)) {
    const resourceSpans = writer.begin(1);
    const first = [...byScope.values()][0]?.[0];
    writer.raw(bytesOf.get(first?.resourceHash.toString('hex') ?? '') ?? Buffer.alloc(0));
    for (const spans of byScope.values()) {
      const scopeSpans = writer.begin(2);
      writer.raw((spans[0] as PayloadSpan).scope);
      for (const { bytes } of spans) writer.bytesField(2, bytes);
      writer.end(scopeSpans);
    }
    writer.end(resourceSpans);
  }
  return writer.toBuffer();
}

/** Spans by resource, then by scope. */
function grouped(
  blocks: RewriteInput['blocks'],
  blockOf: ReadonlyMap<string, number>,
): Map<string, Map<string, PayloadSpan[]>> {
  const groups = new Map<string, Map<string, PayloadSpan[]>>();
  for (const { seq, skeleton, payload } of blocks) {
    const opened = decodePayload(Buffer.from(payload.buffer, payload.byteOffset, payload.length));
    for (const { id, index } of decodeSkeleton(Buffer.from(skeleton), seq).spans) {
      if (blockOf.get(id) !== seq) continue;
      const span = opened[index] as PayloadSpan;
      const resource = span.resourceHash.toString('hex');
      const scope = span.scope.toString('latin1');
      let byScope = groups.get(resource);
      if (!byScope) groups.set(resource, (byScope = new Map<string, PayloadSpan[]>()));
      const spans = byScope.get(scope);
      if (spans) spans.push(span);
      else byScope.set(scope, [span]);
    }
  }
  return groups;
}
