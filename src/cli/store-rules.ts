/** Rules that hold for the rows of every store, each as SQL that selects the rows which break it. */
import type { Database } from '../storage/database.ts';
import { hexOf } from '../storage/dialect.ts';
import type { ReportFault } from '../traces/verify.ts';

export interface StoreRule {
  /** Table of the rows that break it. */
  table: string;
  /** Fault of such a row. */
  fault: string;
  /** Selects the rows that break it, as `id`. */
  broken: string;
}

interface Reference {
  /** Name of a row in a report. Default: its id. */
  id?: string;
  /** Key of the other table. Default: its id. */
  key?: string;
  /** Condition of the rows that refer. */
  where?: string;
}

/** Returns the condition that a table has no row with the key. */
const lacks = (of: string, column: string, table: string, key = 'id'): string =>
  `NOT EXISTS (SELECT 1 FROM ${table} AS found
    WHERE found.application = ${of}.application AND found.${key} = ${of}.${column})`;

/** A column of a table whose value is the key of a row of another table. */
const refers = (
  table: string,
  column: string,
  to: string,
  { id = 'id', key = 'id', where = 'TRUE' }: Reference = {},
): StoreRule => ({
  table,
  fault: `its ${column} refers to no ${to}`,
  broken: `SELECT ${id} AS id FROM ${table} WHERE ${where} AND ${column} IS NOT NULL AND ${lacks(table, column, to, key)}`,
});

/** A row of a trace. The removal of a deleted trace may still have some. */
const ofTrace = (table: string, columns = ''): StoreRule => ({
  table,
  fault: 'it belongs to no trace',
  broken: `SELECT DISTINCT tkey AS id FROM ${table} WHERE tkey IS NOT NULL ${columns}
    AND NOT EXISTS (SELECT 1 FROM trace WHERE trace.tkey = ${table}.tkey)
    AND NOT EXISTS (SELECT 1 FROM purge WHERE purge.tkey = ${table}.tkey)`,
});

/** A verdict or task of people about a trace. A deleted trace is known by its removal and by its tombstone. */
const aboutTrace = (table: string): StoreRule => ({
  table,
  fault: 'its trace_id refers to no trace',
  broken: `SELECT id FROM ${table}
    WHERE ${['trace', 'purge', 'tombstone'].map((of) => lacks(table, 'trace_id', of, 'trace_id')).join(' AND ')}`,
});

