import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import type { FairShare } from '../runtime/fair-share.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Call } from '../storage/operations.ts';
import type { TraceCommands, traceQueries } from '../traces/operations.ts';
import { ClientGone, readBody } from './http-body.ts';
import { CONTENT_ENCODINGS, type ContentEncoding } from './inflate.ts';
import { isOtlpPath, OTLP_PATHS } from './otlp/paths.ts';
import {
  codecFor,
  grpcCodeOf,
  jsonCodec,
  type OtlpCodec,
  type OtlpSignal,
  type PartialSuccess,
} from './otlp/response.ts';
import type { Counts, PrepareCalls, PrepareRequest } from './requests.ts';
import { type PrepareThreadOptions, startPrepare } from './prepare-thread.ts';
import { startMaintenance } from './maintenance.ts';

/** Identity of the sender of a request. */
export interface Sender {
  application: number;
  keyId: string;
}

export interface IngestOptions extends PrepareThreadOptions {
  read: Call<typeof traceQueries>;
  /** Returns the version of the store; see `Storage`. */
  version: () => string;
  write: Call<TraceCommands>;
  metrics: Metrics;
  log: Log;
  /** Memory of request bodies, shared between applications. */
  bodies: FairShare;
}

/** Authenticates the sender of a request and checks its permission; throws AppError. */
export type AuthenticateSender = (request: FastifyRequest) => Promise<Sender>;

export interface IngestReceiver {
  /** Adds the OTLP paths and `POST /v0/ingest` to a server. */
  register: (app: FastifyInstance, authenticate: AuthenticateSender) => void;
  /** Stores spans that the service made itself, as an OTLP TracesData message (default: protobuf). Resolves when they are durable. */
  storeOwn: (application: number, spans: Buffer, format?: PrepareRequest['format']) => Promise<void>;
  close: () => Promise<void>;
}

/** Key id in the ledger for spans of the service itself. */
const OWN_KEY = 'touchstone';

/**
 * Opens the HTTP side of ingest: it checks, reads and responds to requests. The prepare thread that it starts does
 * the work.
 */
export function openIngest(options: IngestOptions): IngestReceiver {
  const prepare = startPrepare(options);
  const maintenance = startMaintenance(options, () => startPrepare(options));

  return {
    register: (app, authenticate) => {
      const endpoints = new Endpoints(options, prepare, authenticate);
      // A separate Fastify scope: its routes read bodies themselves, before any parser.
      void app.register((scope, _options, done) => {
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null));
        scope.setErrorHandler((error, request, reply) => endpoints.rejectBadMediaType(error, request, reply));
        for (const [path, signal] of OTLP_PATHS) {
          scope.post(path, (request, reply) => endpoints.otlp(request, reply, signal));
        }
        scope.post('/v0/ingest', (request, reply) => endpoints.events(request, reply));
        done();
      });
    },
    storeOwn: async (application, spans, format = 'protobuf') => {
      // A copy, because a large body moves to the thread, and the caller's buffer may contain other data.
      const body = new Uint8Array(spans);
      const { stored } = await prepare.traces({
        application,
        keyId: OWN_KEY,
        at: Date.now(),
        body,
        encoding: 'identity',
        format,
      });
      if (stored) options.feed.publish(application, stored);
    },
    close: async () => {
      await maintenance.stop();
      await prepare.close();
    },
  };
}

type Endpoint = 'otlp' | 'events';

class Endpoints {
  private readonly options: IngestOptions;
  private readonly prepare: PrepareCalls;
  private readonly authenticate: AuthenticateSender;

  constructor(options: IngestOptions, prepare: PrepareCalls, authenticate: AuthenticateSender) {
    this.options = options;
    this.prepare = prepare;
    this.authenticate = authenticate;
  }

