import { NO_SPANS } from '../traces/ledger.ts';
import { AppError } from '../errors.ts';
import type { Masker } from '../masking/masker.ts';
import type { AppliedRules } from '../masking/rules.ts';
import type { FairShare, Share } from '../runtime/fair-share.ts';
import type { Log } from '../runtime/log.ts';
import { type IngestRejection, SPAN_OUTCOMES } from '../runtime/metric-values.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { OpenCall } from '../runtime/open-calls.ts';
import type { OwnTraces } from '../runtime/own-traces/traces.ts';
import type { Write } from '../storage/calls.ts';
import { recordRequest } from '../traces/calls.ts';
import type { AppliedOwnRules } from '../traces/own-rules/store.ts';
import type { TraceFeed } from '../traces/trace-feed.ts';
import { ClientGone } from './http-body.ts';
import type { MaskingOutcome } from './maskers.ts';
import { maskRejections } from './rejections.ts';
import type { OtlpSignal, PartialSuccess } from './otlp/response.ts';
import type { RequestCounts, EventsReply, EventsRequest, PrepareCalls, PrepareRequest } from './requests.ts';

/** Identity of the sender of a request. */
export interface Sender {
  application: number;
  keyId: string;
}

/** A request before its body, whatever its protocol. */
export interface RequestHead {
  id: string;
  method: string;
  /** Path with its query. */
  path: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Address of the other end of the connection; '' if it is closed. */
  peer: string;
}

/** A sender that is authenticated, and the watch over its permission while the request lasts. */
export interface AuthenticatedSender {
  sender: Sender;
  call: OpenCall;
}

/** Authenticates the sender of a request and checks its permission; throws AppError. */
export type AuthenticateSender = (head: RequestHead) => Promise<AuthenticatedSender>;

/** Endpoint in metrics: OTLP over HTTP, OTLP over gRPC, native events. */
export type Endpoint = 'otlp' | 'otlp_grpc' | 'events';

/** One request, whatever the protocol by which it arrives. */
export interface Arrival {
  endpoint: Endpoint;
  /** Fields for the log line of an unexpected error. */
  logFields: Readonly<Record<string, unknown>>;
  authenticate: () => Promise<AuthenticatedSender>;
  /**
   * Reads the body and charges `share` with its memory, unless `revoked` aborts. Called once the sender is authenticated.
   */
  read: (share: Share, revoked: AbortSignal) => Promise<Pick<PrepareRequest, 'body' | 'encoding' | 'format'>>;
}

/** Masking rules of applications. */
export interface MaskRequests {
  /** Returns the rules of an application; null when it has none. */
  rulesOf: (application: number) => Promise<AppliedRules | null>;
  /** Returns a masker for texts of an application; null when it has no rules. */
  open: (application: number) => Promise<Masker | null>;
  /** Records what masking a request has shown. */
  record: (request: Pick<PrepareRequest, 'application' | 'masking'>, outcome: MaskingOutcome) => void;
}

export interface IntakeOptions {
  /** Memory of request bodies, shared between applications. */
  bodies: FairShare;
  /** Throws AppError if the organisation of an application may send nothing at the moment. Default: each may. */
  admit?: (application: number) => void;
  write: Write;
  feed: TraceFeed;
  masking: MaskRequests;
  /** Returns own mapping rules and prices of an application; null without any. Default: none has any. */
  ownRules?: (application: number) => Promise<AppliedOwnRules | null>;
  metrics: Metrics;
  traces: OwnTraces;
  log: Log;
}

/** Outcome of an OTLP message; `counts` is null for metrics, which are not stored. */
type TakenOtlp = PartialSuccess & { counts: Omit<RequestCounts, 'rejected'> | null };

/** Takes requests of all ingest endpoints: authenticates, reads, prepares and stores them, and counts the outcome. */
export class Intake {
  private readonly options: IntakeOptions;
  private readonly prepare: Omit<PrepareCalls, 'rewrite'>;
  /** Start of each request in progress, the oldest first, in the milliseconds of `performance.now()`. */
  private readonly inProgress = new Set<{ at: number }>();

  constructor(options: IntakeOptions, prepare: Omit<PrepareCalls, 'rewrite'>) {
    this.options = options;
    this.prepare = prepare;
    const { metrics } = options;
    metrics.beforeScrape(() => {
      const [oldest] = this.inProgress;
      metrics.activeIngest.set(this.inProgress.size);
      metrics.oldestIngest.set(oldest ? (performance.now() - oldest.at) / 1000 : 0);
    });
  }

