import type { Database } from './database.ts';

export interface DraftsOf {
  application: number;
  quickstartId: string;
  at: number;
  limit: number;
}

interface DraftTable {
  updateSome: (
    database: Database,
    when: { application: number; at: number },
    given: { status: 'ACTIVE' },
    condition: string,
    values: { quickstartId: string; limit: number },
  ) => string[];
}

/** Activates some drafts of a quickstart; returns their ids. */
export const activateDrafts = (
  database: Database,
  table: DraftTable,
  { application, quickstartId, at, limit }: DraftsOf,
): string[] => {
  const drafts = `quickstart_id = :quickstartId AND status = 'DRAFT'`;
  return table.updateSome(database, { application, at }, { status: 'ACTIVE' }, drafts, {
    quickstartId,
    limit,
  });
};
