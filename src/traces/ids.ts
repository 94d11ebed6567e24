import { AppError } from '../errors.ts';

/**
 * Pattern of a uuid. A trace has an id of 16 bytes, which the REST API shows as a uuid: that of a native trace
 * unchanged, that of an OpenTelemetry trace with the version nibble set to 8 and the variant bits to 10, so that any
 * 16 bytes make a uuid.
 */
const UUID =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$/;

/** Reports whether `text` is a lower-case uuid as the interface defines it. */
export function isUuid(text: string): boolean {
  return text.length === 36 && UUID.test(text);
}

/** Formats any 16 bytes as 8-4-4-4-12 hex digits. */
export function formatUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Returns the 16 bytes of a uuid or of 32 hex digits. */
export function parseId(text: string): Buffer {
  return Buffer.from(text.replaceAll('-', ''), 'hex');
}

/** Returns the uuid as which the REST API shows an OpenTelemetry trace. */
export function otelTraceUuid(traceId: Uint8Array): string {
  const bytes = Buffer.from(traceId);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return formatUuid(bytes);
}

/** Converts a trace id in hex after a digit that marks native traces, whose ids already are uuids. */
export function shownTraceId([native, ...hex]: string): string {
  const id = Buffer.from(hex.join(''), 'hex');
  return native === '1' ? formatUuid(id) : otelTraceUuid(id);
}

/**
 * Returns every 16 bytes that the REST API may show as `id`: the bytes themselves and, for a version-8 uuid, the 64
 * OpenTelemetry ids that differ only in the six bits that `otelTraceUuid` overwrites.
 */
export function traceIdCandidates(id: string): Buffer[] {
  const exact = parseId(id);
  const candidates = [exact];
  const isOtelForm = id.includes('-') && (exact[6] as number) >> 4 === 8 && (exact[8] as number) >> 6 === 2;
  if (!isOtelForm) return candidates;
  for (let version = 0; version < 16; version++) {
    for (let variant = 0; variant < 4; variant++) {
      if (version === 8 && variant === 2) continue;
      const bytes = Buffer.from(exact);
      bytes[6] = ((bytes[6] as number) & 0x0f) | (version << 4);
      bytes[8] = ((bytes[8] as number) & 0x3f) | (variant << 6);
      candidates.push(bytes);
    }
  }
  return candidates;
}

/** Returns the error for a uuid that stands for several stored traces; its message has the 32 hex digits of each. */
export function ambiguousId(traceIds: readonly Uint8Array[]): AppError {
  const ids = traceIds.map((id) => Buffer.from(id).toString('hex')).sort();
  return new AppError(
    'conflict',
    `The id stands for ${ids.length} traces; use the 32 hex digits of the one you mean: ${ids.join(', ')}`,
  );
}
