import { readFileSync, rmSync } from 'node:fs';
import { DATA_DIR_FLAG, readConfig } from '../config.ts';
import { readFlags } from '../config/flags.ts';
import { errorCode, StartupError } from '../errors.ts';
import { folderFailure } from './failure.ts';
import { requireFile } from './database.ts';
import { firstKeyFile } from './data-folder.ts';
import type { Io } from './io.ts';

/** Prints the key that the first start created, and deletes its file. */
export function printFirstKey(args: readonly string[], io: Io): void {
  const { flags, words } = readFlags(args, { values: [DATA_DIR_FLAG], switches: ['--json'] });
  if (words[0] !== undefined) throw new StartupError(`keys first takes no "${words[0].slice(0, 80)}".`);
  const { config } = readConfig(flags, io.env);
  const { dataDir } = config;
  requireFile(config, 'keys first', 'the first start makes no key; run keys create.');
  const file = firstKeyFile(dataDir);
  const key = readKey(file, dataDir);
  io.err('The first key, shown only now:\n');
  io.out(flags.has('--json') ? `${JSON.stringify({ key })}\n` : `${key}\n`);
  rmSync(file, { force: true });
}

function readKey(file: string, dataDir: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw folderFailure(error, dataDir);
    throw new StartupError(
      `There is no first key in ${dataDir}: it was printed on the terminal of the first start, preset, or printed by this command before; keys create makes another.`,
    );
  }
}
