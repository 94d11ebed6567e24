/** Caches resources and scopes, which the spans of a request share and senders repeat in every request. */
import { hash } from 'node:crypto';
import { CONTEXT_PRECEDENCE } from '../../traces/conventions/context-precedence.ts';
import { truncate } from '../../traces/truncate.ts';
import { isUuid } from '../../traces/ids.ts';
import type { IncomingResource } from '../../traces/span.ts';
import { decodeResource } from '../../traces/span-wire.ts';
import { WIRE_BYTES, WireError, WireReader } from '../../traces/wire/reader.ts';
import { checkResource, checkScope, MAX_PIECES } from './check-message.ts';

const MAX_ENVIRONMENT = 256;
const isFilled = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
/**
 * Limits of the cache: envelopes of each kind, and bytes of one, 2 MiB in total. The least recently used one is
 * dropped first.
 */
const MAX_KEPT = 256;
const MAX_KEPT_BYTES = 4_096;

export interface ReadResource {
  resource: IncomingResource;
  /** True if its `service.test.id` is not a uuid. */
  hasInvalidTestId: boolean;
}

const resources = new Map<string, ReadResource>();
const scopes = new Map<string, Buffer>();

/**
 * Returns the resource of a ResourceSpans message. `bytes` is the message without its scope_spans, `key` the same as
 * latin1 text. Throws WireError when it is malformed.
 */
export function findResource(key: string, bytes: Buffer): ReadResource {
  return kept(resources, key, (own) => readResource(own), bytes);
}

/** Returns a ScopeSpans message without its spans: the same buffer for the same content. Throws WireError. */
export function findScope(key: string, bytes: Buffer): Buffer {
  const check = (own: Buffer): Buffer => {
    checkScope(own);
    return own;
  };
  return kept(scopes, key, check, bytes);
}

function kept<T>(known: Map<string, T>, key: string, read: (own: Buffer) => T, bytes: Buffer): T {
  const found = known.get(key);
  if (found !== undefined) {
    known.delete(key);
    known.set(key, found);
    return found;
  }
  if (key.length > MAX_KEPT_BYTES) return read(bytes);
  // A copy, because a cached slice would keep the complete body in memory.
  const made = read(Buffer.from(bytes));
  const [oldest] = known.keys();
  if (known.size >= MAX_KEPT && oldest !== undefined) known.delete(oldest);
  known.set(key, made);
  return made;
}

function readResource(bytes: Buffer): ReadResource {
  const pieces: Buffer[] = [];
  const reader = new WireReader(bytes);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === ((1 << 3) | WIRE_BYTES)) {
      if (pieces.length === MAX_PIECES) throw new WireError(`a resource in more than ${MAX_PIECES} pieces`);
      pieces.push(reader.bytes());
    } else reader.skip(tag);
  }
  // A repeated message is merged, which equals parsing its concatenated pieces.
  const message = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
  checkResource(message);
  const { attributes } = decodeResource(message);
  const name = attributes['service.name'];
  const service = typeof name === 'string' ? name : '';
  const id = attributes['service.test.id'] ?? null;
  const text = typeof id === 'string' ? id.trim().toLowerCase() : '';
  const testId = isUuid(text) ? text : null;
  const stage = CONTEXT_PRECEDENCE.environment.map((key) => attributes[key]).find(isFilled);
  const environment = stage === undefined ? null : truncate(stage, MAX_ENVIRONMENT);
  const digest = hash('sha256', bytes, 'buffer').subarray(0, 16);
  return {
    resource: { bytes, hash: digest, service, testId, environment },
    hasInvalidTestId: id !== null && testId === null,
  };
}
