import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';

const IS_NUMBER = /^\d+$/;

/** Returns the id of the issue with an id or a number. Throws `not_found`. */
export function findIssueId(database: Database, application: number, idOrNumber: string): string {
  const isNumber = IS_NUMBER.test(idOrNumber);
  const column = isNumber ? 'number' : 'id';
  const found = database.get<{ id: string }>(
    `SELECT id FROM issue WHERE application = :application AND ${column} = :value`,
    { application, value: isNumber ? Number(idOrNumber) : idOrNumber },
  );
  if (!found) throw new AppError('not_found', 'issue not found');
  return found.id;
}

/** Lets a query or a command name the issue by its number as well. */
export const byIdOrNumber =
  <A extends { owner: { application: number }; id: string }, R>(
    operation: (database: Database, args: A) => R,
  ) =>
  (database: Database, args: A): R =>
    operation(database, { ...args, id: findIssueId(database, args.owner.application, args.id) });
