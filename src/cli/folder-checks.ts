import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import type { Config } from '../config.ts';
import { connectionWarning } from '../config/machine.ts';
import { type Check, ok, problem, warning } from '../contract/check.ts';
import { StartupError } from '../errors.ts';
import { diskCheck, walCheck } from '../resources/system/checks.ts';
import { maxOpenFiles } from '../runtime/open-files.ts';
import { checkStore } from '../storage/sqlite/check-store.ts';
import { SCHEMA_VERSION } from '../storage/sqlite/migrate.ts';
import { NoCopyError, NoStoreError } from '../storage/sqlite/no-store-error.ts';
import type { ReadStore } from '../storage/sqlite/read-store.ts';
import { storeFile } from './data-folder.ts';
import { folderFailure } from './failure.ts';
import { leftovers, lookFailure, openToLook } from './look-at-store.ts';
import { presentKey } from './present-key.ts';
import { checkoutWarning, sealedElsewhereWarning } from './start-warnings.ts';

const OTHERS_MAY_READ = 0o077;
const EMPTY_START = 'A server that is started now begins with an empty store.';
const NO_START = 'Until this is corrected, senders get 503 and a server does not start.';

/** Checks a data folder and changes nothing in it, not even by a lock or a probe. */
export async function folderChecks(config: Config): Promise<Check[]> {
  const { dataDir } = config;
  try {
    const store = await openToLook(dataDir);
    try {
      return checksOf(config, store);
    } finally {
      store.close();
    }
  } catch (error) {
    const found = lookFailure(error, dataDir);
    if (!(found instanceof StartupError)) throw found;
    if (found instanceof NoCopyError) return [warning('Store', found.message, 'Nothing of it was checked.')];
    return [problem('Store', found.message, found instanceof NoStoreError ? EMPTY_START : NO_START)];
  }
}

function checksOf(config: Config, { database, isServed }: ReadStore): Check[] {
  const { dataDir } = config;
  const store = storeFile(dataDir);
  const schema = checkStore(database, store);
  const { bavail, bsize, blocks } = statfsSync(dataDir);
  return [
    schema === SCHEMA_VERSION
      ? ok('Store', `${store} can be opened.${isServed ? ' A server uses it.' : ''}`)
      : olderCheck(store, schema),
    ...writeChecks(dataDir),
    diskCheck({
      freeBytes: bavail * bsize,
      totalBytes: blocks * bsize,
      storeBytes: statSync(store).size,
      daysLeft: null,
    }),
    openFilesCheck(config.maxConnections),
    walCheck(statSync(`${store}-wal`, { throwIfNoEntry: false })?.size ?? 0),
    permissionsCheck(store),
    ...(schema === SCHEMA_VERSION ? [keyCheck(config, sealedElsewhereWarning(database, config))] : []),
    placeCheck(dataDir),
    ...leftovers(dataDir).map(({ name, what }) =>
      warning('Leftovers', `${name} is ${what}.`, 'Delete it, unless that command still runs.'),
    ),
  ];
}

const olderCheck = (store: string, schema: number): Check =>
  warning(
    'Store',
    `${store} has schema ${schema}, and this version of Touchstone has ${SCHEMA_VERSION}.`,
    'The next start of the server migrates it, after a snapshot beside it; or run migrate.',
  );

/** Checks that this user may write to the folder and its store; nothing if so. */
function writeChecks(dataDir: string): Check[] {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    accessSync(storeFile(dataDir), constants.R_OK | constants.W_OK);
    return [];
  } catch (error) {
    const found = folderFailure(error, dataDir);
    if (!(found instanceof StartupError)) throw found;
    return [
      problem(
        'Store',
        found.message,
        `${NO_START} If the file system has become read-only, its disk may have failed: see dmesg.`,
      ),
    ];
  }
}

/** Checks the limit of a server that is started as this command was. */
function openFilesCheck(maxConnections: number): Check {
  const limit = maxOpenFiles();
  const found = connectionWarning(maxConnections, limit);
  return found === null
    ? ok('Open files', `The limit of this shell is ${limit ?? 'unknown'}.`)
    : warning('Open files', found, 'A server that another program starts may have another limit.');
}

function permissionsCheck(store: string): Check {
  const mode = statSync(store).mode & 0o777;
  return (mode & OTHERS_MAY_READ) === 0 || process.platform === 'win32'
    ? ok('Permissions', 'Only the owner can read the store.')
    : warning(
        'Permissions',
        `Other users can read the store (mode ${mode.toString(8)}).`,
        `Run chmod 600 ${store}.`,
      );
}

function keyCheck(config: Config, sealed: string | null): Check {
  if (sealed !== null) return problem('Secret key', 'It is missing or another one.', sealed);
  return presentKey(config) === null
    ? warning(
        'Secret key',
        'The folder has none, and no webhook needs one.',
        'The next start creates one. If the folder had one, copy it back first: the tokens of masking depend on it.',
      )
    : ok('Secret key', 'It decrypts the webhooks.');
}

function placeCheck(dataDir: string): Check {
  const checkout = checkoutWarning(dataDir);
  return checkout === null
    ? ok('Place', 'The data folder is in no git checkout.')
    : warning('Place', 'The data folder is in a git checkout.', checkout);
}
