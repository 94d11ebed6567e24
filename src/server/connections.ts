import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { gatherChunks } from '../runtime/gather-chunks.ts';
import type { Log } from '../runtime/log.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { PacedQueue } from '../runtime/paced-queue.ts';
import { brokenRequestResponse, type ConnectionRejection, rejectionReasonOf } from './broken-request.ts';
import type { HttpTimeouts } from './timeouts.ts';

/** A request and its response, from the head of the request to the end of both. */
interface Exchange {
  id: string;
  request: IncomingMessage;
  response: ServerResponse;
  /** Bytes that the socket had read when the request began, and at the last check. */
  bytesAtStart: number;
  bytesRead: number;
  /** Milliseconds for which the server has waited for the body, in total and since its last byte. */
  waitedMs: number;
  quietMs: number;
}

interface Connection {
  socket: Socket;
  /** Exchanges in the order in which the requests arrived. */
  exchanges: Exchange[];
  /** Bytes that the system had accepted at the last check, and the milliseconds since it last accepted any. */
  bytesSent: number;
  stalledMs: number;
  /** True if the peer sent invalid data; no further data from it is processed. */
  isBroken: boolean;
}

export interface ConnectionOptions {
  timeouts: HttpTimeouts;
  metrics: Pick<Metrics, 'connections' | 'rejectedConnections'>;
  log: Log;
}

