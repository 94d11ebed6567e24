import type { Config } from '../config.ts';
import { StartupError } from '../errors.ts';
import { keyMark, sealedMark } from '../runtime/secrets.ts';
import type { Database } from '../storage/database.ts';
import { secretKeyFile } from './data-folder.ts';
import { presentKey } from './present-key.ts';

/** Secret key that the target of a copy needs. */
export interface CopiedKey {
  /** Mark of the key, from which it cannot be computed; null if the store has no key. */
  mark: string | null;
  /** Sentence that says where the target gets the key. */
  advice: string;
}

/** Returns the key with which a server over a folder works. Throws StartupError if the webhooks were sealed with another one. */
export function keyOfFolder(database: Database, config: Config): CopiedKey {
  const key = presentKey(config);
  const mark = key === null ? null : keyMark(key).toString('hex');
  const sealed = database
    .all<{ secret: Uint8Array }>('SELECT secret FROM webhook UNION ALL SELECT secret FROM issue_webhook')
    .map(({ secret }) => sealedMark(secret));
  const other = sealed.find((one) => one !== mark);
  if (other !== undefined)
    throw new StartupError(
      `The webhooks of ${config.dataDir} were sealed with another secret key (mark ${other}) than the present one (${mark ?? 'none'}); set TOUCHSTONE_SECRET_KEY to the text that its server had, or restore ${secretKeyFile(config.dataDir)}.`,
    );
  if (mark === null)
    return { mark, advice: 'The store has no secret key: set TOUCHSTONE_SECRET_KEY to any long text.' };
  const file = secretKeyFile(config.dataDir);
  const advice =
    config.secretKey === null
      ? `The database needs the secret key of ${file} (mark ${mark}): start its servers with TOUCHSTONE_SECRET_KEY="base64:$(openssl base64 -A -in ${file})", and keep a copy.`
      : `The database needs the secret key that was given now (mark ${mark}): start its servers with the same TOUCHSTONE_SECRET_KEY.`;
  return { mark, advice };
}

/** Returns the key with which servers of a database work. Throws StartupError if another one is set. */
export function keyOfDatabase(stored: Uint8Array | null, config: Config): CopiedKey {
  if (stored === null)
    return { mark: null, advice: 'The store has no secret key; the first start makes one.' };
  const mark = Buffer.from(stored).toString('hex');
  const key = presentKey(config);
  const given = key === null ? null : keyMark(key).toString('hex');
  const file = secretKeyFile(config.dataDir);
  if (given !== null && given !== mark)
    throw new StartupError(
      `The database belongs to another secret key (mark ${mark}) than ${config.secretKey === null ? file : 'TOUCHSTONE_SECRET_KEY'} (mark ${given}); correct or remove it.`,
    );
  const advice =
    given !== null && config.secretKey === null
      ? `The folder has the secret key of the store (mark ${mark}).`
      : `The folder needs the secret key of the database (mark ${mark}): start its server with the same TOUCHSTONE_SECRET_KEY.`;
  return { mark, advice };
}
