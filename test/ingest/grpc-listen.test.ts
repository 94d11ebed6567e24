import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type GrpcListener, listenGrpc } from '../../src/ingest/grpc/listen.ts';
import type { Intake } from '../../src/ingest/intake.ts';
import { FairShare } from '../../src/runtime/fair-share.ts';
import { createLog } from '../../src/runtime/log.ts';
import { MemoryBudget } from '../../src/runtime/memory-budget.ts';
import { createMetrics } from '../../src/runtime/metrics.ts';
import { NO_TRACES } from '../../src/runtime/own-traces/traces.ts';
import { NEVER_REVOKED } from '../../src/runtime/open-calls.ts';
import { framed, GrpcConnection } from '../support/grpc.ts';

const MIB = 1024 * 1024;
const BODY_IDLE_MS = 50;
const DEADLINE_EXCEEDED = 4;

/** Listens with a time for messages that passes soon, and times for connections that do not. */
const listen = (intake: Pick<Intake, 'run'>, budget: MemoryBudget): Promise<GrpcListener> =>
  listenGrpc({
    host: '127.0.0.1',
    port: 0,
    maxConnections: 10,
    maxBodyBytes: MIB,
    limits: {
      bodyIdleMs: BODY_IDLE_MS,
      bodyBytesPerSecond: 1_000,
      requestMs: 60_000,
      checkMs: 10,
      headersMs: 60_000,
      lingerMs: 10,
      grpcPingMs: 60_000,
      grpcPingTimeoutMs: 60_000,
      grpcIdleMs: 60_000,
    },
    authenticate: () => Promise.reject(new Error('the intake asks for nobody')),
    intake: intake as Intake,
    metrics: createMetrics({
      storeNumbers: () => Promise.reject(new Error('there is no store')),
      memory: budget,
    }),
    traces: NO_TRACES,
    log: createLog({ level: 'error', write: () => undefined, forPeople: false }),
  });

it('a call whose message does not come ends, though authentication takes longer than its message may', async () => {
  const budget = new MemoryBudget(MIB);
  const share = new FairShare(budget, 1).open(1);
  const intake: Pick<Intake, 'run'> = {
    run: async ({ read }) => {
      await delay(4 * BODY_IDLE_MS);
      await read(share, NEVER_REVOKED);
      throw new Error('it was read');
    },
  };
  const listener = await listen(intake, budget);
  const connection = await GrpcConnection.open(listener.port);
  const { code } = await connection.call({
    bytes: framed(Buffer.alloc(10), { length: 100 }),
    isEnded: false,
  });
  expect(code).toBe(DEADLINE_EXCEEDED);
  connection.destroy();
  await listener.close(0);
});

/** The first bytes of a client of HTTP/2, with settings that change nothing. */
const PREFACE = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
]);
/** A time that no test reaches. */
const DAY_MS = 86_400_000;

it.each([
  ['that has sent nothing', Buffer.alloc(0)],
  ['without a call, whose client never closes its end', PREFACE],
])('a connection %s does not hold up the end of the server', async (_what, bytes) => {
  const intake = { run: () => Promise.reject(new Error('there is no call')) };
  const listener = await listen(intake, new MemoryBudget(MIB));
  const client = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true });
  client.on('error', () => undefined);
  await once(client, 'connect');
  if (bytes.length > 0) {
    client.write(bytes);
    // The settings of the server.
    await once(client, 'data');
  }
  await expect(listener.close(DAY_MS)).resolves.toBeUndefined();
  client.destroy();
});
