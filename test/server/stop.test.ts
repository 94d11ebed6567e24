import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { exportPath, GrpcConnection } from '../support/grpc.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';

/** Reports whether a port takes connections. */
async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

it('a stop closes the port for HTTP while calls over gRPC may still finish', async () => {
  const server = await startServer({ config: { grpcPort: 0 } });
  const grpcPort = server.grpcPort as number;
  const connection = await GrpcConnection.open(grpcPort);
  const call = connection.begin({
    path: exportPath('traces'),
    headers: { 'x-api-key': server.apiKey, 'x-application-id': server.applicationId },
  });
  call.write(Buffer.from([0, 0, 0, 0, 9]));
  await until(
    async () => (await server.call('GET', '/metrics')).text,
    (text) => /^touchstone_ingest_active_requests 1$/m.test(text),
  );

  let hasStopped = false;
  const stopped = server.close().then(() => (hasStopped = true));
  await until(
    () => isOpen(Number(new URL(server.url).port)),
    (open) => !open,
  );
  expect(hasStopped).toBe(false);
  expect(await Promise.race([call.reply, Promise.resolve('in progress')])).toBe('in progress');

  call.write(Buffer.alloc(9, 0x0a));
  call.end();
  expect(await call.reply).toMatchObject({ code: expect.any(Number) as number });
  connection.destroy();
  await stopped;
});
