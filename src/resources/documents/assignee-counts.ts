import type { Database } from '../../storage/database.ts';
import { inTimeAtEach } from '../../storage/dialect.ts';
import type { AssigneeCount } from './contract.ts';

/** Most assignees that are listed. */
const MAX_ASSIGNEES = 10_000;

/**
 * Counts the documents assigned to each user, the largest count first. This is the only query across all applications
 * of an organisation; the interface requires it.
 */
function countByAssignee(
  database: Database,
  { organisation, type, status }: { organisation: string; type: string; status: string },
): AssigneeCount[] {
  return database.all<AssigneeCount>(
    `SELECT assignee, count(*) AS count FROM document
     WHERE application IN (SELECT application FROM application WHERE org_id = :organisation)
       AND type = :type AND status = :status AND assignee IS NOT NULL AND ${inTimeAtEach('id')}
     GROUP BY assignee ORDER BY count DESC, assignee LIMIT :limit`,
    { organisation, type, status, limit: MAX_ASSIGNEES },
  );
}

export const assigneeQueries = { countByAssignee };
