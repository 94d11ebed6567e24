import type { FastifyInstance } from 'fastify';
import type { Log } from '../runtime/log.ts';
import type { Connections } from '../server/connections.ts';

/** Time in milliseconds for which requests in progress may continue once the server stops. */
export const FINISH_MS = 10_000;

/** Stops accepting requests, and gives those in progress some time to finish. */
export async function closeServer(app: FastifyInstance, connections: Connections, log: Log): Promise<void> {
  const late = setTimeout(() => {
    log.warn('requests were aborted because they did not finish in time', { afterMs: FINISH_MS });
    connections.destroyAll();
  }, FINISH_MS);
  try {
    await app.close();
  } finally {
    clearTimeout(late);
    connections.destroyAll();
  }
}