export const STORE_RULES: readonly StoreRule[] = [
  ofTrace('trace_preview'),
  ofTrace('trace_test'),
  ofTrace('open_step'),
  ofTrace('closed_step'),
  ofTrace('response_span'),
  ofTrace('rewrite'),
  ofTrace('refresh'),
  ofTrace('span_log'),
  {
    table: 'trace',
    fault: 'it was deleted, and is stored',
    broken: `SELECT ${hexOf('trace.trace_id')} AS id FROM trace JOIN tombstone USING (application, trace_id)`,
  },
  aboutTrace('human_annotation'),
  aboutTrace('annotation_queue_item'),
  aboutTrace('note'),
  aboutTrace('issue_link'),
  refers('note', 'issue_id', 'issue'),
  refers('issue', 'parent_id', 'issue'),
  refers('issue', 'merged_into', 'issue'),
  refers('issue_link', 'issue_id', 'issue'),
  refers('issue_event', 'issue_id', 'issue'),
  refers('issue_day', 'issue_id', 'issue', { id: 'issue_id' }),
  refers('annotation_queue_item', 'queue_id', 'annotation_queue'),
  refers('annotation_review', 'item_id', 'annotation_queue_item'),
  refers('human_annotation', 'eval_definition_id', 'definition'),
  refers('test', 'task_id', 'task'),
  refers('test', 'run_id', 'run'),
  refers('test_event', 'test_id', 'test'),
  refers('run', 'task_id', 'task'),
  refers('test', 'snapshot_id', 'run_set'),
  refers('run', 'run_set_id', 'run_set'),
  refers('run_set', 'baseline_id', 'run_set'),
  refers('run_set_definition', 'run_set_id', 'run_set', { id: 'run_set_id' }),
  refers('run_set_definition', 'definition_id', 'definition', { id: 'run_set_id' }),
  refers('run_set_link', 'run_set_id', 'run_set', { id: 'run_set_id' }),
  refers('run_set_example', 'run_set_id', 'run_set', { id: 'run_set_id' }),
  {
    table: 'run_set_link',
    fault: 'its definition was not fixed with the run set',
    broken: `SELECT run_set_id AS id FROM run_set_link AS link WHERE NOT EXISTS (SELECT 1 FROM run_set_definition AS fixed
      WHERE fixed.application = link.application AND fixed.run_set_id = link.run_set_id AND fixed.definition_id = link.definition_id)`,
  },
  {
    table: 'run_set',
    fault: 'it has a decision or the time of one, and not both',
    broken: 'SELECT id FROM run_set WHERE (decision IS NULL) <> (decided_at IS NULL)',
  },
  refers('delivery', 'test_id', 'test', { where: 'is_sample = 0' }),
  refers('eval', 'test_id', 'test'),
  refers('eval', 'run_id', 'run'),
  refers('eval', 'definition_id', 'definition'),
  {
    table: 'eval',
    fault: 'its test has several current evals of the definition',
    broken: `SELECT max(id) AS id FROM eval WHERE superseded = 0 AND test_id IS NOT NULL
      GROUP BY application, test_id, definition_id HAVING count(*) > 1`,
  },
  {
    table: 'eval',
    fault: 'its trace has several current evals of the definition',
    broken: `SELECT max(id) AS id FROM eval WHERE superseded = 0 AND test_id IS NULL
      GROUP BY application, trace_id, definition_id HAVING count(*) > 1`,
  },
  refers('definition_link', 'definition_id', 'definition'),
  refers('canary', 'definition_id', 'definition', { id: 'eval_id' }),
  refers('canary_verdict', 'definition_id', 'definition', { id: 'eval_id' }),
  refers('canary_verdict', 'run_set_id', 'run_set', { id: 'eval_id' }),
  refers('definition_link', 'target_id', 'task', { where: `kind = 'task'` }),
  refers('definition_link', 'target_id', 'topic', { where: `kind = 'topic'` }),
  refers('task', 'topic_id', 'topic'),
  refers('task_tag', 'task_id', 'task', { id: 'task_id' }),
  refers('task_tag', 'tag_id', 'tag', { id: 'task_id' }),
  refers('task_schedule', 'task_id', 'task', { id: 'task_id' }),
  refers('example', 'task_id', 'task'),
  refers('example_version', 'example_id', 'example', { id: 'example_id' }),
  refers('experiment_variant', 'experiment_id', 'experiment'),
  refers('variant_start', 'variant_id', 'experiment_variant', { id: 'variant_id' }),
  refers('document_tag', 'document_id', 'document', { id: 'document_id' }),
  refers('document_tag', 'tag_id', 'tag', { id: 'document_id' }),
  refers('document_version', 'document_id', 'document'),
  refers('document_chunk', 'document_id', 'document', { id: 'document_id' }),
  {
    table: 'saved_view',
    fault: 'its owner is no member of the application',
    broken: `SELECT id FROM saved_view WHERE owner LIKE 'user:%' AND NOT EXISTS (SELECT 1 FROM membership
      WHERE membership.application = saved_view.application AND 'user:' || user_id = owner)`,
  },
  {
    table: 'erasure',
    fault: 'it is completed, and its row has the erased id',
    broken: `SELECT id FROM erasure WHERE status = 'COMPLETED' AND subject IS NOT NULL`,
  },
];

/** Reports rows that break a rule, at most `limit`; returns their number. */
export function checkRule(
  database: Database,
  { table, fault, broken }: StoreRule,
  { limit, report }: { limit: number; report: ReportFault },
): number {
  const rows = database.all<{ id: string | number }>(`SELECT id FROM (${broken}) AS broken LIMIT :limit`, {
    limit,
  });
  for (const { id } of rows) report({ trace: `${table} ${id}`, fault });
  return rows.length;
}
