import { randomUUID } from 'node:crypto';
import { DATA_DIR_FLAG, readConfig } from '../config.ts';
import { readFlags } from '../config/flags.ts';
import { SCOPES, scopeName, type ScopeName } from '../contract/scope.ts';
import { StartupError } from '../errors.ts';
import { generateKey } from '../resources/api-keys/key-text.ts';
import { insertKey, revokeAnyKey } from '../resources/api-keys/store.ts';
import type { Database } from '../storage/database.ts';
import { chooseApplication } from './choose-application.ts';
import { withExistingStore } from './data-folder.ts';
import type { Io } from './io.ts';
import { formatTable } from './tables.ts';

const DEFAULT_SCOPES = SCOPES.filter((scope) => scope !== 'admin');

export function createKeyCommand(args: readonly string[], io: Io): void {
  const { flags, words } = readFlags(args, {
    values: [DATA_DIR_FLAG, '--application-id', '--name', '--scopes', '--expires-at'],
    switches: ['--json'],
  });
  if (words[0] !== undefined) throw new StartupError(`keys create takes no "${words[0]}".`);
  const name = flags.get('--name') ?? 'Command line';
  if (name.length < 1 || name.length > 256)
    throw new StartupError('--name must be 1 to 256 characters long.');
  const scopes = readScopes(flags.get('--scopes'));
  const at = Date.now();
  const expiresAt = readExpiry(flags.get('--expires-at'), at);

  const { text, keyId, hash } = generateKey();
  const id = withExistingStore(readConfig(flags, io.env).config, (database) => {
    const { application, id: applicationId } = chooseApplication(database, flags.get('--application-id'));
    insertKey(database, { application, id: randomUUID(), keyId, hash, name, scopes, at, expiresAt });
    return applicationId;
  });
  if (flags.has('--json')) {
    io.out(
      `${JSON.stringify({ key: text, keyId, applicationId: id, name, scopes, expiresAt: timeOf(expiresAt) })}\n`,
    );
    return;
  }
  // Only the key is written to standard output, so that a script can read it.
  io.err(`Key ${keyId} (${scopes.join(', ')}) of application ${id}, shown only now:\n`);
  io.out(`${text}\n`);
}

export function listKeysCommand(args: readonly string[], io: Io): void {
  const { flags, words } = readFlags(args, {
    values: [DATA_DIR_FLAG, '--application-id'],
    switches: ['--json'],
  });
  if (words[0] !== undefined) throw new StartupError(`keys list takes no "${words[0]}".`);
  const wanted = flags.get('--application-id');
  const rows = withExistingStore(readConfig(flags, io.env).config, (database) =>
    keyRows(database, wanted === undefined ? null : chooseApplication(database, wanted).application),
  );
  if (flags.has('--json')) {
    const keys = rows.map(({ scopes, createdAt, expiresAt, revokedAt, ...row }) => ({
      ...row,
      scopes: scopes.split(','),
      createdAt: timeOf(createdAt),
      expiresAt: timeOf(expiresAt),
      revokedAt: timeOf(revokedAt),
    }));
    io.out(`${JSON.stringify({ keys })}\n`);
    return;
  }
  io.out(
    formatTable(
      ['KEY', 'APPLICATION', 'NAME', 'SCOPES', 'CREATED', 'EXPIRES', 'REVOKED'],
      rows.map((row) => [
        row.keyId,
        row.applicationId,
        row.name,
        row.scopes,
        day(row.createdAt),
        day(row.expiresAt),
        day(row.revokedAt),
      ]),
    ),
  );
}

export function revokeKeyCommand(args: readonly string[], io: Io): void {
  const { flags, words } = readFlags(args, { values: [DATA_DIR_FLAG], switches: ['--json'] });
  const [name, more] = words;
  if (name === undefined || more !== undefined) {
    throw new StartupError('keys revoke takes one key: its id, or the 12 characters after sk_.');
  }
  const key = withExistingStore(readConfig(flags, io.env).config, (database) => {
    const keyId = name.replace(/^sk_([A-Za-z\d]{12}).*$/s, '$1');
    return revokeAnyKey(database, { name: { keyId, id: name.toLowerCase() }, at: Date.now() });
  });
  if (!key) throw new StartupError('There is no such API key; see keys list.');
  if (flags.has('--json')) io.out(`${JSON.stringify(key)}\n`);
  else io.out(key.wasRevoked ? `${key.keyId} is already revoked.\n` : `Revoked ${key.keyId}.\n`);
}

interface KeyRow {
  keyId: string;
  applicationId: string;
  name: string;
  scopes: string;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
}

/**
 * Returns all keys, including revoked ones; with `null`, those of every application, which only the owner of the
 * machine may list.
 */
const keyRows = (database: Database, application: number | null): KeyRow[] =>
  database.all<KeyRow>(
    `SELECT k.key_id AS keyId, a.id AS applicationId, k.name, replace(k.scopes, ' ', ',') AS scopes,
            k.created_at AS createdAt, k.expires_at AS expiresAt, k.revoked_at AS revokedAt
     FROM api_key k JOIN application a ON a.application = k.application
     WHERE k.application = :application OR :application IS NULL ORDER BY k.application, k.created_at, k.id`,
    { application },
  );

const timeOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
const day = (at: number | null): string => (at === null ? '-' : new Date(at).toISOString().slice(0, 10));

function readScopes(text: string | undefined): readonly ScopeName[] {
  if (text === undefined) return DEFAULT_SCOPES;
  const scopes = text.split(',').map((word) => word.trim());
  const parsed = scopeName.array().safeParse(scopes);
  if (!parsed.success) {
    throw new StartupError(
      `--scopes must be a comma-separated list of ${SCOPES.join(', ')}, not ${JSON.stringify(text.slice(0, 80))}.`,
    );
  }
  return [...new Set(parsed.data)];
}

function readExpiry(text: string | undefined, now: number): number | null {
  if (text === undefined) return null;
  const time = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
    ? Date.parse(text)
    : NaN;
  if (!(time > now)) {
    throw new StartupError(
      `--expires-at must be a time in the future, such as 2031-01-31 or 2031-01-31T12:00:00Z, not ${JSON.stringify(text.slice(0, 80))}.`,
    );
  }
  return time;
}
