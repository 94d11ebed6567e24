import { StartupError } from '../errors.ts';
import type { Database } from '../storage/database.ts';

export interface ChosenApplication {
  application: number;
  id: string;
  orgId: string;
}

/** Returns the application with the given id, or the only one. */
export function chooseApplication(database: Database, id: string | undefined): ChosenApplication {
  const columns = 'application, id, org_id AS orgId';
  if (id === undefined) {
    const [only, ...others] = database.all<ChosenApplication>(
      `SELECT ${columns} FROM application ORDER BY application LIMIT 2`,
    );
    if (!only) throw new StartupError('The store is empty; start the server once.');
    if (others.length > 0) {
      throw new StartupError(
        'There are several applications; choose one with --application-id (see applications list).',
      );
    }
    return only;
  }
  const found = database.get<ChosenApplication>(`SELECT ${columns} FROM application WHERE id = :id`, {
    id: id.toLowerCase(),
  });
  if (!found)
    throw new StartupError(
      `There is no application ${JSON.stringify(id.slice(0, 80))}; see applications list.`,
    );
  return found;
}
