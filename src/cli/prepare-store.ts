import type { Config } from '../config.ts';
import { createSetupLink, hasUsers } from '../people/setup-store.ts';
import { listOrganisations } from '../resources/applications/store.ts';
import type { Log } from '../runtime/log.ts';
import { Organisations } from '../runtime/organisations.ts';
import type { Database } from '../storage/database.ts';
import { lockStarts, prepareDatabase } from '../storage/postgres/prepare.ts';
import { describeTarget } from '../storage/postgres/target.ts';
import { firstKeyFile, migrateFolder, withStoreOf } from './data-folder.ts';
import { databaseOf, markOfKey } from './database.ts';
import { ensureTenancy, type Tenancy } from './first-start.ts';
import { outdatedNotice } from './remap.ts';
import { checkoutWarning } from './start-warnings.ts';

interface Prepared extends Tenancy {
  setupToken: string | null;
  organisations: Organisations;
}

/** Migrates the store, and creates the first application and its API key in an empty one. */
export function prepareStore(config: Config, log: Log): Prepared {
  const { dataDir } = config;
  const target = databaseOf(config);
  if (target === null) {
    const migration = migrateFolder(dataDir, { snapshot: true });
    if (migration) log.info('the store was migrated', { ...migration });
  } else if (prepareDatabase(target, markOfKey(config)) === null)
    log.info('the tables were made', { store: describeTarget(target) });
  const { tenancy, outdated, setupToken, organisations } = withStoreOf(config, (database) => ({
    tenancy: database.transaction(() => {
      if (target !== null) lockStarts(database);
      return ensureTenancy(database, config, target === null ? firstKeyFile(dataDir) : null);
    }),
    outdated: outdatedNotice(database),
    organisations: readOrganisations(database),
    setupToken: database.transaction(() =>
      hasUsers(database) ? null : createSetupLink(database, { userId: null, at: Date.now() }),
    ),
  }));
  if (tenancy.warning !== null) log.warn(tenancy.warning);
  const checkout = tenancy.isNew && target === null ? checkoutWarning(dataDir) : null;
  if (tenancy.isNew && target !== null && config.bootstrapApiKey === null)
    log.info('no API key was preset; make the first one with `touchstone keys create --scopes admin`');
  if (checkout !== null) log.warn(checkout);
  if (outdated !== null) log.info(outdated);
  return { ...tenancy, setupToken, organisations };
}

function readOrganisations(database: Database): Organisations {
  const organisations = new Organisations();
  for (const { application, orgId } of listOrganisations(database)) organisations.assign(application, orgId);
  return organisations;
}
