/** Calls of OTLP over gRPC on bare HTTP/2, for what no exporter would send and for seeing how a connection ends. */
import { once } from 'node:events';
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import { gzipSync } from 'node:zlib';
import { decodeProto, type Plain } from './otlp-proto.ts';

const SERVICES = { traces: 'trace.v1.Trace', logs: 'logs.v1.Logs', metrics: 'metrics.v1.Metrics' } as const;

export const exportPath = (signal: keyof typeof SERVICES): string =>
  `/opentelemetry.proto.collector.${SERVICES[signal]}Service/Export`;

export interface GrpcCall {
  path?: string;
  /** Headers besides those that gRPC requires; one given as null is omitted. */
  headers?: Readonly<Record<string, string | null>>;
  /** Bytes of the call as they are: framed messages. */
  bytes?: Uint8Array;
  /** False if the client does not end the call. */
  isEnded?: boolean;
}

export interface GrpcReply {
  httpStatus: number;
  /** Code of the call; null if the server has sent none. */
  code: number | null;
  message: string;
  /** Decoded `google.rpc.Status` of an error; null if there is none. */
  status: Plain | null;
  /** Bytes of the response message, without prefix. */
  body: Buffer;
}

/** A call that the client has begun. */
export interface OpenCall {
  write: (bytes: Uint8Array) => void;
  end: () => void;
  reply: Promise<GrpcReply>;
}

/** Returns a message with its prefix. */
export function framed(message: Uint8Array, { flag = 0, length = message.length } = {}): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt8(flag);
  prefix.writeUInt32BE(length, 1);
  return Buffer.concat([prefix, message]);
}

export const framedGzip = (message: Uint8Array): Buffer => framed(gzipSync(message), { flag: 1 });

/** One connection to the port for gRPC. */
export class GrpcConnection {
  /** Code of the GOAWAY frame of the server, once it has sent one. */
  readonly goneAway: Promise<number>;
  private readonly session: ClientHttp2Session;

  private constructor(session: ClientHttp2Session) {
    this.session = session;
    this.goneAway = new Promise((resolve) => session.once('goaway', (code: number) => resolve(code)));
    session.on('error', () => undefined);
  }

  static async open(port: number): Promise<GrpcConnection> {
    const session = connect(`http://127.0.0.1:${port}`);
    await once(session, 'connect');
    return new GrpcConnection(session);
  }

  /** Makes one call, and resolves when the server has ended it. */
  call({ bytes, isEnded = true, ...head }: GrpcCall): Promise<GrpcReply> {
    const { write, end, reply } = this.begin(head);
    if (bytes) write(bytes);
    if (isEnded) end();
    return reply;
  }

  /** Begins a call whose bytes are sent later. */
  begin({ path = exportPath('traces'), headers = {} }: Pick<GrpcCall, 'path' | 'headers'>): OpenCall {
    const all = { 'content-type': 'application/grpc', te: 'trailers', ...headers };
    const stream = this.session.request({
      ':method': 'POST',
      ':path': path,
      ...Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)),
    });
    let received: IncomingHttpHeaders = {};
    const chunks: Buffer[] = [];
    stream.on('response', (head) => (received = { ...received, ...head }));
    stream.on('trailers', (trailers) => (received = { ...received, ...trailers }));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', () => undefined);
    const reply = new Promise<GrpcReply>((resolve) =>
      stream.once('close', () => resolve(replyOf(received, chunks))),
    );
    return { write: (bytes) => stream.write(bytes), end: () => stream.end(), reply };
  }

  /** Sends a PING and resolves when the server has responded. */
  ping(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.session.ping((error) => (error ? reject(error) : resolve()));
    });
  }

  get isClosed(): boolean {
    return this.session.closed || this.session.destroyed;
  }

  destroy(): void {
    this.session.destroy();
  }
}

function replyOf(received: IncomingHttpHeaders, chunks: readonly Buffer[]): GrpcReply {
  const details = received['grpc-status-details-bin'];
  return {
    httpStatus: Number(received[':status']),
    code: received['grpc-status'] === undefined ? null : Number(received['grpc-status']),
    message: decodeURI(String(received['grpc-message'] ?? '')),
    status: typeof details === 'string' ? decodeProto('RpcStatus', Buffer.from(details, 'base64')) : null,
    body: Buffer.concat(chunks).subarray(5),
  };
}
