import { readFileSync } from 'node:fs';
import { Client, type ClientConfig } from 'pg';
import type { DatabaseTarget } from './target.ts';

/** Limits of the statements of a connection in milliseconds; 0 for none. */
export interface StatementLimits {
  statementMs: number;
  lockMs: number;
}

/** Milliseconds after which the database ends a transaction whose process does nothing, and releases its locks. */
const IDLE_TRANSACTION_MS = 30_000;
/** Settings of each session, whatever those of the database and its user are. */
const SESSION =
  '-c TimeZone=UTC -c DateStyle=ISO -c bytea_output=hex -c jit=off -c client_min_messages=warning';

/** Error of a connection, with a code in place of an SQLSTATE where there is none. */
class ConnectFault extends Error {
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** Connects to the first host that responds and is one of those wanted. Throws the error of the last one. */
export async function connectTo(target: DatabaseTarget, limits: StatementLimits): Promise<Client> {
  let last: unknown = null;
  for (const place of target.hosts) {
    try {
      return await connectToHost(target, place, limits);
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

async function connectToHost(
  target: DatabaseTarget,
  place: DatabaseTarget['hosts'][number],
  limits: StatementLimits,
): Promise<Client> {
  const { sslMode } = target;
  const isSocket = place.host.startsWith('/');
  const isSecured = sslMode !== 'disable' && !isSocket;
  const client = await open(target, place, { limits, isSecured }).catch((error: unknown) => {
    const mayBePlain = sslMode === 'prefer' && /does not support SSL/.test((error as Error).message);
    if (!mayBePlain) throw error;
    return open(target, place, { limits, isSecured: false });
  });
  if (target.sessions === 'any') return client;
  const { rows } = await client.query<{ off: string }>(
    `SELECT current_setting('transaction_read_only') AS off`,
  );
  if (rows[0]?.off === 'off') return client;
  await client.end().catch(() => undefined);
  throw new ConnectFault(`${place.host} takes no writes`, '25006');
}

async function open(
  target: DatabaseTarget,
  { host, port }: DatabaseTarget['hosts'][number],
  { limits, isSecured }: { limits: StatementLimits; isSecured: boolean },
): Promise<Client> {
  const client = new Client({
    host,
    port,
    user: target.user,
    database: target.database,
    ...(target.password !== null && { password: target.password }),
    ssl: isSecured ? sslOf(target) : false,
    enableChannelBinding: isSecured,
    connectionTimeoutMillis: target.connectTimeoutMs,
    keepAlive: target.keepAliveMs !== null,
    ...(target.keepAliveMs !== null && { keepAliveInitialDelayMillis: target.keepAliveMs }),
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    application_name: 'touchstone',
    options: SESSION,
  });
  // Without a listener, an error between two statements would end the process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Returns what Node needs for TLS. Without a certificate of an authority, `require` encrypts and verifies nothing, as in libpq. */
function sslOf({ sslMode, sslRootCert, sslCert, sslKey }: DatabaseTarget): ClientConfig['ssl'] {
  const verifies =
    sslMode === 'verify-ca' || sslMode === 'verify-full' || (sslMode === 'require' && sslRootCert !== null);
  return {
    rejectUnauthorized: verifies,
    ...(sslRootCert !== null && { ca: read(sslRootCert, 'sslrootcert') }),
    ...(sslCert !== null && { cert: read(sslCert, 'sslcert') }),
    ...(sslKey !== null && { key: read(sslKey, 'sslkey') }),
    ...(sslMode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  };
}

function read(file: string, parameter: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConnectFault(
      `the file of ${parameter} cannot be read (${(error as NodeJS.ErrnoException).code})`,
      'TOUCHSTONE_FILE',
    );
  }
}
