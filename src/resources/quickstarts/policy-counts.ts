import type { Database } from '../../storage/database.ts';
import type { PolicyCounts } from './contract.ts';
import { statusOf } from './move.ts';

const MAX_TOPICS = 10_000;

/** Counts draft and active policies of the quickstart only. Throws `not_found`. */
export function countPolicies(
  database: Database,
  { application, id }: { application: number; id: string },
): PolicyCounts {
  statusOf(database, application, id);
  const count = (sql: string): number => database.get<{ n: number }>(sql, application, id)?.n ?? 0;
  return {
    topicsCount: count(
      `SELECT count(*) AS n FROM topic
       WHERE application = ? AND quickstart_id = ? AND status IN ('DRAFT', 'ACTIVE')`,
    ),
    applicationEvalCount: count(
      `SELECT count(*) AS n FROM definition
       WHERE application = ? AND quickstart_id = ? AND status IN ('DRAFT', 'ACTIVE') AND NOT EXISTS (
         SELECT 1 FROM definition_link AS link
         WHERE link.application = definition.application AND definition_id = definition.id AND kind = 'topic')`,
    ),
    topicEvalCounts: database.all<PolicyCounts['topicEvalCounts'][number]>(
      `SELECT topic.id AS topicId, count(definition.id) AS evalCount FROM topic
       LEFT JOIN definition_link AS link
         ON link.application = topic.application AND kind = 'topic' AND target_id = topic.id
       LEFT JOIN definition
         ON definition.id = definition_id AND definition.application = topic.application
         AND definition.quickstart_id = topic.quickstart_id AND definition.status IN ('DRAFT', 'ACTIVE')
       WHERE topic.application = :application AND topic.quickstart_id = :id AND topic.status IN ('DRAFT', 'ACTIVE')
       GROUP BY topic.id ORDER BY topic.created_at, topic.id LIMIT :limit`,
      { application, id, limit: MAX_TOPICS },
    ),
  };
}
