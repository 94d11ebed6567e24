import type { Owner } from '../../contract/owner.ts';
import type { Database } from '../../storage/database.ts';
import type { Application } from './contract.ts';
import { applications } from './record.ts';

interface OfApplication {
  application: number;
}

/** Returns an application. It exists, because the caller has authenticated with one of its keys. */
export function readApplication(database: Database, { application }: OfApplication): Application {
  const [found] = applications.all(database, application, 'true');
  if (!found) throw new Error(`no application ${application}`);
  return found;
}

/** Returns the owner of records that the service itself creates in an application. */
export function readOwner(database: Database, { application }: OfApplication): Owner {
  const { id: applicationId, orgId } = readApplication(database, { application });
  return { application, applicationId, orgId };
}
