import type { SharedCount } from '../runtime/shared-count.ts';
import { buildBatch, type SpanBatch } from '../traces/batch.ts';
import type { RememberedAnswer } from '../traces/idempotency.ts';
import type { Rejection } from '../traces/ledger.ts';
import type { NativeSteps } from '../traces/native-steps.ts';
import type { IncomingSpan } from '../traces/span.ts';
import type { StoreOutcome } from '../traces/store.ts';
import { totalCount } from './rejections.ts';
import type { StoredTraces } from '../traces/trace-feed.ts';
import type { SliceShare } from './charge-slice.ts';
import type { RequestCounts } from './requests.ts';
import type { SliceQueue } from './slice-queue.ts';
import { type Slice, sliceSpans } from './slices.ts';
import type { Turns } from './turns.ts';

/** Data of a request besides its spans. */
export interface RequestFacts {
  application: number;
  keyId: string;
  /** Time of arrival, in Unix milliseconds. */
  at: number;
  native: boolean;
  /** Number of spans (native: events) that were rejected earlier, by reason. */
  rejected: Readonly<Record<string, number>>;
  notices: Readonly<Record<string, number>>;
  rejections: readonly Rejection[];
  steps: NativeSteps | null;
  idempotency: RememberedAnswer | null;
}

/** Slices that exceed the weight which the writer can store in time by this factor are split again. */
const TOO_HEAVY = 2;

/** Spans of a request, with the first slice ready for the writer. Most requests have only one slice. */
export interface PreparedSpans {
  slices: readonly Slice[];
  first: SpanBatch;
}

export function prepareSpans(spans: readonly IncomingSpan[], maxWeight: number): PreparedSpans {
  const slices = sliceSpans(spans, maxWeight);
  return { slices, first: buildBatch((slices[0] as Slice).spans) };
}

/** Most traces that are reported of one request. */
const MAX_REPORTED = 1_000;

export interface StoredRequest extends StoreOutcome {
  traces: StoredTraces | null;
}

export interface StoreRequestDeps {
  turns: Turns;
  queue: SliceQueue;
  /** Readers of the feed of changed traces. */
  readers: SharedCount;
}

/**
 * Stores a request slice by slice, and resolves when all of it is durable. If the process dies in between, complete
 * slices remain; the sender has no response and retries, and stored spans then count as duplicates. Each slice is
 * prepared in a turn of its application, while the previous one is stored.
 */
export async function storeRequest(
  { turns, queue, readers, share }: StoreRequestDeps & { share: SliceShare },
  facts: RequestFacts,
  { slices, first }: PreparedSpans,
): Promise<StoredRequest> {
  const total: StoreOutcome = { stored: 0, duplicate: 0, replaced: 0, rejected: [] };
  const stepsLeft = new StepsLeft(facts.steps);
  let storing: Promise<StoreOutcome> | null = null;
  const left = [...slices];
  for (let slice = left.shift(); slice; slice = left.shift()) {
    const isFirst = storing === null;
    if (!isFirst && slice.weight > queue.maxWeight * TOO_HEAVY) {
      left.unshift(...sliceSpans(slice.spans, queue.maxWeight));
      slice = left.shift() as Slice;
    }
    const { spans } = slice;
    const batch = isFirst ? first : await turns.run(facts.application, () => buildBatch(spans));
    if (storing) addOutcome(total, await storing);
    const isLast = left.length === 0;
    const ownFacts = isFirst ? facts : { ...facts, rejected: {}, notices: {}, rejections: [] };
    storing = queue.store(
      {
        ...ownFacts,
        batch,
        requests: isFirst ? 1 : 0,
        received: eventsOf(slice) + totalCount(ownFacts.rejected),
        steps: stepsLeft.of(slice, isLast),
        // The response is stored with the last slice; until then the request may have to be repeated.
        idempotency: isLast ? facts.idempotency : null,
      },
      slice.weight,
      share,
    );
    // The error is thrown where the promise is awaited, possibly after the next slice was prepared.
    storing.catch(() => undefined);
  }
  if (storing) addOutcome(total, await storing);
  return { ...total, traces: readers.value === 0 ? null : tracesOf(slices) };
}

/** Returns the traces of all slices, up to MAX_REPORTED. A trace that exceeds a slice is in several. */
function tracesOf(slices: readonly Slice[]): StoredTraces {
  const ids = new Set(slices.flatMap(({ traceIds }) => traceIds));
  return { traceIds: bytesOf([...ids].slice(0, MAX_REPORTED)), isTruncated: ids.size > MAX_REPORTED };
}

/** Returns ids as bytes of a buffer of their own, because a buffer of a pool would be copied completely to another thread. */
const bytesOf = (ids: readonly string[]): Uint8Array => new Uint8Array(Buffer.from(ids.join(''), 'latin1'));

/**
 * Native steps that are still to be stored. Those of a trace are stored with its first slice: if the request is
 * interrupted there, it can be repeated as if they were not stored, because their spans follow later.
 */
class StepsLeft {
  private left: NativeSteps | null;

  constructor(steps: NativeSteps | null) {
    this.left = steps;
  }

  of(slice: Slice, isLast: boolean): NativeSteps | null {
    const steps = this.left;
    if (steps === null || isLast) {
      this.left = null;
      return steps;
    }
    const traces = new Set(slice.spans.map(({ traceId }) => traceId));
    const isHere = ({ traceId }: { traceId: Uint8Array }): boolean =>
      traces.has(Buffer.from(traceId).toString('latin1'));
    const isLater = (step: { traceId: Uint8Array }): boolean => !isHere(step);
    const { opened, closed, aliases } = steps;
    this.left = {
      opened: opened.filter(isLater),
      closed: closed.filter(isLater),
      aliases: aliases.filter(isLater),
    };
    return {
      opened: opened.filter(isHere),
      closed: closed.filter(isHere),
      aliases: aliases.filter(isHere),
    };
  }
}

function addOutcome(total: StoreOutcome, { stored, duplicate, replaced, rejected }: StoreOutcome): void {
  total.stored += stored;
  total.duplicate += duplicate;
  total.replaced += replaced;
  for (const rejection of rejected) total.rejected.push(rejection);
}

const eventsOf = ({ spans }: Slice): number => spans.reduce((sum, { events }) => sum + events, 0);

/**
 * Counts the spans of a request by outcome. `reasons` includes those rejected earlier and those rejected by the
 * store.
 */
export function requestCountsOf(
  { stored, duplicate, replaced, rejected }: StoreOutcome,
  rejectedBefore: Readonly<Record<string, number>>,
): RequestCounts & { reasons: Record<string, number> } {
  const reasons: Record<string, number> = { ...rejectedBefore };
  for (const { reason, spans } of rejected) reasons[reason] = (reasons[reason] ?? 0) + spans;
  return { stored, duplicate, replaced, rejected: totalCount(reasons), reasons };
}
