import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import type { Read } from '../storage/calls.ts';
import type { Replicas } from '../storage/replicas.ts';
import type { GrpcListener, GrpcOptions } from './grpc/listen.ts';
import { COUNTS_HEADER, countsText } from './counts-header.ts';
import { ClientGone, readBody } from './http-body.ts';
import { headOf } from './http-head.ts';
import { CONTENT_ENCODINGS, type ContentEncoding } from './inflate.ts';
import {
  type Arrival,
  type AuthenticateSender,
  type Endpoint,
  Intake,
  type IntakeOptions,
} from './intake.ts';
import { startMaintenance } from './maintenance.ts';
import { isOtlpPath, OTLP_PATHS } from './otlp/paths.ts';
import {
  codecFor,
  grpcCodeOf,
  jsonCodec,
  type OtlpCodec,
  type OtlpSignal,
  otlpStatusOf,
} from './otlp/response.ts';
import { PreparePool } from './prepare-pool.ts';
import { type PrepareThreadOptions, startPrepare } from './prepare-thread.ts';
import type { PrepareRequest } from './requests.ts';

export interface IngestOptions extends PrepareThreadOptions, IntakeOptions {
  read: Read;
  /** Most threads that prepare requests. */
  prepareThreads: number;
  /** Returns the version of the store; see `Storage`. */
  version: () => string;
  replicas: Replicas;
}

export interface IngestReceiver {
  /** Adds the OTLP paths and `POST /v0/ingest` to a server. */
  register: (app: FastifyInstance, authenticate: AuthenticateSender) => void;
  /** Listens for OTLP over gRPC. Throws the error of the socket if it cannot listen. */
  listenGrpc: (
    options: Pick<GrpcOptions, 'host' | 'port' | 'maxConnections' | 'limits' | 'authenticate'>,
  ) => Promise<GrpcListener>;
  /** Stores spans that the service made itself, as an OTLP TracesData message (default: protobuf). Resolves when they are durable. */
  storeOwn: (application: number, spans: Buffer, format?: PrepareRequest['format']) => Promise<void>;
  close: () => Promise<void>;
}

/** Key id in the ledger for spans of the service itself. */
const OWN_KEY = 'touchstone';

/**
 * Opens the network side of ingest: it checks, reads and responds to requests. The prepare thread that it starts does
 * the work.
 */
export function openIngest(options: IngestOptions): IngestReceiver {
  const prepare = new PreparePool(
    () => startPrepare(options),
    options.prepareThreads,
    options.organisations.groupOf,
  );
  const maintenance = options.replicas.whileLeading((given) =>
    startMaintenance({ ...options, ...given }, () => startPrepare(options)),
  );
  const intake = new Intake(options, prepare);

  return {
    register: (app, authenticate) => {
      const endpoints = new Endpoints(intake, options.maxBodyBytes, authenticate);
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
    listenGrpc: async (address) => {
      // Loaded here, because it is large and gRPC may be off.
      const { listenGrpc } = await import('./grpc/listen.ts');
      return listenGrpc({ ...options, ...address, intake });
    },
    storeOwn: async (application, spans, format = 'protobuf') => {
      // A copy, because a large body moves to the thread, and the caller's buffer may contain other data.
      const body = new Uint8Array(spans);
      const masking = await options.masking.rulesOf(application);
      const { stored, ...outcome } = await prepare.traces({
        application,
        keyId: OWN_KEY,
        at: Date.now(),
        body,
        encoding: 'identity',
        format,
        masking,
      });
      options.masking.record({ application, masking }, outcome);
      if (stored) options.feed.publish(application, stored);
    },
    close: async () => {
      await maintenance.stop();
      await prepare.close();
    },
  };
}

/** Responds to the requests over HTTP. */
class Endpoints {
  private readonly intake: Intake;
  private readonly maxBodyBytes: number;
  private readonly authenticate: AuthenticateSender;

  constructor(intake: Intake, maxBodyBytes: number, authenticate: AuthenticateSender) {
    this.intake = intake;
    this.maxBodyBytes = maxBodyBytes;
    this.authenticate = authenticate;
  }

  /** Handles one OTLP request. All responses, including errors, are OTLP messages in the request's encoding. */
  async otlp(request: FastifyRequest, reply: FastifyReply, signal: OtlpSignal): Promise<FastifyReply> {
    const given = codecFor(request.headers['content-type']);
    const codec = given ?? jsonCodec;
    try {
      const partial = await this.intake.run(this.arrival(request, 'otlp', given), (sent) =>
        this.intake.takeOtlp(sent, signal),
      );
      const answer = codec.encodeSuccess(partial, signal);
      // OTLP itself reports rejections only.
      if (partial.counts) void reply.header(COUNTS_HEADER, countsText(partial.counts));
      return await reply.code(200).header('content-type', codec.contentType).send(answer);
    } catch (error) {
      if (error instanceof ClientGone) return reply.hijack();
      if (error instanceof AppError) return sendStatus(reply, codec, error);
      throw error;
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
      const arrival = this.arrival(request, 'events', codec === jsonCodec ? codec : null);
      const { response } = await this.intake.run(arrival, (sent) =>
        this.intake.takeEvents({ ...sent, idempotencyKey }),
      );
      return await reply
        .code(200)
        .header('content-type', 'application/json; charset=utf-8')
        .send(Buffer.from(response));
    } catch (error) {
      if (error instanceof ClientGone) return reply.hijack();
      if (error instanceof AppError) closeIfUnread(reply, error);
      throw error;
    }
  }

  private arrival(
    request: FastifyRequest,
    endpoint: Exclude<Endpoint, 'otlp_grpc'>,
    codec: OtlpCodec | null,
  ): Arrival {
    const { id, headers, raw, routeOptions } = request;
    return {
      endpoint,
      logFields: { requestId: id, path: routeOptions.url },
      authenticate: () => this.authenticate(headOf(request)),
      read: async (share, revoked) => {
        if (codec === null) throw unsupportedType(endpoint);
        const encoding = contentEncoding(headers['content-encoding']);
        const body = await readBody(raw, this.maxBodyBytes, share, revoked);
        return { body, encoding, format: codec === jsonCodec ? 'json' : 'protobuf' };
      },
    };
  }
}

const MEDIA_TYPES: Readonly<Record<Exclude<Endpoint, 'otlp_grpc'>, string>> = {
  otlp: 'application/x-protobuf or application/json',
  events: 'application/json',
};

function unsupportedType(endpoint: keyof typeof MEDIA_TYPES): AppError {
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
  const { retryAfter, status } = failure;
  if (retryAfter !== null) void reply.header('retry-after', String(retryAfter));
  const body = codec.encodeStatus(otlpStatusOf(failure, grpcCodeOf(status)));
  return reply.code(status).header('content-type', codec.contentType).send(body);
}

/** Closes the connection after an error that left part of the body unread. */
function closeIfUnread(reply: FastifyReply, { status }: AppError): void {
  const { complete, readableDidRead } = reply.request.raw;
  // Node itself discards a body of which nothing was read.
  const isRevoked = (status === 401 || status === 403) && readableDidRead;
  const isIncomplete = (status === 400 || isRevoked) && !complete;
  if (isIncomplete || status === 413 || status === 503) void reply.header('connection', 'close');
}
