/** Overload: a server whose memory for requests is occupied. */
import { memoryInUse } from '../support/ledger.ts';
import type { TestServer } from '../support/server.ts';
import { RawConnection, requestBytes } from '../support/sockets.ts';
import { until } from '../support/until.ts';

export const MIB = 1024 * 1024;
const SENDERS = 4;
/** Settings of a server that four unfinished requests fill. */
export const LITTLE_MEMORY = { maxBodyBytes: MIB, memoryBudgetBytes: SENDERS * MIB } as const;
/** Content that is too large for the memory that is left. */
export const LARGE_CONTENT_BYTES = 600_000;

/** Occupies most of the memory by the unfinished requests of several organisations, until the result is called. */
export async function fillMemory(server: TestServer): Promise<() => void> {
  const tenants = await Promise.all(
    Array.from({ length: SENDERS }, (_, i) => server.newTenant({ orgId: `sender ${i}` })),
  );
  const connections = await Promise.all(tenants.map(() => RawConnection.open(server.url)));
  for (const [i, { headers }] of tenants.entries()) {
    const request = {
      path: '/v1/traces',
      headers: { ...headers, 'content-type': 'application/x-protobuf' },
      body: Buffer.alloc(920_000, 0x20),
    };
    connections[i]?.write(requestBytes(request).subarray(0, 910_000));
  }
  await until(async () => (await memoryInUse(server)) > 3_600_000);
  return () => {
    for (const connection of connections) connection.destroy();
  };
}
