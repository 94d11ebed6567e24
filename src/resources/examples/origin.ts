import type { Database } from '../../storage/database.ts';
import { isErasedTrace } from '../../traces/delete.ts';
import { isUuid, otelTraceUuid, parseId } from '../../traces/ids.ts';
import { keyOfTrace } from './trace-names.ts';

/**
 * The origin of an example is the trace whose texts it has. It is known from the trace that the example was made of, and
 * for copies from their key, and it stays when that trace is deleted.
 */

const KEY_PREFIX = keyOfTrace('');

/** Returns the trace that a key names; null for other keys. */
export function originOfKey(key: string | null | undefined): Uint8Array | null {
  const id = key?.startsWith(KEY_PREFIX) ? key.slice(KEY_PREFIX.length).toLowerCase() : '';
  return isUuid(id) ? parseId(id) : null;
}

/** Reports whether a key names a trace that was erased, whose texts must not come back by an old copy. */
export function isOfErasedTrace(
  database: Database,
  { application, key }: { application: number; key: string | null | undefined },
): boolean {
  const origin = originOfKey(key);
  return origin !== null && isErasedTrace(database, application, origin);
}
export const ERASED_KEY = 'names a trace that was erased';

/** SQL for an origin that is the trace `:traceId`; copies know its uuid only, `:shownId` in bytes. */
export const IS_ORIGIN = 'IN (:traceId, :shownId)';
export const originArgs = (traceId: Uint8Array): { traceId: Uint8Array; shownId: Uint8Array } => ({
  traceId,
  shownId: parseId(otelTraceUuid(traceId)),
});