  /**
   * Runs one request. Throws AppError when it is rejected, of which the ledger of its sender then has a record, and
   * ClientGone when the sender left.
   */
  async run<T>(arrival: Arrival, take: (sent: PrepareRequest) => Promise<T>): Promise<T> {
    const { metrics, bodies, traces } = this.options;
    const { endpoint } = arrival;
    const started = { at: performance.now() };
    this.inProgress.add(started);
    let status = 200;
    let sender: Sender | null = null;
    let call: OpenCall | null = null;
    try {
      ({ sender, call } = await arrival.authenticate());
      this.options.admit?.(sender.application);
      const { revoked } = call;
      const share = bodies.open(sender.application);
      try {
        const sent = await traces.child({ name: 'ingest read' }, () => arrival.read(share, revoked));
        revoked.throwIfAborted();
        // Read after the body, so that rules apply to every request that ends after they were set.
        const masking = await this.options.masking.rulesOf(sender.application);
        const ownRules = (await this.options.ownRules?.(sender.application)) ?? null;
        return await take({ ...sender, at: Date.now(), masking, ownRules, ...sent });
      } finally {
        share.close();
      }
    } catch (error) {
      if (error instanceof ClientGone) {
        this.countRejection(error.reason);
        throw error;
      }
      const failure = this.asAppError(error, arrival);
      status = failure.status;
      this.countRejection(failure.code);
      if (sender && failure.status < 500) await this.recordRejection(sender, endpoint, failure);
      throw failure;
    } finally {
      call?.end();
      this.inProgress.delete(started);
      metrics.ingestRequests.inc({ endpoint, status: String(status) });
      metrics.ingestSeconds.observe({ endpoint }, (performance.now() - started.at) / 1000);
    }
  }

  /** Prepares and stores an OTLP message. Resolves when its spans are durable. */
  async takeOtlp(sent: PrepareRequest, signal: OtlpSignal): Promise<TakenOtlp> {
    const { metrics, feed, masking, traces } = this.options;
    if (signal === 'traces') {
      const { counts, stored, message, ...outcome } = await this.inPhases(this.prepare.traces(sent));
      masking.record(sent, outcome);
      if (stored) feed.publish(sent.application, stored);
      this.count(counts);
      return { rejected: counts.rejected, message, counts };
    }
    if (signal === 'logs') {
      const { dropped, message, masked, slow, ...counts } = await traces.child({ name: 'ingest store' }, () =>
        this.prepare.logs(sent),
      );
      masking.record(sent, { masked, slow });
      for (const outcome of ['stored', 'duplicate', 'rejected'] as const) {
        if (counts[outcome] > 0) metrics.ingestLogRecords.inc({ outcome }, counts[outcome]);
      }
      metrics.droppedItems.inc({ signal }, dropped);
      const { stored, duplicate, rejected } = counts;
      return { rejected, message, counts: { stored, duplicate, replaced: 0 } };
    }
    metrics.droppedItems.inc({ signal }, await this.prepare.metrics(sent));
    return { rejected: 0, message: '', counts: null };
  }

  /** Prepares and stores native events. Resolves when they are durable. */
  async takeEvents(sent: EventsRequest): Promise<EventsReply> {
    const answer = await this.inPhases(this.prepare.events(sent));
    this.options.masking.record(sent, answer);
    if (answer.stored) this.options.feed.publish(sent.application, answer.stored);
    this.count(answer.counts);
    return answer;
  }

  /** Adds spans for the phases of a request that another thread prepares and stores. */
  private async inPhases<T extends { prepareMs: number }>(reply: Promise<T>): Promise<T> {
    const started = performance.now();
    const done = await reply;
    const totalMs = performance.now() - started;
    const prepareMs = Math.min(done.prepareMs, totalMs);
    this.options.traces.phases([
      { name: 'ingest prepare', ms: prepareMs },
      { name: 'ingest commit', ms: totalMs - prepareMs },
    ]);
    return done;
  }

  private count(counts: RequestCounts): void {
    for (const outcome of SPAN_OUTCOMES) {
      if (counts[outcome] > 0) this.options.metrics.ingestSpans.inc({ outcome }, counts[outcome]);
    }
  }

  private countRejection(reason: IngestRejection): void {
    this.options.metrics.rejected.inc({ reason });
  }

  /** Records a request that was rejected entirely in the ledger, where its sender can look up the reason. */
  private async recordRejection(
    sender: Sender,
    endpoint: Endpoint,
    { code, message }: AppError,
  ): Promise<void> {
    const source = endpoint === 'events' ? 'events' : 'otlp';
    try {
      const masker = await this.options.masking.open(sender.application);
      await this.options.write(recordRequest, {
        ...sender,
        at: Date.now(),
        requests: 1,
        ...NO_SPANS,
        notices: { [`refused_${code}`]: 1 },
        rejections: maskRejections(
          [{ source, reason: code, message, spans: 0, traceId: null, spanId: null }],
          masker,
        ),
      });
    } catch (error) {
      this.options.log.warn('a rejection was not written to the ledger', { error });
    }
  }

  private asAppError(error: unknown, { logFields }: Arrival): AppError {
    if (error instanceof AppError) return error;
    this.options.log.error('ingest failed', { error, ...logFields });
    return new AppError('internal', 'Internal server error');
  }
}
