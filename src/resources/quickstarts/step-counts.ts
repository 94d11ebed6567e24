import type { Database } from '../../storage/database.ts';
import { byIndex } from '../../storage/dialect.ts';
import { styleGuides } from '../style-guides/record.ts';
import type { QuickstartStep } from './contract.ts';
import { statusOf } from './move.ts';

interface OfQuickstart {
  application: number;
  id: string;
}
type Counts = Pick<QuickstartStep, 'total' | 'accepted' | 'rejected'>;
const NONE: Counts = { total: 0, accepted: 0, rejected: 0 };

/** Counts what each step of a quickstart has to review, and what people have decided. Throws `not_found`. */
export function countSteps(database: Database, of: OfQuickstart): QuickstartStep[] {
  statusOf(database, of.application, of.id);
  const count = (sql: string): Counts =>
    database.get<Counts>(sql, { application: of.application, id: of.id }) ?? NONE;
  const documents = (type: 'KNOWLEDGE' | 'POLICY'): Counts =>
    count(`SELECT count(*) AS total, count(*) FILTER (WHERE is_verified = 1 OR status = 'ACTIVE') AS accepted, 0 AS rejected
      FROM document WHERE application = :application AND quickstart_id = :id AND type = '${type}'`);
  const definitions = count(
    `SELECT count(*) AS total, count(*) FILTER (WHERE status = 'ACTIVE') AS accepted,
       count(*) FILTER (WHERE status = 'ARCHIVED') AS rejected
     FROM definition WHERE application = :application AND quickstart_id = :id`,
  );
  const uploads = count(
    `SELECT count(*) AS total, count(*) FILTER (WHERE status = 'COMPLETED') AS accepted,
       count(*) FILTER (WHERE status = 'FAILED') AS rejected
     FROM upload WHERE application = :application AND quickstart_id = :id`,
  );
  const tasks = count(
    `SELECT count(*) AS total,
       count(*) FILTER (WHERE status = 'ACTIVE' OR (status = 'DRAFT' AND is_verified = 1)) AS accepted,
       count(*) FILTER (WHERE status = 'ARCHIVED') AS rejected
     FROM task WHERE application = :application AND quickstart_id = :id`,
  );
  const policies = documents('POLICY');
  return [
    { step: 'UPLOAD', ...uploads },
    { step: 'TASKS_TOPICS', ...tasks },
    { step: 'KNOWLEDGE_BASE', ...documents('KNOWLEDGE') },
    {
      step: 'POLICIES',
      total: policies.total + definitions.total,
      accepted: policies.accepted + definitions.accepted,
      rejected: policies.rejected + definitions.rejected,
    },
    { step: 'STYLE', ...styleCounts(database, of) },
  ];
}

function styleCounts(database: Database, of: OfQuickstart): Counts {
  const id = styleGuideIdOf(database, of);
  if (id === null) return NONE;
  const { content } = styleGuides.require(database, of.application, id);
  return {
    total: content.length,
    accepted: content.filter(({ approved }) => approved).length,
    rejected: 0,
  };
}

/** Returns the id of the style guide of a quickstart; if it has none, of the newest that refers to it, or null. */
export const styleGuideIdOf = (database: Database, { application, id }: OfQuickstart): string | null =>
  database.get<{ id: string | null }>(
    `SELECT coalesce(style_guide_id, (
       SELECT id FROM style_guide ${byIndex('style_guide_by_quickstart')} WHERE application = :application AND quickstart_id = :id
       ORDER BY created_at DESC, id DESC LIMIT 1)) AS id
     FROM quickstart WHERE application = :application AND id = :id`,
    { application, id },
  )?.id ?? null;
