import { existsSync, statSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { isLoopback } from '../runtime/loopback.ts';
import { keyMark, sealedMark } from '../runtime/secrets.ts';
import type { Database } from '../storage/database.ts';
import { secretKeyFile } from './data-folder.ts';
import { localUrl } from './local-url.ts';
import { presentKey } from './present-key.ts';

const MAX_TITLES = 5;

/**
 * Warns of webhooks that were sealed with another secret key than the present one, such as after a restore without
 * `secret.key`; null if there are none.
 */
export function sealedElsewhereWarning(database: Database, config: Config): string | null {
  const key = presentKey(config);
  const sealed = database
    .all<{ title: string; secret: Uint8Array }>(
      `SELECT application.title, sealed.secret FROM
         (SELECT application, secret FROM webhook UNION ALL SELECT application, secret FROM issue_webhook) AS sealed
       JOIN application USING (application) ORDER BY application`,
    )
    .map(({ title, secret }) => ({ title, mark: sealedMark(secret) }));
  const own = key === null ? null : keyMark(key).toString('hex');
  const foreign = sealed.filter(({ mark }) => mark !== own);
  if (foreign.length === 0) return null;
  const all = [...new Set(foreign.map(({ title }) => title))];
  const titles = all.slice(0, MAX_TITLES);
  const more = all.length > MAX_TITLES ? ` and ${all.length - MAX_TITLES} more` : '';
  const marks = [...new Set(foreign.map(({ mark }) => mark))].slice(0, MAX_TITLES).join(', ');
  const place =
    config.secretKey === null
      ? `stop the server, copy the old key to ${secretKeyFile(config.dataDir)} and start again`
      : 'start the server with the secret key it had';
  return `The secret and the headers of the webhook cannot be decrypted in ${titles.join(', ')}${more}: they were sealed with another secret key (${marks}). To continue, ${place}; or set these webhooks again.`;
}

/** Warns of a data folder in a git checkout, where `git clean` deletes it; null if it is in none. */
export function checkoutWarning(dataDir: string): string | null {
  const folder = resolve(dataDir);
  for (let parent = dirname(folder); ; parent = dirname(parent)) {
    if (existsSync(join(parent, '.git')))
      return `The data folder ${folder} is in the git checkout ${parent}, where git clean -x deletes it; choose another with --data-dir for data that you keep.`;
    if (parent === dirname(parent)) return null;
  }
}

/** Warns of a data folder in which another user may replace files, such as that of the first key; null if none may. */
export function sharedFolderWarning(dataDir: string): string | null {
  const { uid, gid, mode } = statSync(dataDir);
  const [user, group] = [process.getuid?.() ?? uid, process.getgid?.() ?? gid];
  const isOthers =
    (uid !== user && uid !== 0) || (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== group);
  return isOthers
    ? `Other users may replace files in the data folder ${resolve(dataDir)}, such as its keys; let this user own it, with mode 0700.`
    : null;
}

/** Warns of a server that other machines reach over plain HTTP, with its addresses there; null if none does. */
export function plainHttpWarning(
  { host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>,
  port: number,
): string | null {
  if (isLoopback(host) || publicUrl !== null) return null;
  const isWildcard = host === '0.0.0.0' || host === '::';
  const addresses = isWildcard
    ? Object.values(networkInterfaces())
        .flatMap((all) => all ?? [])
        .filter(({ internal, family }) => !internal && family === 'IPv4')
        .map(({ address }) => localUrl(address, port))
    : [localUrl(host, port)];
  const where = addresses.length === 0 ? '' : ` at ${addresses.join(', ')}`;
  return `Other machines reach this server${where} over plain HTTP, which shows API keys to the network; put a proxy with TLS before it, and set --public-url.`;
}
