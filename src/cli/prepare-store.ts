import type { Config } from '../config.ts';
import { createSetupLink, hasUsers } from '../people/setup-store.ts';
import { listOrganisations } from '../resources/applications/store.ts';
import type { Log } from '../runtime/log.ts';
import { Organisations } from '../runtime/organisations.ts';
import type { Database } from '../storage/database.ts';
import { firstKeyFile, migrateFolder, withStore } from './data-folder.ts';
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
  const migration = migrateFolder(dataDir, { snapshot: true });
  if (migration) log.info('the store was migrated', { ...migration });
  const { tenancy, outdated, setupToken, organisations } = withStore(dataDir, (database) => ({
    tenancy: ensureTenancy(database, config, firstKeyFile(dataDir)),
    outdated: outdatedNotice(database),
    organisations: readOrganisations(database),
    setupToken: database.transaction(() =>
      hasUsers(database) ? null : createSetupLink(database, { userId: null, at: Date.now() }),
    ),
  }));
  if (tenancy.warning !== null) log.warn(tenancy.warning);
  const checkout = tenancy.isNew ? checkoutWarning(dataDir) : null;
  if (checkout !== null) log.warn(checkout);
  if (outdated !== null) log.info(outdated);
  return { ...tenancy, setupToken, organisations };
}

function readOrganisations(database: Database): Organisations {
  const organisations = new Organisations();
  for (const { application, orgId } of listOrganisations(database)) organisations.assign(application, orgId);
  return organisations;
}
