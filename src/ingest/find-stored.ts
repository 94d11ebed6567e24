import type { ThreadCaller } from '../runtime/thread-calls.ts';
import { findNativeSteps, readNativeSpans } from '../traces/calls.ts';
import type { NativeAnswer, NativeBlocks, NativeQuery } from '../traces/native-steps.ts';
import { decodePayload, type PayloadSpan } from '../traces/payload.ts';
import { decodeSkeleton, WantedSpans } from '../traces/skeleton.ts';
import type { Charges } from './charges.ts';
import type { StoredNative, StoredQuery } from './events/stored.ts';
import type { Turns } from './turns.ts';

/** Most traces, spans and open starts that one command looks up. A single match key may exceed it. */
const STEP_LOOKUPS = 2_000;

interface FindStoredDeps {
  writer: Pick<ThreadCaller, 'call'>;
  turns: Turns;
  application: number;
  /** Charged for the copies of stored spans. */
  charges: Pick<Charges, 'add'>;
}

/** Looks up the stored state of the traces of a native call, with several bounded commands. */
export async function findStored(
  { writer, turns, application, charges }: FindStoredDeps,
  queries: readonly StoredQuery[],
): Promise<StoredNative[]> {
  const stored = queries.map((): StoredNative => ({ spans: new Map(), aliases: new Map(), open: new Map() }));
  for (const part of partsOf(queries)) {
    const { answers, ...first } = (await writer.call(findNativeSteps, {
      application,
      queries: part.map(({ query }) => query) satisfies NativeQuery[],
    })) as NativeBlocks & { answers: NativeAnswer[] };
    const answered = part.map(({ place }) => stored[place] as StoredNative);
    for (const [index, { aliases, open }] of answers.entries()) {
      for (const [endId, spanId] of aliases) answered[index]?.aliases.set(endId, spanId);
      for (const [key, spanIds] of open) answered[index]?.open.set(key, spanIds);
    }
    let { blocks, left } = first;
    for (;;) {
      for (const block of blocks) {
        const spans = answered[block.query]?.spans;
        if (spans) await turns.run(application, () => charges.add(openBlock(block, spans)));
      }
      if (left.length === 0) break;
      ({ blocks, left } = (await writer.call(readNativeSpans, {
        application,
        wanted: left,
      })) as NativeBlocks);
    }
  }
  return stored;
}

/** A query or a part of one, and its position among all queries. */
interface Part {
  place: number;
  query: StoredQuery;
}

/** Splits queries into lists of parts with a bounded number of lookups. */
function* partsOf(queries: readonly StoredQuery[]): Generator<Part[]> {
  let parts: Part[] = [];
  let room = STEP_LOOKUPS;
  for (const [place, { traceId, spanIds, matches, touched }] of queries.entries()) {
    let [nextSpan, nextMatch] = [0, 0];
    do {
      if (room <= 0) {
        yield parts;
        [parts, room] = [[], STEP_LOOKUPS];
      }
      room -= 1;
      const query: StoredQuery = {
        traceId,
        spanIds: spanIds.slice(nextSpan, nextSpan + room),
        matches: [],
        touched: [],
      };
      nextSpan += query.spanIds.length;
      room -= query.spanIds.length;
      for (; room > 0 && nextMatch < matches.length; nextMatch++) {
        const match = matches[nextMatch] as StoredQuery['matches'][number];
        query.matches.push(match);
        room -= match.limit;
      }
      if (query.matches.length > 0) query.touched = touched;
      parts.push({ place, query });
    } while (nextSpan < spanIds.length || nextMatch < matches.length);
  }
  if (parts.length > 0) yield parts;
}

/**
 * Adds copies of the queried spans of a block, so that the rest of it is not retained. Returns the size of the
 * copies.
 */
function openBlock(
  { spanIds, skeleton, payload }: NativeBlocks['blocks'][number],
  spans: Map<string, Buffer>,
): number {
  const wanted = new WantedSpans();
  const ids = new Set<string>();
  for (const id of spanIds) {
    wanted.add(id);
    ids.add(Buffer.from(id).toString('hex'));
  }
  const payloads = decodePayload(asBuffer(payload));
  let size = 0;
  for (const { id, index } of decodeSkeleton(asBuffer(skeleton), 0, wanted).spans) {
    if (!ids.has(id)) continue;
    const { bytes } = payloads[index] as PayloadSpan;
    spans.set(id, Buffer.from(bytes));
    size += bytes.length;
  }
  return size;
}

const asBuffer = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, length);
