import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { constants, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import {
  type Metadata,
  status,
  type sendUnaryData,
  Server,
  ServerCredentials,
  type ServerReadableStream,
} from '@grpc/grpc-js';
import { AppError } from '../../errors.ts';
import type { Log } from '../../runtime/log.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { OwnTraces } from '../../runtime/own-traces/traces.ts';
import { ClientGone } from '../http-body.ts';
import type { AuthenticateSender, Intake, RequestHead } from '../intake.ts';
import { type OtlpSignal, protobufCodec } from '../otlp/response.ts';
import { callErrorOf, goneErrorOf } from './call-error.ts';
import { checkPreface } from './preface.ts';
import { readMessage } from './read-message.ts';
import { type SendLimits, SlowSenders } from './slow-senders.ts';

export interface GrpcOptions {
  host: string;
  /** Port; 0 chooses any free one. */
  port: number;
  /** Most open connections. */
  maxConnections: number;
  /** Largest message in bytes, both as sent and after decompression. */
  maxBodyBytes: number;
  limits: SendLimits & ConnectionLimits;
  authenticate: AuthenticateSender;
  intake: Intake;
  metrics: Metrics;
  traces: OwnTraces;
  log: Log;
}

/** Time limits of connections in milliseconds. */
export interface ConnectionLimits {
  /** Time from the connection to its first bytes. */
  headersMs: number;
  /** Time for the rest of a rejected message. */
  lingerMs: number;
  /** Time without data after which the server sends a PING. */
  grpcPingMs: number;
  /** Time in which the client must respond to it. */
  grpcPingTimeoutMs: number;
  /** Time without a call after which the connection is closed. */
  grpcIdleMs: number;
}

export interface GrpcListener {
  port: number;
  /**
   * Stops accepting connections and calls, and tells clients so. Calls in progress may continue for `graceMs`
   * milliseconds. Resolves when all connections are closed.
   */
  close: (graceMs: number) => Promise<void>;
}

const METHODS: readonly (readonly [path: string, signal: OtlpSignal])[] = (
  ['traces', 'logs', 'metrics'] as const
).map((signal) => {
  const service = { traces: 'trace.v1.Trace', logs: 'logs.v1.Logs', metrics: 'metrics.v1.Metrics' }[signal];
  return [`/opentelemetry.proto.collector.${service}Service/Export`, signal];
});

/** Most calls in progress on one connection. Exporters send one batch at a time; the Collector's default is 100. */
const MAX_STREAMS = 100;

/** Status codes that mean a failure of the server. */
const SERVER_FAILURES = new Set<number>([
  status.UNKNOWN,
  status.DEADLINE_EXCEEDED,
  status.UNIMPLEMENTED,
  status.INTERNAL,
  status.UNAVAILABLE,
  status.DATA_LOSS,
]);

type Call = ServerReadableStream<Buffer, Buffer>;
type Respond = sendUnaryData<Buffer>;
const asItIs = (bytes: Buffer): Buffer => bytes;

/** Listens for OTLP over gRPC. Throws the error of the socket if it cannot listen. */
export async function listenGrpc(options: GrpcOptions): Promise<GrpcListener> {
  const { host, port, maxConnections, limits, metrics, log } = options;
  const slow = new SlowSenders(limits);
  const grpc = new Server({
    'grpc.max_concurrent_streams': MAX_STREAMS,
    'grpc.keepalive_time_ms': limits.grpcPingMs,
    'grpc.keepalive_timeout_ms': limits.grpcPingTimeoutMs,
    'grpc.max_connection_idle_ms': limits.grpcIdleMs,
    'grpc.enable_channelz': 0,
  });
  const calls = new Calls(options, slow);
  for (const [path, signal] of METHODS) {
    const handle = (call: Call, respond: Respond): void => void calls.trace(call, respond, signal);
    // As a stream of messages, because the handler then begins before the first message is read.
    grpc.register(path, handle, asItIs, asItIs, 'clientStream');
  }
  const connections = grpc.createConnectionInjector(ServerCredentials.createInsecure());
  const open = new Set<Socket>();
  const silent = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    open.add(socket);
    silent.add(socket);
    metrics.grpcConnections.inc();
    socket.once('close', () => {
      open.delete(socket);
      silent.delete(socket);
      metrics.grpcConnections.dec();
    });
    checkPreface(socket, {
      timeoutMs: limits.headersMs,
      accept: () => {
        silent.delete(socket);
        connections.injectConnection(socket);
      },
      reject: (reason) => {
        metrics.rejectedConnections.inc({ reason });
        log.debug('connection ended by the server', { reason, protocol: 'grpc' });
      },
    });
  });
  server.maxConnections = maxConnections;
  server.on('drop', () => metrics.rejectedConnections.inc({ reason: 'too_many' }));
  server.listen({ host, port });
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    close: async (graceMs) => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of silent) socket.destroy();
      connections.drain(graceMs);
      const end = endConnections(open, calls, { graceMs, lingerMs: limits.lingerMs });
      await closed;
      end();
      connections.destroy();
      slow.close();
    },
  };
}

