import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { GrpcListener } from '../ingest/grpc/listen.ts';
import type { AuthenticateSender } from '../ingest/intake.ts';
import type { IngestReceiver } from '../ingest/receiver.ts';
import type { Log } from '../runtime/log.ts';
import type { HttpTimeouts } from '../server/timeouts.ts';
import { isPortInUse, type ListenAddress, listenFailure } from './failure.ts';

/** Port at which exporters of OTLP over gRPC look for a server on the same machine. */
const USUAL_GRPC_PORT = 4317;

const httpAddress = ({ host, port }: Config): ListenAddress => ({
  host,
  port,
  hostFlag: '--host',
  portFlag: '--port',
});

const grpcAddress = ({ host, grpcHost, grpcPort }: Config): ListenAddress | null =>
  grpcPort === 'off'
    ? null
    : {
        host: grpcHost ?? host,
        port: grpcPort ?? USUAL_GRPC_PORT,
        hostFlag: grpcHost === null ? '--host' : '--grpc-host',
        portFlag: '--grpc-port',
      };

/**
 * Checks that the server can listen, before it creates any file, because a port in use is the most common failure.
 * Throws StartupError.
 */
export async function checkPorts(config: Config): Promise<void> {
  await tryToListen(httpAddress(config));
  const grpc = grpcAddress(config);
  // The usual port is only used if it is free.
  if (grpc && config.grpcPort !== null) await tryToListen(grpc);
}

async function tryToListen(address: ListenAddress): Promise<void> {
  const { host, port } = address;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const probe = createServer().once('error', reject).listen({ host, port, exclusive: true }, resolve);
  try {
    await promise;
  } catch (error) {
    throw listenFailure(error, address);
  }
  await new Promise((closed) => probe.close(closed));
}

/** Starts listening for HTTP and returns the port. Throws StartupError. */
export async function listenHttp(app: FastifyInstance, config: Config): Promise<number> {
  const { host, port } = config;
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw listenFailure(error, httpAddress(config));
  }
  const address = app.server.address();
  return typeof address === 'object' && address ? address.port : port;
}

/**
 * Starts listening for gRPC, unless it is off, or no port is set and the usual one is in use. Throws StartupError.
 */
export async function openGrpcPort(
  { listenGrpc: listen }: IngestReceiver,
  parts: { config: Config; timeouts: HttpTimeouts; log: Log; authenticate: AuthenticateSender },
): Promise<GrpcListener | null> {
  const { config, timeouts, log, authenticate } = parts;
  const address = grpcAddress(config);
  if (!address) return null;
  const { host, port } = address;
  const { maxConnections } = config;
  try {
    return await listen({ host, port, maxConnections, limits: timeouts, authenticate });
  } catch (error) {
    if (config.grpcPort !== null || !isPortInUse(error)) throw listenFailure(error, address);
    log.warn(
      `Port ${port} of ${host} is in use by another program, so OTLP over gRPC is off; choose another port with --grpc-port, or turn it off with --grpc-port off.`,
    );
    return null;
  }
}
