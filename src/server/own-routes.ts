import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Authenticator, requireScope } from '../auth.ts';
import type { Config } from '../config.ts';
import type { Log } from '../runtime/log.ts';
import { headOf } from '../ingest/http-head.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { createLocalCheck } from './local-caller.ts';
import type { WatchCredentials } from './watch-credentials.ts';

export interface OwnRouteDeps {
  config: Pick<Config, 'host' | 'publicUrl' | 'trustedProxies' | 'knownHosts'>;
  authenticator: Authenticator;
  metrics: Pick<Metrics, 'text' | 'contentType'>;
  /** Checks the store; rejects when it does not respond. */
  askStore: () => Promise<unknown>;
  log: Log;
  /** Aborts when the server begins to stop. */
  draining: AbortSignal;
  /** Records failures of the authentication of a request. */
  watch: WatchCredentials;
}

const READY_MS = 2_000;

/** Routes for the operator of the server. */
export function addOwnRoutes(
  app: FastifyInstance,
  { config, authenticator, metrics, askStore, log, draining, watch }: OwnRouteDeps,
): void {
  const isLocal = createLocalCheck(config);

  app.get('/healthz', () => ({ status: 'ok' }));

  app.get('/readyz', async (_request, reply) => {
    if (draining.aborted)
      return reply.code(503).header('retry-after', '1').send({ message: 'The server is stopping' });
    try {
      await within(READY_MS, askStore());
      return { status: 'ok' };
    } catch (error) {
      log.warn('not ready: the store does not respond', { error });
      return reply.code(503).header('retry-after', '1').send({ message: 'The store does not respond' });
    }
  });

  app.get('/metrics', async (request: FastifyRequest, reply: FastifyReply) => {
    const peer = request.raw.socket.remoteAddress ?? '';
    const isOperator = isLocal({ headers: request.headers, peer }) && !hasKey(request);
    const caller = isOperator
      ? null
      : await watch(headOf(request), async () =>
          requireScope(await principalOf(authenticator, request), 'read'),
        );
    // A key sees the series of its own organisation only.
    return reply.type(metrics.contentType).send(await metrics.text(caller?.organisation ?? null));
  });
}

const hasKey = ({ headers }: FastifyRequest): boolean =>
  headers.authorization !== undefined || headers['x-api-key'] !== undefined;

function principalOf(
  authenticator: Authenticator,
  { headers }: FastifyRequest,
): ReturnType<Authenticator['authenticate']> {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  return bearer === undefined ? authenticator.authenticate(headers) : authenticator.authenticateKey(bearer);
}

async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise((_resolve, reject) => {
    const fail = (): void => reject(new Error(`no response within ${milliseconds} ms`));
    // A response that arrived while this thread was busy is received between the two timers.
    timer = setTimeout(() => setImmediate(fail), milliseconds);
  });
  await Promise.race([work, tooLate]).finally(() => clearTimeout(timer));
}
