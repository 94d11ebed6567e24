import { namesId } from '../../filter/names-id.ts';
import type { Database } from '../../storage/database.ts';
import { issues } from '../issues/record.ts';

interface MatchesNaming {
  application: number;
  /** Forms of the id of a user or a session. */
  values: readonly string[];
  at: number;
}

/** Removes the filter lines of issues that name one of the ids; returns how many. */
export function removeMatchesNaming(database: Database, { application, values, at }: MatchesNaming): number {
  const found = database
    .all<{ id: string; line: string }>(
      `SELECT id, match_line AS line FROM issue WHERE application = :application AND match_line IS NOT NULL`,
      { application },
    )
    .filter(({ line }) => values.some((value) => namesId(line, value)));
  for (const { id } of found) issues.update(database, { application, id, at }, { matchLine: null });
  return found.length;
}
