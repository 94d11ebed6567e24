import type { Client } from 'pg';
import { connectTo } from './connect.ts';
import type { StoreReport } from './io-messages.ts';
import { ownCommits } from './serve-connection.ts';
import type { DatabaseTarget } from './target.ts';

/** Interval at which it is looked whether the store can be written and whether others have written. */
const LOOK_MS = 1_000;
/** Number of looks after which the size of the database is read again. */
const LOOKS_PER_SIZE = 60;
const LIMITS = { statementMs: 2_000, lockMs: 1_000 };

interface Look {
  last: string;
  unwritable: boolean;
}

/** Watches a store from the I/O thread, by a connection of its own, and reports what has changed. Returns what ends it. */
export function watchStoreOf(target: DatabaseTarget, report: (report: StoreReport) => void): () => void {
  let client: Client | null = null;
  let before: { last: bigint; own: number } | null = null;
  let [foreignChanges, looks] = [0, 0];
  let fileBytes: number | null = null;
  let reported = '';
  let isEnded = false;
  let timer: NodeJS.Timeout;

  const look = async (): Promise<string | null> => {
    client ??= await connectTo({ ...target, sessions: 'any' }, LIMITS);
    const { rows } = await client.query<Look>(
      `SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS last,
         current_setting('transaction_read_only') = 'on' AS unwritable`,
    );
    const { last = '0', unwritable = true } = rows[0] ?? {};
    const now = { last: BigInt(last), own: ownCommits.count };
    // Each transaction that changes something takes the next number.
    if (before && now.last - before.last > BigInt(now.own - before.own)) foreignChanges += 1;
    before = now;
    if (looks % LOOKS_PER_SIZE === 0) {
      const size = await client.query<{ bytes: string }>(
        'SELECT pg_database_size(current_database()) AS bytes',
      );
      fileBytes = Number(size.rows[0]?.bytes ?? 0);
    }
    looks += 1;
    return unwritable ? '25006' : null;
  };
  const tick = async (): Promise<void> => {
    let failure: string | null;
    try {
      failure = await look();
    } catch (error) {
      failure = (error as { code?: string }).code ?? 'ECONNRESET';
      void client?.end().catch(() => undefined);
      client = null;
      before = null;
      foreignChanges += 1;
    }
    if (isEnded) {
      await client?.end().catch(() => undefined);
      return;
    }
    const found: StoreReport = { foreignChanges, failure, fileBytes };
    const text = JSON.stringify(found);
    if (text !== reported) report(found);
    reported = text;
    timer = setTimeout(() => void tick(), LOOK_MS);
  };
  void tick();
  return () => {
    isEnded = true;
    clearTimeout(timer);
    void client?.end().catch(() => undefined);
  };
}
