import { createHash, randomUUID } from 'node:crypto';
import { measureJsonInSteps } from '../contract/json-limits.ts';
import { AppError } from '../errors.ts';
import type { Masker } from '../masking/masker.ts';
import type { Share } from '../runtime/fair-share.ts';
import { eachInTurns, type Steps } from '../runtime/steps.ts';
import type { ThreadCaller } from '../runtime/thread-calls.ts';
import { findAnswer } from '../traces/calls.ts';
import { parseId } from '../traces/ids.ts';
import { REMEMBER_MS } from '../traces/idempotency.ts';
import type { Rejection } from '../traces/ledger.ts';
import { openOwnRules } from '../traces/own-rules/open.ts';
import type { PriceList } from '../traces/prices/price-list.ts';
import type { StoreOutcome } from '../traces/store.ts';
import { STORE_REJECTIONS } from '../traces/store-rejections.ts';
import { Charges } from './charges.ts';
import { COST, DecodeWork, MAX_EVENT_VALUES } from './decode-work.ts';
import { convertEvents } from './events/convert.ts';
import type { EventResult, NativeOutcome } from './events/outcome.ts';
import { wrapSpans } from './events/wrap-spans.ts';
import { findStored } from './find-stored.ts';
import { NamedLocks } from './named-locks.ts';
import { maskEvents } from './mask-events.ts';
import { type Maskers, maskingOutcome, type MaskingOutcome } from './maskers.ts';
import { OtlpDecodeError } from './otlp/decode-error.ts';
import { JsonMembers, type OutlineLevel, readOutline } from './otlp/json-outline.ts';
import { scanTracesInSteps } from './otlp/scan.ts';
import { openBody } from './request-body.ts';
import type { EventsReply, EventsRequest } from './requests.ts';
import {
  requestCountsOf,
  type PreparedSpans,
  prepareSpans,
  storeRequest,
  type StoreRequestDeps,
} from './store-request.ts';

export interface EventPreparerOptions {
  writer: ThreadCaller;
  maxBodyBytes: number;
  prices: PriceList;
  maskers: Maskers;
}

/**
 * Handles calls of `POST /v0/ingest`: their events become spans, merged with those that earlier calls sent for the
 * same steps.
 */
export class EventPreparer {
  private readonly options: EventPreparerOptions;
  private readonly store: StoreRequestDeps;
  /** Locks by trace and Idempotency-Key: of two calls that share one, the later waits for the earlier. */
  private readonly locks = new NamedLocks();

  constructor(options: EventPreparerOptions, store: StoreRequestDeps) {
    this.options = options;
    this.store = store;
  }

  /** `share` is closed by the caller. */
  async events(request: EventsRequest, share: Share): Promise<EventsReply> {
    const charges = new Charges(share);
    const { application, idempotencyKey } = request;
    const { turns } = this.store;
    const started = performance.now();
    const masker = this.options.maskers.open(application, request.masking);
    const { events, requestHash } = await turns.steps(
      application,
      this.parse(request, share, charges, masker),
    );
    const names = [...traceIdsIn(events), ...(idempotencyKey === null ? [] : [`key ${idempotencyKey}`])];
    const ownNames = names.map((name) => `${application} ${name}`);
    return this.locks.run(ownNames, async () => {
      const known = await this.knownAnswer(request, requestHash);
      if (known !== null)
        return {
          counts: { stored: 0, duplicate: 0, replaced: 0, rejected: 0 },
          stored: null,
          response: known,
          masked: [],
          slow: [],
          prepareMs: performance.now() - started,
        };
      const outcome = await convertEvents(
        events,
        newTraceIds(request, requestHash),
        (queries) => findStored({ writer: this.options.writer, turns, application, charges }, queries),
        (work) => turns.steps(application, work),
      );
      const { storeMs, ...stored } = await this.storeEvents(request, share, outcome, requestHash);
      return {
        ...stored,
        prepareMs: performance.now() - started - storeMs,
        ...maskingOutcome(masker),
      };
    });
  }

  private *parse(
    request: EventsRequest,
    share: Share,
    charges: Charges,
    masker: Masker | null,
  ): Steps<{ events: unknown[]; requestHash: Buffer }> {
    const { bytes, work, release } = yield* openBody(request, this.options.maxBodyBytes, share);
    try {
      const onValues = (count: number): void => work.spendValues(count, COST.eventValue);
      const limits = { depth: Number.POSITIVE_INFINITY, values: MAX_EVENT_VALUES, onValues };
      // Others have their turns between inflating, counting and parsing, each of which takes long for a large body.
      if (bytes.length > LARGE_BYTES) yield;
      charges.add(yield* measureJsonInSteps(bytes, limits));
      const events = yield* parseEvents(bytes);
      if (masker) yield* maskEvents(events, masker);
      const hash = createHash('sha256');
      yield* eachInTurns(piecesOf(bytes), (piece) => hash.update(piece));
      return { events, requestHash: hash.digest() };
    } finally {
      release();
    }
  }

  private async storeEvents(
    request: EventsRequest,
    share: Share,
    outcome: NativeOutcome,
    requestHash: Buffer,
  ): Promise<Omit<EventsReply, keyof MaskingOutcome | 'prepareMs'> & { storeMs: number }> {
    const { application, keyId, at, idempotencyKey } = request;
    const prepared = await this.store.turns.steps(application, this.prepare(outcome, request));
    const response = JSON.stringify({ data: outcome.results });
    const { opened, closed, aliases } = outcome;
    const facts = {
      application,
      keyId,
      at,
      native: true,
      rejected: outcome.rejected,
      notices: {},
      rejections: eventRejections(outcome),
      steps: opened.length + closed.length + aliases.length > 0 ? { opened, closed, aliases } : null,
      idempotency: idempotencyKey === null ? null : { key: idempotencyKey, requestHash, response },
    };
    const started = performance.now();
    const stored = await storeRequest({ ...this.store, share }, facts, prepared);
    return {
      storeMs: performance.now() - started,
      counts: requestCountsOf(stored, outcome.rejected),
      stored: stored.traces,
      response:
        stored.rejected.length === 0 ? response : JSON.stringify({ data: rejectTraces(outcome, stored) }),
    };
  }

