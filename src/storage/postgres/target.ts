import { StartupError } from '../../errors.ts';

const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type SslMode = (typeof SSL_MODES)[number];

/** Values of `target_session_attrs`, which says whether a connection needs a server that accepts writes. */
const SESSIONS = ['any', 'read-write', 'primary'] as const;

/** Place of a database, and how connections to it are made. */
export interface DatabaseTarget {
  /** Servers in the order in which they are tried. A host that begins with a slash is the folder of a Unix socket. */
  hosts: readonly { host: string; port: number }[];
  database: string;
  user: string;
  password: string | null;
  sslMode: SslMode;
  /** Files in the format PEM. */
  sslRootCert: string | null;
  sslCert: string | null;
  sslKey: string | null;
  sessions: (typeof SESSIONS)[number];
  connectTimeoutMs: number;
  /** Milliseconds of silence after which it is looked whether the peer is there; null for never. */
  keepAliveMs: number | null;
}

const DEFAULT_PORT = 5432;
const CONNECT_SECONDS = 5;
const MAX_CONNECT_SECONDS = 60;
const KEEP_ALIVE_SECONDS = 5;
const MAX_HOSTS = 8;

const PARAMETERS = [
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'target_session_attrs',
  'connect_timeout',
  'keepalives',
  'keepalives_idle',
  'host',
  'port',
  'user',
  'password',
  'dbname',
] as const;
type Parameter = (typeof PARAMETERS)[number];

/** Parses the address of a database. Throws StartupError, which names `setting` and what is wrong, and no value. */
export function parseTarget(text: string, setting: string): DatabaseTarget {
  const wrong = (what: string): StartupError => new StartupError(`${setting} ${what}.`);
  const parts = /^postgres(?:ql)?:\/\/([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/.exec(text.trim());
  if (!parts)
    throw wrong(
      'must be an address such as postgres://user:password@host:5432/database; write special characters of a password percent-encoded',
    );
  const [, authority = '', path = '', query = ''] = parts;
  const decoded = (value: string, what: string): string => {
    try {
      return decodeURIComponent(value);
    } catch {
      throw wrong(`has a ${what} that is not percent-encoded correctly; write % as %25`);
    }
  };
  const given = parametersOf(query, decoded, wrong);
  const at = authority.lastIndexOf('@');
  const [user = '', ...secret] = at < 0 ? [''] : authority.slice(0, at).split(':');
  const password = secret.length === 0 ? null : decoded(secret.join(':'), 'password');
  const number = (name: Parameter, fallback: number, max: number): number => {
    const value = given.get(name);
    if (value === undefined) return fallback;
    if (!/^\d{1,5}$/.test(value) || Number(value) > max)
      throw wrong(`has a ${name} that is not a whole number from 0 to ${max}`);
    return Number(value);
  };
  const oneOf = <T extends string>(name: Parameter, allowed: readonly T[], fallback: T): T => {
    const value = given.get(name) ?? fallback;
    const found = allowed.find((one) => one === value);
    if (found === undefined) throw wrong(`has a ${name} that must be one of ${allowed.join(', ')}`);
    return found;
  };
  const target: DatabaseTarget = {
    hosts: hostsOf(given.get('host') ?? authority.slice(at + 1), given.get('port'), decoded, wrong),
    database: given.get('dbname') ?? decoded(path, 'name of a database'),
    user: given.get('user') ?? decoded(user, 'user'),
    password: given.get('password') ?? password,
    sslMode: oneOf('sslmode', SSL_MODES, 'prefer'),
    sslRootCert: given.get('sslrootcert') ?? null,
    sslCert: given.get('sslcert') ?? null,
    sslKey: given.get('sslkey') ?? null,
    sessions: oneOf('target_session_attrs', SESSIONS, 'any'),
    connectTimeoutMs:
      (number('connect_timeout', CONNECT_SECONDS, MAX_CONNECT_SECONDS) || CONNECT_SECONDS) * 1_000,
    keepAliveMs:
      oneOf('keepalives', ['0', '1'], '1') === '0'
        ? null
        : number('keepalives_idle', KEEP_ALIVE_SECONDS, 7_200) * 1_000,
  };
  if (target.user === '') throw wrong('has no user; write postgres://user:password@host/database');
  if (target.database === '')
    throw wrong('has no name of a database; write postgres://user:password@host/database');
  if ((target.sslCert === null) !== (target.sslKey === null))
    throw wrong('has only one of sslcert and sslkey; set both');
  return target;
}

type Decode = (value: string, what: string) => string;
type Wrong = (what: string) => StartupError;

function parametersOf(query: string, decoded: Decode, wrong: Wrong): Map<Parameter, string> {
  const given = new Map<Parameter, string>();
  for (const part of query.split('&').filter(Boolean)) {
    const [name = '', ...value] = part.split('=');
    const known = PARAMETERS.find((one) => one === name);
    if (known === undefined)
      throw wrong(`has a parameter that is unknown here; known are ${PARAMETERS.join(', ')}`);
    if (given.has(known)) throw wrong(`has the parameter ${known} more than once`);
    given.set(known, decoded(value.join('='), known));
  }
  return given;
}

function hostsOf(
  text: string,
  ports: string | undefined,
  decoded: Decode,
  wrong: Wrong,
): DatabaseTarget['hosts'] {
  const portOf = (port: string | undefined): number => {
    if (port === undefined || port === '') return DEFAULT_PORT;
    if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
      throw wrong('has a port that is not a number from 1 to 65535');
    return Number(port);
  };
  const listed = ports?.split(',');
  const hosts = text.split(',').map((one, index) => {
    const match = /^(\[[\da-fA-F:.%]+\]|[^:[\]]*)(?::(\d*))?$/.exec(one);
    if (!match) throw wrong('has a host that is none; write host:port, and an IPv6 address in brackets');
    const [, host = '', port] = match;
    const name = decoded(host, 'host').replace(/^\[(.*)\]$/, '$1');
    return { host: name || 'localhost', port: portOf(port ?? listed?.[index] ?? listed?.[0]) };
  });
  if (hosts.length > MAX_HOSTS) throw wrong(`has more than ${MAX_HOSTS} hosts`);
  return hosts;
}

/** Describes a database for people and logs: hosts and name, without user and password. */
export const describeTarget = ({ hosts, database }: DatabaseTarget): string =>
  `the database ${database} at ${hosts
    .map(({ host, port }) =>
      host.startsWith('/') ? host : `${host.includes(':') ? `[${host}]` : host}:${port}`,
    )
    .join(', ')}`;