/** Destroys connections once their calls have ended, or after `graceMs`. Returns a function that stops waiting for that. */
function endConnections(
  open: ReadonlySet<Socket>,
  calls: Calls,
  { graceMs, lingerMs }: { graceMs: number; lingerMs: number },
): () => void {
  const destroyAll = (): void => {
    for (const socket of open) socket.destroy();
  };
  const timers = [setTimeout(destroyAll, graceMs)];
  // A client without a call may never close its end.
  void calls.ended().then(() => timers.push(setTimeout(destroyAll, lingerMs).unref()));
  return () => timers.forEach((timer) => clearTimeout(timer));
}

/** Runs the calls of all connections. */
class Calls {
  private readonly options: GrpcOptions;
  private readonly slow: SlowSenders;
  private inProgress = 0;
  private readonly atEnd = Promise.withResolvers<void>();
  private isEnding = false;

  constructor(options: GrpcOptions, slow: SlowSenders) {
    this.options = options;
    this.slow = slow;
  }

  /** Resolves as soon as no call is in progress. */
  ended(): Promise<void> {
    this.isEnding = true;
    this.endIfIdle();
    return this.atEnd.promise;
  }

  private endIfIdle(): void {
    if (this.isEnding && this.inProgress === 0) this.atEnd.resolve();
  }

  /** Handles a call in a span by OpenTelemetry's conventions for gRPC servers. */
  async trace(call: Call, respond: Respond, signal: OtlpSignal): Promise<void> {
    const name = call.getPath().slice(1);
    const [service, method] = name.split('/');
    const span = this.options.traces.begin(
      {
        name,
        kind: 'server',
        attributes: { 'rpc.system': 'grpc', 'rpc.service': service, 'rpc.method': method },
      },
      only(call.metadata, 'traceparent'),
    );
    if (!span) return this.handle(call, respond, signal);
    const traced: Respond = (error, value) => {
      const code = error?.code ?? 0;
      span.set({ 'rpc.grpc.status_code': code });
      // Other codes say that the caller made a mistake.
      span.end(SERVER_FAILURES.has(code) ? String(code) : undefined);
      respond(error, value);
    };
    return span.run(() => this.handle(call, traced, signal));
  }

  private async handle(call: Call, respond: Respond, signal: OtlpSignal): Promise<void> {
    const { intake, authenticate, maxBodyBytes } = this.options;
    const { stream, encoding } = takeOver(call);
    this.inProgress += 1;
    const head: RequestHead = {
      id: randomUUID(),
      method: 'POST',
      path: call.getPath(),
      headers: headersOf(call.metadata),
      peer: stream.session?.socket.remoteAddress ?? '',
    };
    try {
      const partial = await intake.run(
        {
          endpoint: 'otlp_grpc',
          logFields: { requestId: head.id, path: head.path },
          authenticate: () => authenticate(head),
          read: async (share, revoked) => {
            const watched = this.slow.watch();
            try {
              const message = await readMessage(stream, {
                limit: maxBodyBytes,
                share,
                encoding,
                onBytes: watched.onBytes,
                signal: AbortSignal.any([watched.signal, revoked]),
              });
              return { ...message, format: 'protobuf' };
            } finally {
              watched.end();
            }
          },
        },
        (sent) => intake.takeOtlp(sent, signal),
      );
      respond(null, protobufCodec.encodeSuccess(partial, signal));
    } catch (error) {
      if (error instanceof AppError) respond(callErrorOf(error));
      else if (error instanceof ClientGone) respond(goneErrorOf(error));
      else throw error;
    } finally {
      this.endUnread(stream);
      this.inProgress -= 1;
      this.endIfIdle();
    }
  }

  /** Ends a call whose client still sends its message, once it has had time to read the response. */
  private endUnread(stream: ServerHttp2Stream): void {
    if (stream.readableEnded || stream.closed) return;
    const timer = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), this.options.limits.lingerMs);
    timer.unref();
    stream.once('close', () => clearTimeout(timer));
  }
}

/**
 * Returns the bytes of a call and the compression of its messages. The library would collect and decompress messages
 * before any handler sees them, in memory that no budget counts; without its listener it does neither. Both names are
 * private to it, so its version is exact, and `test/ingest/grpc` fails if they change.
 */
function takeOver(call: Call): { stream: ServerHttp2Stream; encoding: string } {
  const { stream, incomingEncoding } = (
    call as unknown as { call: { stream: ServerHttp2Stream; incomingEncoding: string } }
  ).call;
  stream.removeAllListeners('data');
  return { stream, encoding: incomingEncoding };
}

/** Returns the metadata of a call as headers; a bearer token counts as API key where there is none. */
function headersOf(metadata: Metadata): Record<string, string | undefined> {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(only(metadata, 'authorization') ?? '') ?? [];
  return {
    authorization: only(metadata, 'authorization'),
    'x-api-key': only(metadata, 'x-api-key') ?? bearer,
    'x-application-id': only(metadata, 'x-application-id'),
  };
}

/** Returns a value of the metadata; undefined unless there is exactly one. */
function only(metadata: Metadata, name: string): string | undefined {
  const [value, ...more] = metadata.get(name);
  return typeof value === 'string' && more.length === 0 ? value : undefined;
}
