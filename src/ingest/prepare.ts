import { NO_SPANS } from '../traces/ledger.ts';
import type { MessagePort } from 'node:worker_threads';
import type { Masker } from '../masking/masker.ts';
import { FairShare, type Share, TIMES_FREE_MEMORY } from '../runtime/fair-share.ts';
import type { MemoryBudget } from '../runtime/memory-budget.ts';
import { Organisations } from '../runtime/organisations.ts';
import type { ThreadCaller } from '../runtime/thread-calls.ts';
import type { Steps } from '../runtime/steps.ts';
import type { SharedCount } from '../runtime/shared-count.ts';
import { recordRequest } from '../traces/calls.ts';
import { openOwnRules } from '../traces/own-rules/open.ts';
import type { PriceTable } from '../traces/prices/model-price.ts';
import type { PriceList } from '../traces/prices/price-list.ts';
import { EventPreparer } from './prepare-events.ts';
import { prepareLogs } from './prepare-logs.ts';
import { maskOtlp, TRACES_REQUEST } from './mask-otlp.ts';
import { Maskers, maskingOutcome } from './maskers.ts';
import { describeRejectedSpans, describeWrongTimes, maskRejections, spanRejections } from './rejections.ts';
import { openBody } from './request-body.ts';
import type {
  EventsReply,
  EventsRequest,
  LogsReply,
  PrepareCalls,
  PrepareRequest,
  TracesReply,
} from './requests.ts';
import { countJsonMetrics, countProtobufMembers } from './otlp/count-items.ts';
import { readableSteps } from './otlp/readable.ts';
import type { ScannedRequest } from './otlp/scan.ts';
import { scanOtlp } from './otlp/scan-body.ts';
import { rewriteTrace } from './rewrite-trace.ts';
import { SliceQueue } from './slice-queue.ts';
import {
  requestCountsOf,
  type PreparedSpans,
  prepareSpans,
  storeRequest,
  type StoreRequestDeps,
} from './store-request.ts';
import { Turns } from './turns.ts';

/** Data with which a prepare thread is started. */
export interface PrepareThreadData {
  writer: MessagePort;
  budget: { buffer: SharedArrayBuffer; limit: number };
  readers: SharedArrayBuffer;
  organisations: SharedArrayBuffer;
  maxBodyBytes: number;
  prices: PriceTable;
}

export interface PreparerOptions {
  writer: ThreadCaller;
  budget: MemoryBudget;
  /** Readers of the feed of changed traces. */
  readers: SharedCount;
  /** Default: none are known, so that each application is alone. */
  organisations?: Organisations;
  maxBodyBytes: number;
  prices: PriceList;
}

/** Spans of a request. */
interface ScannedSpans {
  scanned: ScannedRequest;
  prepared: PreparedSpans;
  masker: Masker | null;
}

/** Performs every step between the bytes of a request and the store: inflate, decode, map, group, compress, store. */
export class Preparer implements PrepareCalls {
  private readonly options: PreparerOptions;
  private readonly store: StoreRequestDeps;
  private readonly eventPreparer: EventPreparer;
  private readonly maskers = new Maskers();
  private readonly memory: FairShare;

  constructor(options: PreparerOptions) {
    this.options = options;
    const { writer, budget, readers, organisations = new Organisations() } = options;
    this.memory = new FairShare(budget, TIMES_FREE_MEMORY, { groupOf: organisations.groupOf });
    const queue = new SliceQueue(writer, budget, organisations);
    this.store = { turns: new Turns(organisations), queue, readers };
    this.eventPreparer = new EventPreparer({ ...options, maskers: this.maskers }, this.store);
  }

  /** Runs a call from another thread; `body` is the body of a request. */
  async run(name: string, args: unknown, body: Uint8Array | null): Promise<unknown> {
    // The response itself says that the thread has loaded its code.
    if (name === 'ready') return null;
    if (name === 'rewrite') return this.rewrite(args as number);
    const request = Object.assign(args as EventsRequest, { body: body ?? new Uint8Array(0) });
    switch (name) {
      case 'traces':
        return this.traces(request);
      case 'events':
        return this.events(request);
      case 'logs':
        return this.logs(request);
      case 'metrics':
        return this.metrics(request);
      default:
        throw new Error(`unknown call ${name}`);
    }
  }

