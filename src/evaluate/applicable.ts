import type { Database } from '../storage/database.ts';
import { orderedJoin } from '../storage/dialect.ts';
import type { SqlFragment } from '../storage/sql.ts';
import type { JsonValue } from '../traces/span-wire.ts';
import type { AppliedDefinition, StyleSection } from './evaluator.ts';

/**
 * Returns SQL for the links by which definitions apply to tests of one of `taskIds`: `definition_id`, `config` and
 * `distance`, which is 0 for links of the task, 1 for those of its topic and 2 for those of the application. Without
 * a task, only links of the application apply.
 */
export function linksReaching(application: number, taskIds: readonly string[]): SqlFragment {
  const tasks = `(${taskIds.map(() => '?').join(', ') || 'NULL'})`;
  const linksOf = (kind: string, distance: number): string =>
    `SELECT id, definition_id, config, ${distance} AS distance FROM definition_link
     WHERE application = ? AND kind = '${kind}'`;
  return {
    sql: `${linksOf('task', 0)} AND target_id IN ${tasks}
      UNION ALL ${linksOf('topic', 1)}
        AND target_id IN (SELECT topic_id FROM task WHERE application = ? AND id IN ${tasks})
      UNION ALL ${linksOf('application', 2)}`,
    values: [application, ...taskIds, application, application, ...taskIds, application],
  };
}

/** A definition as its evals refer to it. */
export type PlannedDefinition = Pick<AppliedDefinition, 'definitionId' | 'version' | 'type'>;

interface OfSnapshot {
  application: number;
  /** Id of the run set. */
  snapshotId: string;
  taskId: string;
}

/** SQL for the definitions of a task as they were when a run set was started. */
const OF_SNAPSHOT = `run_set_link AS link
  ${orderedJoin} run_set_definition AS frozen ON frozen.application = link.application
    AND frozen.run_set_id = link.run_set_id AND frozen.definition_id = link.definition_id
  WHERE link.application = :application AND link.run_set_id = :snapshotId AND link.task_id = :taskId ORDER BY link.place`;

/** Returns the definitions of `snapshotDefinitions` without their configs. */
export const snapshotToPlan = (database: Database, of: OfSnapshot): PlannedDefinition[] =>
  database.all<PlannedDefinition>(
    `SELECT frozen.definition_id AS "definitionId", version, type FROM ${OF_SNAPSHOT}`,
    { ...of },
  );

/**
 * Returns the definitions of `definitionsFor` without their configs, which take long to read when there are many and
 * are not needed to plan evals.
 */
export function definitionsToPlan(
  database: Database,
  { application, taskId }: { application: number; taskId: string },
): PlannedDefinition[] {
  const reaching = linksReaching(application, [taskId]);
  return database.all<PlannedDefinition>(
    `SELECT definition.id AS definitionId, version, type
     FROM (SELECT definition_id, distance, id,
         row_number() OVER (PARTITION BY definition_id ORDER BY distance, id) AS place FROM (${reaching.sql})) AS link
     ${orderedJoin} definition ON definition.id = link.definition_id
     WHERE place = 1 AND definition.application = ? AND definition.status = 'ACTIVE' ORDER BY distance, link.id`,
    ...reaching.values,
    application,
  );
}

/** Returns the definitions that apply to a task in the versions and with the expectations that a run set has fixed. */
export const snapshotDefinitions = (database: Database, of: OfSnapshot): AppliedDefinition[] =>
  database
    .all<Row>(
      `SELECT frozen.definition_id AS "definitionId", version, name, type, repeats, global_config AS "globalConfig",
         style_guide AS "styleGuide", link.config AS link FROM ${OF_SNAPSHOT}`,
      { ...of },
    )
    .map(appliedDefinition);

interface Row extends Pick<AppliedDefinition, 'definitionId' | 'version' | 'name' | 'type' | 'repeats'> {
  globalConfig: string;
  styleGuide: string | null;
  link: string;
}

/**
 * Returns the definitions that apply to a test of a task or, without a task, to a trace without a test: each ACTIVE
 * definition once, with the expectation of the nearest of its links. Those of the task come first, then those of its
 * topic, then those of the application.
 */
export function definitionsFor(
  database: Database,
  { application, taskId }: { application: number; taskId: string | null },
): AppliedDefinition[] {
  const reaching = linksReaching(application, taskId === null ? [] : [taskId]);
  const rows = database.all<Row>(
    `SELECT definition.id AS definitionId, version, name, type, repeats, global_config AS globalConfig,
            style_guide.content AS styleGuide, link.config AS link
     FROM (${reaching.sql}) AS link
     ${orderedJoin} definition ON definition.id = link.definition_id
     LEFT JOIN style_guide ON style_guide.id = definition.style_guide_id
       AND style_guide.application = definition.application
     WHERE definition.application = ? AND definition.status = 'ACTIVE' ORDER BY distance, link.id`,
    ...reaching.values,
    application,
  );
  const nearest = new Map<string, Row>();
  for (const row of rows) if (!nearest.has(row.definitionId)) nearest.set(row.definitionId, row);
  return [...nearest.values()].map(appliedDefinition);
}

const appliedDefinition = ({ globalConfig, styleGuide, link, ...row }: Row): AppliedDefinition => ({
  ...row,
  config: JSON.parse(globalConfig) as Record<string, unknown>,
  expected: (JSON.parse(link) as { expected?: JsonValue }).expected,
  styleGuide: styleGuide === null ? null : (JSON.parse(styleGuide) as StyleSection[]),
});
