import { randomUUID } from 'node:crypto';
import type { MessagePort } from 'node:worker_threads';
import type { Client } from 'pg';
import { connectTo } from './connect.ts';
import type {
  ConnectionRequest,
  ConnectionResponse,
  DoubtfulCommit,
  OpenConnection,
  StatementRequest,
} from './io-messages.ts';

/** Types of values that arrive as text, so that the thread that waits for them decides what they become. */
const AS_TEXT = { getTypeParser: () => (text: string) => text };

const CHANGING = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** Transactions that this thread has committed and that changed something. */
export const ownCommits = { count: 0 };

/** Connects to the database and answers the requests of one port, in their order. Errors of the connection are answers too. */
export function serveConnection({ target, limits, port, signal }: OpenConnection): void {
  const flag = new Int32Array(signal);
  const commits = { connection: randomUUID(), number: 0 };
  const connected = connectTo(target, limits);
  connected.catch(() => undefined);
  const answer = (response: ConnectionResponse): void => {
    port.postMessage(response);
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  };
  let last: Promise<void> = Promise.resolve();
  port.on('message', (request: ConnectionRequest) => {
    last = last.then(() => serve(request, { connected, commits, answer, port }));
  });
}

interface Served {
  connected: Promise<Client>;
  /** Name of this connection in `last_commits`, and the number of its last commit. */
  commits: { connection: string; number: number };
  answer: (response: ConnectionResponse) => void;
  port: MessagePort;
}

async function serve(
  request: ConnectionRequest,
  { connected, commits, answer, port }: Served,
): Promise<void> {
  if ('close' in request) {
    await connected.then((client) => client.end()).catch(() => undefined);
    port.close();
    return;
  }
  const isSilent = 'silent' in request && request.silent;
  try {
    const client = await connected;
    if ('commit' in request) answer(await commit(client, commits));
    else if ('statement' in request) answer(await run(client, request.statement));
    else {
      await client.query(request.script);
      if (!isSilent) answer({ rows: [], columns: [], changed: 0 });
    }
  } catch (error) {
    if (!isSilent) answer({ fault: faultOf(error) });
  }
}

class CommitFault extends Error {
  readonly doubtful: DoubtfulCommit | null;
  constructor(doubtful: DoubtfulCommit | null, cause: unknown) {
    super('the commit failed', { cause });
    this.doubtful = doubtful;
  }
}

/** Writes down the number of a commit, if its transaction has changed something. */
const NOTE_COMMIT = {
  name: 'note_commit',
  text: `INSERT INTO last_commits (connection, number)
    SELECT CAST($1 AS uuid), CAST($2 AS int8) WHERE pg_current_xact_id_if_assigned() IS NOT NULL
    ON CONFLICT (connection) DO UPDATE SET number = EXCLUDED.number, committed_at = EXCLUDED.committed_at
    RETURNING pg_current_xact_id()::text AS transaction`,
};

/** Commits. What a lost connection leaves in doubt is known by the number of the commit, which is part of it. */
async function commit(client: Client, commits: Served['commits']): Promise<ConnectionResponse> {
  const { connection } = commits;
  const number = commits.number + 1;
  const values = [connection, number];
  const { rows } = await client.query<{ transaction: string }>({ ...NOTE_COMMIT, values });
  const transaction = rows[0]?.transaction ?? null;
  commits.number = number;
  try {
    await client.query('COMMIT');
  } catch (error) {
    throw new CommitFault(transaction === null ? null : { transaction, connection, number }, error);
  }
  if (transaction !== null) ownCommits.count += 1;
  return { hasChanged: transaction !== null };
}

async function run(
  client: Client,
  { text, name, values, before }: StatementRequest,
): Promise<ConnectionResponse> {
  // Both are sent without waiting for the first: after a failure of it, the second fails as well.
  const begun = before === null ? null : client.query(before);
  const query = { text, name, values: [...values], rowMode: 'array' as const, types: AS_TEXT };
  const done = client.query<(string | null)[]>(query);
  done.catch(() => undefined);
  await begun;
  const { rows, fields, rowCount, command } = await done;
  return {
    rows,
    columns: fields.map(({ name: column, dataTypeID }) => ({ name: column, type: dataTypeID })),
    changed: CHANGING.has(command) ? (rowCount ?? 0) : 0,
  };
}

function faultOf(error: unknown): { code: string; message: string; unknownCommit: DoubtfulCommit | null } {
  const isCommit = error instanceof CommitFault;
  const cause = (isCommit ? error.cause : error) as { code?: string; message?: string; severity?: string };
  // The driver gives lost connections no code.
  const code = cause.code ?? (cause.severity === undefined ? 'ECONNRESET' : 'XX000');
  const isAnswered = cause.severity !== undefined;
  return {
    code,
    message: cause.message || code,
    // A fault that the server reports at COMMIT has rolled back, unless it is ending.
    unknownCommit: isCommit && (!isAnswered || code.startsWith('57P')) ? error.doubtful : null,
  };
}
