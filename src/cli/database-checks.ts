import type { Config } from '../config.ts';
import { type Check, ok, problem, warning } from '../contract/check.ts';
import { StartupError } from '../errors.ts';
import {
  checkKeyMark,
  checkDatabaseSchema,
  connectForCommands,
  inspectDatabase,
} from '../storage/postgres/prepare.ts';
import { type DatabaseTarget, describeTarget } from '../storage/postgres/target.ts';
import { databaseOf, markOfKey } from './database.ts';
import { sealedElsewhereWarning } from './start-warnings.ts';

const NO_START = 'Until this is corrected, a server does not start.';

/** Checks a database as a start of a server does, and changes nothing in it. */
export function databaseChecks(config: Config): Check[] {
  const target = databaseOf(config) as DatabaseTarget;
  const database = connectForCommands(target);
  try {
    const state = inspectDatabase(database, target);
    if (state.schema === null)
      return [
        warning(
          'Store',
          `There is no store yet in ${describeTarget(target)}.`,
          'A server that is started now makes it.',
        ),
      ];
    checkDatabaseSchema(state, target);
    checkKeyMark(state, markOfKey(config), target);
    const sealed = sealedElsewhereWarning(database, config);
    return [
      ok('Store', `A server can use ${describeTarget(target)}.`),
      sealed === null
        ? ok('Secret key', 'It decrypts the webhooks.')
        : problem('Secret key', 'It is missing or another one.', sealed),
    ];
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return [problem('Store', error.message, NO_START)];
  } finally {
    database.close();
  }
}