/** Tracks the connections of a server, and ends those that occupy resources without progress. */
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  private readonly timeouts: HttpTimeouts;
  private readonly metrics: ConnectionOptions['metrics'];
  private readonly log: Log;
  private readonly timer: NodeJS.Timeout;
  /** Connections that send many small chunks and wait before they are read again. */
  private readonly dense = new PacedQueue();
  private checkedAt = performance.now();
  private isClosing = false;

  constructor({ timeouts, metrics, log }: ConnectionOptions) {
    this.timeouts = timeouts;
    this.metrics = metrics;
    this.log = log;
    this.timer = setInterval(() => this.check(), timeouts.checkMs);
    this.timer.unref();
  }

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => void this.add(socket));
    server.on('clientError', (error, socket) => this.onBroken(error, socket as Socket));
    server.on('drop', () => this.metrics.rejectedConnections.inc({ reason: 'too_many' }));
  }

  /** Registers a request. Called once for each, when its head has arrived. */
  begin(id: string, request: IncomingMessage, response: ServerResponse): void {
    // A call within this process has no connection.
    if (!(request.socket instanceof Socket)) return;
    const connection = this.add(request.socket);
    const bytes = request.socket.bytesRead;
    const exchange = {
      id,
      request,
      response,
      bytesAtStart: bytes,
      bytesRead: bytes,
      waitedMs: 0,
      quietMs: 0,
    };
    // The body of an earlier request has arrived when another request follows it.
    connection.exchanges = connection.exchanges.filter((earlier) => !earlier.response.closed);
    connection.exchanges.push(exchange);
    if (isChunked(request)) {
      gatherChunks(request, this.dense);
      readOnDemand(request);
    }
    response.once('close', () => this.onResponded(connection, exchange));
  }

  /** Ends connections without a request in progress, now and as soon as others have none. */
  close(): void {
    this.isClosing = true;
    for (const connection of this.open.values()) {
      if (isIdle(connection)) connection.socket.destroy();
    }
  }

  destroyAll(): void {
    clearInterval(this.timer);
    for (const socket of this.open.keys()) socket.destroy();
  }

  private add(socket: Socket): Connection {
    const known = this.open.get(socket);
    if (known) return known;
    const connection = { socket, exchanges: [], bytesSent: 0, stalledMs: 0, isBroken: false };
    if (this.isClosing) socket.destroy();
    if (socket.destroyed) return connection;
    this.open.set(socket, connection);
    this.metrics.connections.inc();
    socket.once('close', () => {
      this.open.delete(socket);
      this.metrics.connections.dec();
    });
    return connection;
  }

  private onResponded(connection: Connection, exchange: Exchange): void {
    const { socket } = connection;
    // The exchange stays until the rest of its body has arrived, for a limited time.
    exchange.waitedMs = 0;
    if (exchange.request.complete) {
      connection.exchanges = connection.exchanges.filter((other) => other !== exchange);
    } else if (isChunked(exchange.request) && !connection.isBroken) {
      this.endUnread(connection, exchange);
      return;
    }
    if (isIdle(connection) && (this.isClosing || connection.isBroken)) socket.destroySoon();
  }

  private check(): void {
    const now = performance.now();
    // While the process was blocked it read nothing, so peers are not charged for that time.
    const elapsed = Math.min(now - this.checkedAt, 2 * this.timeouts.checkMs);
    this.checkedAt = now;
    for (const connection of this.open.values()) {
      this.checkReader(connection, elapsed);
      const exchange = connection.exchanges.at(-1);
      if (exchange && !exchange.request.complete && !connection.isBroken && !connection.socket.destroyed) {
        this.checkBody(connection, exchange, elapsed);
      }
    }
  }

  /** Ends a connection whose peer no longer reads its response. */
  private checkReader(connection: Connection, elapsed: number): void {
    const { socket } = connection;
    const waiting = socket.writableLength;
    const sent = socket.bytesWritten - waiting;
    const isStalled = waiting > 0 && sent === connection.bytesSent;
    connection.stalledMs = isStalled ? connection.stalledMs + elapsed : 0;
    connection.bytesSent = sent;
    if (connection.stalledMs >= this.timeouts.writeIdleMs) this.end(connection, 'slow_reader');
  }

  /** Ends a connection whose peer sends a body too slowly, or continues to send a rejected one. */
  private checkBody(connection: Connection, exchange: Exchange, elapsed: number): void {
    const { bodyIdleMs, bodyBytesPerSecond, drainMs } = this.timeouts;
    const { request, response, bytesAtStart } = exchange;
    const { bytesRead } = connection.socket;
    const hasArrived = bytesRead !== exchange.bytesRead;
    exchange.bytesRead = bytesRead;
    if (response.closed) {
      exchange.waitedMs += elapsed;
      if (exchange.waitedMs >= drainMs) this.end(connection, 'unread_body');
      return;
    }
    // While the server itself does not read, the peer cannot send.
    if (request.readableFlowing !== true) return;
    exchange.waitedMs += elapsed;
    exchange.quietMs = hasArrived ? 0 : exchange.quietMs + elapsed;
    const allowedMs = bodyIdleMs + ((bytesRead - bytesAtStart) / bodyBytesPerSecond) * 1_000;
    if (exchange.quietMs < bodyIdleMs && exchange.waitedMs < allowedMs) return;
    this.reject(connection, 'slow_body');
  }

  private onBroken(error: NodeJS.ErrnoException, socket: Socket): void {
    const connection = this.add(socket);
    const current = connection.exchanges.at(-1);
    const reason = rejectionReasonOf(error, current !== undefined && !current.request.complete);
    if (reason === null) {
      socket.destroy(error);
      return;
    }
    if (connection.isBroken) {
      // Nothing is written after the response to the first error.
      if (isIdle(connection) || !socket.writable) socket.destroy();
      return;
    }
    this.reject(connection, reason);
  }

  /** Responds to a request that cannot be processed, and ends its connection. */
  private reject(connection: Connection, reason: ConnectionRejection): void {
    const { socket, exchanges } = connection;
    connection.isBroken = true;
    const current = exchanges.at(-1);
    const isBetween = current === undefined || current.request.complete;
    // Earlier requests get their responses first.
    if (isBetween && !isIdle(connection)) {
      this.report(reason, current?.id);
      return;
    }
    const isWaitedFor = exchanges.some(({ response }) => response !== current?.response && !response.closed);
    if (!socket.writable || current?.response.headersSent || isWaitedFor) {
      this.end(connection, reason);
      return;
    }
    const { id, bytes } = brokenRequestResponse(reason, isBetween ? undefined : current);
    this.report(reason, id);
    socket.end(bytes);
    setTimeout(() => socket.destroy(), this.timeouts.lingerMs).unref();
  }

  /** Ends a connection without reading the rest of a body, whose chunks would each take time, however small. */
  private endUnread(connection: Connection, { id, request }: Exchange): void {
    const { socket } = connection;
    connection.isBroken = true;
    this.report('unread_body', id);
    // Node has just resumed both, which takes effect in the turn after this one.
    process.nextTick(() => {
      request.pause();
      socket.pause();
      socket.end();
    });
    setTimeout(() => socket.destroy(), this.timeouts.lingerMs).unref();
  }

  private end(connection: Connection, reason: ConnectionRejection): void {
    this.report(reason, connection.exchanges.at(-1)?.id);
    connection.socket.destroy();
  }

  private report(reason: ConnectionRejection, requestId: string | undefined): void {
    this.metrics.rejectedConnections.inc({ reason });
    this.log.debug('connection ended by the server', { reason, requestId });
  }
}

/** Reports whether every request has its response. */
const isIdle = ({ exchanges }: Connection): boolean => exchanges.every(({ response }) => response.closed);

const isChunked = ({ headers }: IncomingMessage): boolean => headers['transfer-encoding'] !== undefined;

/**
 * Stops reading from the connection while the body is not being read. Node would continue until it has 64 KiB of
 * content, which takes much time and memory for many small chunks. Reading the body resumes it.
 */
function readOnDemand(request: IncomingMessage): void {
  const { socket } = request;
  socket.pause();
  // An earlier resume may take effect only after this event.
  request.on('pause', () => process.nextTick(() => request.isPaused() && socket.pause()));
}