  /**
   * Runs a request with its share of the memory. All requests of an organisation that are in progress are in one thread, so
   * each thread shares on its own.
   */
  private async withShare<T>(
    { application, body }: PrepareRequest,
    run: (share: Share) => Promise<T>,
  ): Promise<T> {
    const share = this.memory.open(application, body.length);
    try {
      return await run(share);
    } finally {
      share.close();
    }
  }

  traces(request: PrepareRequest): Promise<TracesReply> {
    return this.withShare(request, (share) => this.takeTraces(request, share));
  }

  private async takeTraces(request: PrepareRequest, share: Share): Promise<TracesReply> {
    const { application, keyId, at } = request;
    const started = performance.now();
    const steps = this.scan(request, share);
    const { scanned, prepared, masker } = await this.store.turns.steps(application, steps);
    const prepareMs = performance.now() - started;
    const rejected = Object.fromEntries(scanned.rejected);
    const facts = {
      application,
      keyId,
      at,
      native: false,
      rejected,
      notices: noticesOf(scanned),
      rejections: maskRejections(spanRejections(scanned), masker),
      steps: null,
      idempotency: null,
    };
    const outcome = await storeRequest({ ...this.store, share }, facts, prepared);
    const { reasons, ...counts } = requestCountsOf(outcome, rejected);
    return {
      counts,
      stored: outcome.traces,
      message: [describeRejectedSpans(reasons), describeWrongTimes(scanned)].filter(Boolean).join('; '),
      ...maskingOutcome(masker),
      prepareMs,
    };
  }

  /** Reads a request of spans. Its bytes stay charged until the share closes, because the spans are views of them. */
  private *scan(request: PrepareRequest, share: Share): Steps<ScannedSpans> {
    const { bytes, work } = yield* openBody(request, this.options.maxBodyBytes, share);
    const { application, ownRules } = request;
    const { mappings: own, prices } = openOwnRules(this.options.prices, application, ownRules);
    const options = { receivedAt: BigInt(request.at) * 1_000_000n, prices, work, own };
    const masker = this.maskers.open(request.application, request.masking);
    const mask = masker && ((message: Buffer) => maskOtlp(message, TRACES_REQUEST, masker, work));
    const scanned = yield* scanOtlp(bytes, request.format, options, mask);
    return { scanned, masker, prepared: prepareSpans(scanned.spans, this.store.queue.maxWeight) };
  }

  events(request: EventsRequest): Promise<EventsReply> {
    return this.withShare(request, (share) => this.eventPreparer.events(request, share));
  }

  logs(request: PrepareRequest): Promise<LogsReply> {
    return this.withShare(request, (share) =>
      prepareLogs({ ...this.options, turns: this.store.turns, maskers: this.maskers, share }, request),
    );
  }

  metrics(request: PrepareRequest): Promise<number> {
    return this.withShare(request, (share) => this.takeMetrics(request, share));
  }

  private async takeMetrics(request: PrepareRequest, share: Share): Promise<number> {
    const { application, keyId, at } = request;
    const count = await this.store.turns.steps(application, this.countMetrics(request, share));
    await this.options.writer.call(recordRequest, {
      application,
      keyId,
      at,
      requests: 1,
      ...NO_SPANS,
      notices: count > 0 ? { dropped_metrics: count } : {},
      rejections: [],
    });
    return count;
  }

  private *countMetrics(request: PrepareRequest, share: Share): Steps<number> {
    const { bytes, work } = yield* openBody(request, this.options.maxBodyBytes, share);
    const count = request.format === 'json' ? countJsonMetrics : countProtobufMembers;
    return yield* readableSteps(count(bytes, work), work);
  }

  async rewrite(tkey: number): Promise<boolean> {
    const { writer, prices } = this.options;
    const steps = rewriteTrace(tkey, prices, Date.now());
    let step = steps.next();
    while (!step.done) {
      const { name, args } = step.value;
      step = steps.next(await writer.call(name, args));
    }
    return step.value !== 'again';
  }
}

/** Returns what the ledger counts of a request besides its spans. */
const noticesOf = ({ invalidTestIds, wrongTimes }: ScannedRequest): Record<string, number> => ({
  ...(invalidTestIds > 0 && { invalid_test_id: invalidTestIds }),
  ...(wrongTimes > 0 && { wrong_time_unit: wrongTimes }),
});