  private *prepare({ spans: drafts }: NativeOutcome, request: EventsRequest): Steps<PreparedSpans> {
    const { application, ownRules } = request;
    const { mappings: own, prices } = openOwnRules(this.options.prices, application, ownRules);
    const receivedAt = BigInt(request.at) * 1_000_000n;
    const message = wrapSpans(drafts);
    if (message.length > LARGE_BYTES) yield;
    const { spans } = yield* scanTracesInSteps(message, receivedAt, prices, { own });
    for (const [index, span] of spans.entries()) {
      span.events = drafts[index]?.events ?? 1;
      span.completes = drafts[index]?.completes ?? false;
    }
    return prepareSpans(spans, this.store.queue.maxWeight);
  }

  /** Returns the response to an earlier call with the same `Idempotency-Key`; null if there was none. */
  private async knownAnswer(
    { application, idempotencyKey, at }: EventsRequest,
    hash: Buffer,
  ): Promise<string | null> {
    if (idempotencyKey === null) return null;
    const known = (await this.options.writer.call(findAnswer, {
      application,
      key: idempotencyKey,
      since: at - REMEMBER_MS,
    })) as {
      requestHash: Uint8Array;
      response: string;
    } | null;
    if (known === null) return null;
    if (hash.equals(known.requestHash)) return known.response;
    throw new AppError('conflict', 'this Idempotency-Key was used for a request with another body');
  }
}

/** Size of a body whose decoding takes more than one turn. */
const LARGE_BYTES = 256 * 1024;
const PIECE_BYTES = 256 * 1024;

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

const CALL: OutlineLevel = { name: 'calls', lists: new Set(['events']), fields: new Set(), cost: 0 };

/** Parses the events of a call one by one, in steps. */
function* parseEvents(body: Buffer): Steps<unknown[]> {
  try {
    // Its values were counted before.
    const members = membersOf(yield* readOutline(body, [CALL], new DecodeWork()));
    const events: unknown[] = [];
    yield* eachInTurns(Array(members.length).keys(), (index) => events.push(members.parse(index, false)));
    return events;
  } catch (error) {
    throw error instanceof OtlpDecodeError ? new AppError('bad_request', 'the body is not JSON') : error;
  }
}

function membersOf(json: unknown): JsonMembers {
  const events: unknown = typeof json === 'object' && json !== null ? Reflect.get(json, 'events') : undefined;
  if (!(events instanceof JsonMembers)) {
    const message = events === undefined ? 'events is required' : 'events must be an array';
    throw new AppError('invalid', message, { issues: [{ code: 'invalid_type', message, path: ['events'] }] });
  }
  if (events.length === 0 || events.length > MAX_EVENTS) {
    const [code, message] =
      events.length === 0
        ? ['too_small', 'events must contain at least one event']
        : ['too_big', `events must contain at most ${MAX_EVENTS} events`];
    throw new AppError('invalid', message, { issues: [{ code, message, path: ['events'] }] });
  }
  return events;
}

const MAX_EVENTS = 10_000;

/**
 * Returns ids for traces without one. A retried call with an `Idempotency-Key` gets the same ids, so that spans that
 * were stored before an interruption count as duplicates.
 */
function newTraceIds({ application, idempotencyKey }: EventsRequest, requestHash: Buffer): () => Buffer {
  if (idempotencyKey === null) return () => parseId(randomUUID());
  let made = 0;
  return () => {
    const id = createHash('sha256')
      .update(`${application} ${idempotencyKey.length} ${idempotencyKey} ${made++} `)
      .update(requestHash)
      .digest()
      .subarray(0, 16);
    // Sets the version and variant of a random uuid (RFC 9562, section 5.4).
    id[6] = ((id[6] as number) & 0x0f) | 0x40;
    id[8] = ((id[8] as number) & 0x3f) | 0x80;
    return id;
  };
}

/** Returns the trace ids that events contain. New ids occur in no other call. */
function traceIdsIn(events: readonly unknown[]): string[] {
  const ids = new Set<string>();
  for (const event of events) {
    const id: unknown =
      typeof event === 'object' && event !== null ? Reflect.get(event, 'traceId') : undefined;
    if (typeof id === 'string') ids.add(id.toLowerCase());
  }
  return [...ids];
}

function eventRejections({ results, rejected }: NativeOutcome): Rejection[] {
  const [reason] = Object.keys(rejected);
  if (reason === undefined) return [];
  return results
    .filter((result): result is Extract<EventResult, { success: false }> => !result.success)
    .slice(0, 5)
    .map(({ error }) => ({
      source: 'events',
      reason,
      message: error,
      spans: 1,
      traceId: null,
      spanId: null,
    }));
}

/** Marks trace events as failed if the store rejected their trace. */
function rejectTraces({ results }: NativeOutcome, { rejected }: StoreOutcome): EventResult[] {
  const reasons = new Map(rejected.map(({ traceId, reason }) => [traceId, STORE_REJECTIONS[reason]]));
  return results.map((result) => {
    const error =
      result.success && result.id !== undefined ? reasons.get(result.id.replaceAll('-', '')) : undefined;
    return error === undefined ? result : { success: false, error };
  });
}
