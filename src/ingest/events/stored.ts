import { isUnnamedEnd, type Patch, patchMatch } from './patch.ts';

/** Query for the stored state of one trace. */
export interface StoredQuery {
  traceId: Buffer;
  /** Ids of spans to return if they are stored, and of ends without id that may have closed one. */
  spanIds: Buffer[];
  /** Open starts to find: the oldest of each key, until `limit` of them are not in `touched`. */
  matches: { key: Buffer; limit: number }[];
  /**
   * Ids of `llm` steps of the call that may be among the stored open starts and are then not available for closing.
   */
  touched: Buffer[];
}

/** Stored state of one trace; all ids and keys are in hex. */
export interface StoredNative {
  /** Span messages by span id: the queried ones, and those that the other two fields refer to. */
  spans: Map<string, Buffer>;
  /** Id of an end without id → span id of the start it closed. */
  aliases: Map<string, string>;
  /** Match key → span ids of open starts, oldest first. */
  open: Map<string, string[]>;
}

const NOTHING: StoredNative = { spans: new Map(), aliases: new Map(), open: new Map() };

export type FindStored = (queries: StoredQuery[]) => Promise<StoredNative[]>;

/**
 * Looks up the stored state of all traces at once, by trace id in hex. Skips traces that cannot be stored or are not
 * needed.
 */
export async function lookUpStored(
  patches: readonly Patch[],
  findStored: FindStored,
): Promise<Map<string, StoredNative>> {
  const wanted = new Map<string, Wanted>();
  for (const patch of patches) {
    if (!patch.isNewTrace) collect(wanted, patch);
  }
  if (wanted.size === 0) return new Map();
  const queries = [...wanted.values()].map(toQuery);
  const found = await findStored(queries);
  return new Map([...wanted.keys()].map((traceId, place) => [traceId, found[place] ?? NOTHING]));
}

interface Wanted {
  traceId: Buffer;
  spanIds: Map<string, Buffer>;
  /** Number of ends without id, by match key in hex. */
  ends: Map<string, number>;
  touched: Map<string, Buffer>;
}

function collect(wanted: Map<string, Wanted>, patch: Patch): void {
  // A complete step without id, if stored, has exactly the bytes that it has now.
  if (!patch.isNamed && patch.phase === 'whole') return;
  const traceId = patch.traceId.toString('hex');
  const spanId = patch.spanId.toString('hex');
  const trace = wanted.get(traceId) ?? newWanted(patch.traceId);
  wanted.set(traceId, trace);
  trace.spanIds.set(spanId, patch.spanId);
  if (!isUnnamedEnd(patch)) trace.touched.set(spanId, patch.spanId);
  else {
    const key = patchMatch(patch).toString('hex');
    trace.ends.set(key, (trace.ends.get(key) ?? 0) + 1);
  }
}

function newWanted(traceId: Buffer): Wanted {
  return { traceId, spanIds: new Map(), ends: new Map(), touched: new Map() };
}

function toQuery({ traceId, spanIds, ends, touched }: Wanted): StoredQuery {
  const matches = [...ends].map(([key, limit]) => ({ key: Buffer.from(key, 'hex'), limit }));
  return { traceId, spanIds: [...spanIds.values()], matches, touched: [...touched.values()] };
}
