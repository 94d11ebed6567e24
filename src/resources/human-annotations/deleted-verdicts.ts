import type { Database } from '../../storage/database.ts';
import { byIndex } from '../../storage/dialect.ts';

/** Condition for a trace that a random draw has taken, with or without a definition. */
const drawn = (more = ''): string => `EXISTS (
  SELECT 1 FROM annotation_queue_item AS item ${byIndex('annotation_queue_item_by_trace')}
  WHERE item.application = :application AND item.trace_id = :traceId AND item.drawn_at IS NOT NULL ${more})`;

/** Keeps the verdicts of people on a trace that was drawn at random, without their words, before the trace is deleted. */
export function keepDeletedVerdicts(
  database: Database,
  { application, traceId }: { application: number; traceId: Uint8Array },
): void {
  database.run(
    `INSERT INTO deleted_verdict (application, trace_id, eval_definition_id, annotator_id, verdict, created_at)
     SELECT application, trace_id, coalesce(eval_definition_id, ''), annotator_id,
       CASE WHEN unsure = 1 THEN 0.5 ELSE verdict END, created_at
     FROM human_annotation
     WHERE application = :application AND trace_id = :traceId AND (verdict IS NOT NULL OR unsure = 1) AND ${drawn()}
     ORDER BY created_at DESC, id DESC
     ON CONFLICT DO NOTHING`,
    { application, traceId },
  );
}

/** Remembers that people judged a trace of a draw without a definition by a criterion, before that verdict is removed. */
export function keepAsked(
  database: Database,
  {
    application,
    traceId,
    evalDefinitionId,
  }: { application: number; traceId: Uint8Array; evalDefinitionId: string | null },
): void {
  database.run(
    `INSERT INTO asked_criterion (application, eval_definition_id)
     SELECT :application, :criterion WHERE ${drawn('AND item.eval_definition_id IS NULL')}
     ON CONFLICT DO NOTHING`,
    { application, traceId, criterion: evalDefinitionId ?? '' },
  );
}

/** Forgets which criteria people judged in draws without a definition, if no such draw is left. */
export const forgetAsked = (database: Database, { application }: { application: number }): void =>
  void database.run(
    `DELETE FROM asked_criterion WHERE application = :application
       AND NOT EXISTS (SELECT 1 FROM annotation_queue_item ${byIndex('annotation_queue_item_drawn')}
         WHERE application = :application AND drawn_at IS NOT NULL AND eval_definition_id IS NULL)
       AND NOT EXISTS (SELECT 1 FROM deleted_item WHERE application = :application AND eval_definition_id IS NULL)`,
    { application },
  );
