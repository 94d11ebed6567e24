import { readFileSync, statSync } from 'node:fs';
import type { Config } from '../config.ts';
import { secretKeyFromText } from '../runtime/secrets.ts';
import { secretKeyFile } from './data-folder.ts';

/** Returns the key of the setting, or of the data folder; null when there is none, which a start of the server would create. */
export function presentKey({ secretKey, dataDir }: Config): Buffer | null {
  if (secretKey !== null) return secretKeyFromText(secretKey);
  const file = secretKeyFile(dataDir);
  return statSync(file, { throwIfNoEntry: false }) ? readFileSync(file) : null;
}