  /** Handles one OTLP request. All responses, including errors, are OTLP messages in the request's encoding. */
  async otlp(request: FastifyRequest, reply: FastifyReply, signal: OtlpSignal): Promise<FastifyReply> {
    const codec = codecFor(request.headers['content-type']);
    try {
      const partial = await this.handle(request, 'otlp', codec, (sent) => this.takeOtlp(sent, signal));
      const answer = (codec ?? jsonCodec).encodeSuccess(partial, signal);
      return await reply
        .code(200)
        .header('content-type', (codec ?? jsonCodec).contentType)
        .send(answer);
    } catch (error) {
      if (error instanceof ClientGone) return reply.hijack();
      return sendStatus(reply, codec ?? jsonCodec, this.asAppError(error, request));
    }
  }

  /** Responds to a Content-Type that the framework itself rejects because it is malformed. */
  rejectBadMediaType(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const isOtlp = isOtlpPath(request.routeOptions.url ?? '');
    if (!isOtlp || (error as Partial<FastifyError>).code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE') throw error;
    return sendStatus(reply, jsonCodec, unsupportedType('otlp'));
  }

  /** Handles one call with native events. Its responses are those of the REST API. */
  async events(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const codec = codecFor(request.headers['content-type']);
    try {
      const idempotencyKey = idempotencyKeyOf(request);
      const { response, counts } = await this.handle(
        request,
        'events',
        codec === jsonCodec ? codec : null,
        async (sent) => {
          const answer = await this.prepare.events({ ...sent, idempotencyKey });
          if (answer.stored) this.options.feed.publish(sent.application, answer.stored);
          return answer;
        },
      );
      this.count(counts);
      return await reply
        .code(200)
        .header('content-type', 'application/json; charset=utf-8')
        .send(Buffer.from(response));
    } catch (error) {
      if (error instanceof ClientGone) return reply.hijack();
      const failure = this.asAppError(error, request);
      closeIfUnread(reply, failure);
      throw failure;
    }
  }

  private async takeOtlp(sent: PrepareRequest, signal: OtlpSignal): Promise<PartialSuccess> {
    const { metrics, feed } = this.options;
    if (signal === 'traces') {
      const { counts, stored, message } = await this.prepare.traces(sent);
      if (stored) feed.publish(sent.application, stored);
      this.count(counts);
      return { rejected: counts.rejected, message };
    }
    if (signal === 'logs') {
      const { dropped, message, ...counts } = await this.prepare.logs(sent);
      for (const outcome of ['stored', 'duplicate', 'rejected'] as const) {
        if (counts[outcome] > 0) metrics.ingestLogRecords.inc({ outcome }, counts[outcome]);
      }
      metrics.droppedItems.inc({ signal }, dropped);
      return { rejected: counts.rejected, message };
    }
    metrics.droppedItems.inc({ signal }, await this.prepare.metrics(sent));
    return { rejected: 0, message: '' };
  }

  private count(counts: Counts): void {
    for (const outcome of ['stored', 'duplicate', 'replaced', 'rejected'] as const) {
      if (counts[outcome] > 0) this.options.metrics.ingestSpans.inc({ outcome }, counts[outcome]);
    }
  }

  /** Authenticates a request to either endpoint, reads its body, processes it, and records the outcome. */
  private async handle<T>(
    request: FastifyRequest,
    endpoint: Endpoint,
    codec: OtlpCodec | null,
    take: (sent: PrepareRequest) => Promise<T>,
  ): Promise<T> {
    const { metrics, bodies, maxBodyBytes } = this.options;
    const started = performance.now();
    let status = 200;
    let sender: Sender | null = null;
    try {
      sender = await this.authenticate(request);
      if (codec === null) throw unsupportedType(endpoint);
      const encoding = contentEncoding(request.headers['content-encoding']);
      const share = bodies.open(sender.application);
      try {
        const body = await readBody(request.raw, maxBodyBytes, share);
        const format = codec === jsonCodec ? 'json' : 'protobuf';
        return await take({ ...sender, at: Date.now(), body, encoding, format });
      } finally {
        share.close();
      }
    } catch (error) {
      if (error instanceof ClientGone) this.countRejection('client_gone');
      else {
        const failure = this.asAppError(error, request);
        status = failure.status;
        this.countRejection(failure.code);
        if (sender && failure.status < 500) await this.recordRejection(sender, endpoint, failure);
        throw failure;
      }
      throw error;
    } finally {
      metrics.ingestRequests.inc({ endpoint, door: endpoint, status: String(status) });
      metrics.ingestSeconds.observe({ endpoint, door: endpoint }, (performance.now() - started) / 1000);
    }
  }

  private countRejection(reason: string): void {
    this.options.metrics.rejected.inc({ reason });
    this.options.metrics.refused.inc({ reason });
  }

  /** Records a request that was rejected entirely in the ledger, where its sender can look up the reason. */
  private async recordRejection(
    sender: Sender,
    endpoint: Endpoint,
    { code, message }: AppError,
  ): Promise<void> {
    try {
      await this.options.write('recordRequest', {
        ...sender,
        at: Date.now(),
        requests: 1,
        received: 0,
        stored: 0,
        duplicate: 0,
        replaced: 0,
        rejected: {},
        notices: { [`refused_${code}`]: 1 },
        rejections: [{ source: endpoint, reason: code, message, spans: 0, traceId: null, spanId: null }],
      });
    } catch (error) {
      this.options.log.warn('a rejection was not written to the ledger', { error });
    }
  }

  private asAppError(error: unknown, request: FastifyRequest): AppError {
    if (error instanceof AppError) return error;
    this.options.log.error('ingest failed', { error, requestId: request.id, path: request.routeOptions.url });
    return new AppError('internal', 'Internal server error');
  }
}

const MEDIA_TYPES: Readonly<Record<Endpoint, string>> = {
  otlp: 'application/x-protobuf or application/json',
  events: 'application/json',
};

function unsupportedType(endpoint: Endpoint): AppError {
  return new AppError('unsupported_media_type', `Content-Type must be ${MEDIA_TYPES[endpoint]}`);
}

const MAX_IDEMPOTENCY_KEY = 255;

function idempotencyKeyOf({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key'];
  if (typeof key !== 'string' || key === '') return null;
  if (key.length <= MAX_IDEMPOTENCY_KEY) return key;
  throw new AppError('bad_request', `Idempotency-Key must be at most ${MAX_IDEMPOTENCY_KEY} characters long`);
}

function contentEncoding(header: string | undefined): ContentEncoding {
  const encoding = header?.trim().toLowerCase() ?? '';
  if (encoding === '') return 'identity';
  const known = CONTENT_ENCODINGS.find((name) => name === encoding);
  if (known) return known;
  throw new AppError(
    'unsupported_media_type',
    `Content-Encoding ${encoding.slice(0, 40)} is not supported; use ${CONTENT_ENCODINGS.join(', ')}`,
  );
}

function sendStatus(reply: FastifyReply, codec: OtlpCodec, failure: AppError): FastifyReply {
  closeIfUnread(reply, failure);
  const { retryAfter, status, message } = failure;
  if (retryAfter !== null) void reply.header('retry-after', String(retryAfter));
  const body = codec.encodeStatus({
    code: grpcCodeOf(status),
    message,
    ...(retryAfter === null ? {} : { retryDelaySeconds: retryAfter }),
    violations: failure.issues.map((issue) => ({ field: issue.path.join('.'), description: issue.message })),
  });
  return reply.code(status).header('content-type', codec.contentType).send(body);
}

/** Closes the connection after an error that left part of the body unread. */
function closeIfUnread(reply: FastifyReply, { status }: AppError): void {
  const isIncomplete = status === 400 && !reply.request.raw.complete;
  if (isIncomplete || status === 413 || status === 503) void reply.header('connection', 'close');
}
