import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { connectForCommands, prepareDatabase } from '../../../src/storage/postgres/prepare.ts';
import { parseTarget } from '../../../src/storage/postgres/target.ts';
import { readTrace } from '../../../src/traces/calls.ts';
import { loadPostgres } from '../../support/build.ts';
import { startPostgres } from '../../support/postgres-server.ts';
import { traceBytes } from '../../support/spans.ts';
import { storeArgs, writeSlice } from '../../support/storage.ts';
import { until } from '../../support/until.ts';

// Read by the threads of the store, which compose their statements when they are loaded.
process.env['TOUCHSTONE_ENGINE'] = 'postgres';

const { openPostgresStorage } = await loadPostgres();
const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

/** `COMMIT` as a message of PostgreSQL's simple protocol. */
const COMMIT = Buffer.from('Q\0\0\0\u000bCOMMIT\0');

type OnCommit = (forward: () => void) => Promise<void>;

/** Starts a proxy before the server; what `onCommit` returns decides when a COMMIT that was not forwarded loses its connection. */
async function startProxy(onCommit: () => OnCommit | null): Promise<{ url: string; stop: () => void }> {
  const sockets = new Set<Socket>();
  const { port, hostname } = new URL(server.url);
  const proxy = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    sockets.add(client).add(upstream);
    let isHeld = false;
    const end = (): void => {
      if (isHeld) return;
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
    upstream.on('data', (chunk) => isHeld || client.write(chunk));
    client.on('data', (chunk: Buffer) => {
      const held = chunk.includes(COMMIT) ? onCommit() : null;
      if (!held) {
        upstream.write(chunk);
        return;
      }
      isHeld = true;
      void held(() => upstream.write(chunk)).finally(() => {
        isHeld = false;
        end();
      });
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = new URL(server.url);
  url.port = String((proxy.address() as AddressInfo).port);
  return {
    url: url.href,
    stop: () => {
      proxy.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Runs one statement as the owner of the database, past the proxy. */
function runAsOwner<Row>(sql: string): Row[] {
  const connection = connectForCommands(parseTarget(server.url, 'URL'));
  try {
    return connection.all<Row>(sql);
  } finally {
    connection.close();
  }
}

const COMMITS = 'SELECT coalesce(sum(number), 0)::int8 AS number FROM last_commits';

const numberOf = (sql: string): number => runAsOwner<{ number: number }>(sql)[0]?.number ?? Number.NaN;

it('a commit whose answer is lost counts as done only if it was, even when its number was given away', async () => {
  prepareDatabase(parseTarget(server.url, 'URL'), new Uint8Array(4));
  // What is not committed reaches no disk, so that a server that is killed gives its number to another transaction.
  runAsOwner("ALTER SYSTEM SET wal_writer_delay = '10s'");
  runAsOwner('CREATE TABLE of_another_transaction (number int)');
  runAsOwner("INSERT INTO last_commits VALUES (gen_random_uuid(), 1, now() - interval '2 hours')");
  await server.restart();
  let next: OnCommit | null = null;
  const takeNext = (): OnCommit | null => {
    const taken = next;
    next = null;
    return taken;
  };
  const proxy = await startProxy(takeNext);
  const deaths: Error[] = [];
  const storage = openPostgresStorage(parseTarget(proxy.url, 'URL'), (error) => deaths.push(error));
  const owner = { application: 1, applicationId: 'a', orgId: 'o' };
  const isStored = async (trace: number): Promise<boolean> =>
    (await storage.read(readTrace, { ...owner, traceIds: [traceBytes(trace)] })) !== null;
  const write = (trace: number) => writeSlice(storage.write, storeArgs(1, [{ trace, id: 1 }]));
  try {
    await until(() => numberOf('SELECT term AS number FROM touchstone_store') === 1);
    await write(1);
    // Numbers of connections that ended long ago are deleted.
    await until(
      () =>
        numberOf(
          `SELECT count(*) AS number FROM last_commits WHERE committed_at < now() - interval '1 hour'`,
        ) === 0,
    );

    let doubtful = 0;
    next = async () => {
      doubtful = numberOf('SELECT pg_snapshot_xmin(pg_current_snapshot())::text::int8 AS number');
      await server.stop('SIGQUIT');
      await server.start();
      runAsOwner('INSERT INTO of_another_transaction VALUES (1)');
    };
    await write(2);
    expect(next).toBeNull();
    expect(runAsOwner(`SELECT pg_xact_status('${doubtful}'::xid8) AS status`)).toEqual([
      { status: 'committed' },
    ]);
    expect(await isStored(2)).toBe(true);

    next = async (forward) => {
      const before = numberOf(COMMITS);
      forward();
      await until(() => numberOf(COMMITS) > before);
    };
    const again = await write(3);
    expect(next).toBeNull();
    expect(again).toMatchObject(await write(4));
    expect(await isStored(3)).toBe(true);
    expect(deaths).toEqual([]);
  } finally {
    await storage.close();
    proxy.stop();
  }
});
