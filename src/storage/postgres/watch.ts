import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { connectTo } from './connect.ts';
import type { Notice, StoreReport } from './io-messages.ts';
import { ALL, LEADER, LIVING, LOCK_CLASS } from './locks.ts';
import { noticeText, readNotice } from './notice-text.ts';
import { ownCommits } from './serve-connection.ts';
import type { DatabaseTarget } from './target.ts';

/** Interval at which it is looked whether the store can be written and whether others have written. */
const LOOK_MS = 1_000;
/** Time after which a look that has no answer has failed. */
const LOST_MS = 5_000;
/**
 * Time without a look after which the database ends the connection, and with it the leadership of a process that is suspended
 * or has lost its network.
 */
const SILENT_MS = 6_000;
/** Number of looks after which the size of the database is read again, and old numbers of commits are deleted. */
const LOOKS_PER_SIZE = 60;
const LIMITS = { statementMs: 2_000, lockMs: 1_000 };
/** Deletes the last commits of connections that have long ended. A doubt about a commit lasts seconds. */
const FORGET_COMMITS = "DELETE FROM last_commits WHERE committed_at < now() - interval '1 hour'";
const CHANNEL = 'touchstone';

interface Look {
  last: string;
  unwritable: boolean;
  schema: number | null;
  replicas: number;
}

// The second key of an advisory lock is shown as a number without a sign.
const LOOK = `SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS last,
  current_setting('transaction_read_only') = 'on' AS unwritable, (SELECT schema FROM touchstone_store) AS schema,
  (SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND classid = ${LOCK_CLASS} AND objid = ${2 ** 32 + LIVING}
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS replicas`;

/** Watches a store from the I/O thread, by a connection of its own, and reports what has changed. */
export class StoreWatcher {
  private readonly target: DatabaseTarget;
  private readonly report: (report: StoreReport) => void;
  /** Name of this process among those that publish notices. */
  private readonly id = randomUUID();
  private client: Client | null = null;
  private isListening = false;
  private term: number | null = null;
  private before: { last: bigint; own: number } | null = null;
  private foreignChanges = 0;
  private looks = 0;
  private fileBytes: number | null = null;
  private facts: Pick<StoreReport, 'failure' | 'schema' | 'replicas'> = {
    failure: null,
    schema: null,
    replicas: 1,
  };
  private reported = '';

  constructor(target: DatabaseTarget, report: (report: StoreReport) => void) {
    this.target = target;
    this.report = report;
    void this.tick();
  }

  /** Sends a notice to all other processes; without a connection it is lost. */
  publish(notice: Notice): void {
    if (!this.isListening) return;
    const text = noticeText({ ...notice, from: this.id });
    void this.client?.query('SELECT pg_notify($1, $2)', [CHANNEL, text]).catch(() => undefined);
  }

  private async tick(): Promise<void> {
    try {
      await within(LOST_MS, this.look());
    } catch (error) {
      this.disconnect((error as { code?: string }).code ?? 'ECONNRESET');
    }
    this.tell([]);
    setTimeout(() => void this.tick(), LOOK_MS);
  }

  private async look(): Promise<void> {
    const client = (this.client ??= await this.connect());
    const { rows } = await client.query<Look>(LOOK);
    const { last = '0', unwritable = true, schema = null, replicas = 1 } = rows[0] ?? {};
    const now = { last: BigInt(last), own: ownCommits.count };
    // Each transaction that changes something takes the next number.
    if (this.before && now.last - this.before.last > BigInt(now.own - this.before.own))
      this.foreignChanges += 1;
    this.before = now;
    const isTimeToTidy = this.looks % LOOKS_PER_SIZE === 0;
    if (isTimeToTidy) {
      const size = await client.query<{ bytes: string }>(
        'SELECT pg_database_size(current_database()) AS bytes',
      );
      this.fileBytes = Number(size.rows[0]?.bytes ?? 0);
    }
    this.looks += 1;
    if (!unwritable && !this.isListening) await this.listen(client);
    if (!unwritable && this.term === null) this.term = await takeLead(client);
    if (unwritable) this.term = null;
    if (isTimeToTidy && this.term !== null) {
      const { rowCount } = await client.query(FORGET_COMMITS);
      if (rowCount) ownCommits.count += 1;
    }
    this.facts = { failure: unwritable ? '25006' : null, schema, replicas: Math.max(1, replicas) };
  }

  private async connect(): Promise<Client> {
    const client = await connectTo({ ...this.target, sessions: 'any' }, LIMITS);
    await client.query(`SET idle_session_timeout = ${SILENT_MS}`);
    client.on('end', () => {
      if (this.client === client) this.disconnect('ECONNRESET');
      this.tell([]);
    });
    client.on('notification', ({ payload = '' }) => this.receive(payload));
    return client;
  }

  /** Standbys permit no LISTEN. */
  private async listen(client: Client): Promise<void> {
    await client.query(`LISTEN ${CHANNEL}`);
    await client.query(`SELECT pg_advisory_lock_shared(${LOCK_CLASS}, ${LIVING})`);
    this.isListening = true;
  }

  private receive(payload: string): void {
    const notice = readNotice(payload);
    if (notice && notice.from !== this.id) this.tell([{ topic: notice.topic, text: notice.text }]);
  }

  private disconnect(failure: string): void {
    const { client } = this;
    this.client = null;
    this.isListening = false;
    this.term = null;
    this.before = null;
    this.foreignChanges += 1;
    this.facts = { ...this.facts, failure };
    void client?.end().catch(() => undefined);
  }

  private tell(notices: readonly Notice[]): void {
    const { foreignChanges, fileBytes, term, facts } = this;
    const report: StoreReport = { foreignChanges, fileBytes, term, ...facts, notices };
    const text = JSON.stringify(report);
    if (text !== this.reported || notices.length > 0) this.report(report);
    this.reported = text;
  }
}

/**
 * Makes this process the leader if there is none, and returns its term; null if another one leads. The lock ends with the
 * connection. The term begins while no command runs, and those of earlier terms find out that theirs is over.
 */
async function takeLead(client: Client): Promise<number | null> {
  const { rows } = await client.query<{ mine: boolean }>(
    `SELECT pg_try_advisory_lock(${LOCK_CLASS}, ${LEADER}) AS mine`,
  );
  if (rows[0]?.mine !== true) return null;
  await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${LOCK_CLASS}, ${ALL})`);
  const begun = await client.query<{ term: string }>(
    'UPDATE touchstone_store SET term = term + 1 RETURNING term',
  );
  await client.query('COMMIT');
  return Number(begun.rows[0]?.term);
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })),
    milliseconds,
  );
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
