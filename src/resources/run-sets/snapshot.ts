import { randomInt } from 'node:crypto';
import { definitionsFor } from '../../evaluate/applicable.ts';
import type { ChosenExamples } from '../../deliver/task-examples.ts';
import type { Database } from '../../storage/database.ts';
import { valuesOf } from '../../storage/dialect.ts';
import { newestJudgeVersion } from '../definitions/verdict-store.ts';
import type { RunSetSnapshot } from './contract.ts';
import { type FixedGate, fixedGateColumns } from '../definitions/fixed-gates.ts';

/** Most examples of a task: more than one run set can test. */
const MAX_EXAMPLES = 1_000_000;

interface OfRunSet {
  application: number;
  runSetId: string;
}

/** Tests of a task that take its examples in turn use as many of them at most. */
interface FixTasks extends OfRunSet {
  taskIds: readonly string[];
  /** Most examples of all tasks, in random order; undefined for all in their order. */
  random: number | undefined;
  examples: ChosenExamples | undefined;
  repeat: number;
  gates: readonly FixedGate[];
}

/**
 * Fixes the examples of tasks, the definitions that apply to them, and what links expect: what is edited or unlinked later
 * changes nothing for the tests of the run set.
 */
export function fixSnapshot(database: Database, { taskIds, random, ...args }: FixTasks): void {
  const fixed = new Set<string>();
  const gates = new Map(args.gates.map((gate) => [gate.definitionId, gate]));
  for (const taskId of taskIds) {
    fixExamples(database, { ...args, taskId });
    fixDefinitions(database, { ...args, taskId, fixed, gates });
  }
  if (random !== undefined) shuffle(database, args, random);
}

interface ChosenExample {
  taskId: string;
  exampleId: string;
  version: number;
}

/** Puts the examples of a run set into a random order over all tasks, and keeps the first of them. */
function shuffle(database: Database, { application, runSetId }: OfRunSet, most: number): void {
  const of = { application, runSetId };
  const examples = database.all<ChosenExample>(
    `SELECT task_id AS "taskId", example_id AS "exampleId", version FROM run_set_example
     WHERE application = :application AND run_set_id = :runSetId`,
    of,
  );
  // Fisher–Yates, so that each order is equally likely.
  for (let last = examples.length - 1; last > 0; last--) {
    const other = randomInt(last + 1);
    const moved = examples[last] as ChosenExample;
    examples[last] = examples[other] as ChosenExample;
    examples[other] = moved;
  }
  database.run('DELETE FROM run_set_example WHERE application = :application AND run_set_id = :runSetId', of);
  const places = new Map<string, number>();
  for (const [turn, example] of examples.slice(0, most).entries()) {
    const place = places.get(example.taskId) ?? 0;
    places.set(example.taskId, place + 1);
    database.run(
      `INSERT INTO run_set_example (application, run_set_id, task_id, place, example_id, version, turn)
       VALUES (:application, :runSetId, :taskId, :place, :exampleId, :version, :turn)`,
      { ...of, ...example, place, turn },
    );
  }
}

function fixExamples(
  database: Database,
  {
    application,
    runSetId,
    taskId,
    examples,
    repeat,
  }: Omit<FixTasks, 'taskIds' | 'random' | 'gates'> & { taskId: string },
): void {
  const { ids, splits } = examples ?? {};
  const chosen = [
    ...(ids ? [`id IN ${valuesOf(':ids')}`] : []),
    ...(splits ? [`split IN ${valuesOf(':splits')}`] : []),
  ];
  const condition = [`application = :application AND task_id = :taskId AND status = 'ACTIVE'`, ...chosen];
  database.run(
    `INSERT INTO run_set_example (application, run_set_id, task_id, place, example_id, version)
     SELECT :application, :runSetId, :taskId, row_number() OVER (ORDER BY position, id) - 1, id, version
     FROM example WHERE ${condition.join(' AND ')}
     ORDER BY position, id LIMIT :limit`,
    {
      application,
      runSetId,
      taskId,
      limit: examples ? MAX_EXAMPLES : repeat,
      ...(ids && { ids: JSON.stringify(ids) }),
      ...(splits && { splits: JSON.stringify(splits) }),
    },
  );
}

function fixDefinitions(
  database: Database,
  {
    application,
    runSetId,
    taskId,
    fixed,
    gates,
  }: OfRunSet & { taskId: string; fixed: Set<string>; gates: ReadonlyMap<string, FixedGate> },
): void {
  for (const [place, one] of definitionsFor(database, { application, taskId }).entries()) {
    const { definitionId, expected } = one;
    if (!fixed.has(definitionId))
      fixDefinition(database, { application, runSetId, gate: gates.get(definitionId) }, one);
    fixed.add(definitionId);
    database.run(
      `INSERT INTO run_set_link (application, run_set_id, task_id, place, definition_id, config)
       VALUES (:application, :runSetId, :taskId, :place, :definitionId, :config)`,
      { application, runSetId, taskId, place, definitionId, config: JSON.stringify({ expected }) },
    );
  }
}

function fixDefinition(
  database: Database,
  { application, runSetId, gate }: OfRunSet & { gate: FixedGate | undefined },
  {
    definitionId,
    version,
    name,
    type,
    repeats,
    config,
    styleGuide,
  }: ReturnType<typeof definitionsFor>[number],
): void {
  database.run(
    `INSERT INTO run_set_definition (application, run_set_id, definition_id, version, name, type, repeats, global_config,
       style_guide, judge_version, gate_state, gate_judge, gate_reason)
     VALUES (:application, :runSetId, :definitionId, :version, :name, :type, :repeats, :config, :styleGuide, :judgeVersion,
       :gateState, :gateJudge, :gateReason)`,
    {
      application,
      runSetId,
      definitionId,
      version,
      name,
      type,
      repeats,
      config: JSON.stringify(config),
      styleGuide: styleGuide && JSON.stringify(styleGuide),
      judgeVersion: newestJudgeVersion(database, { application, definitionId, version }),
      ...fixedGateColumns(gate, type),
    },
  );
}

/** Returns what a run set has fixed. */
export function snapshotOfRunSet(database: Database, of: OfRunSet): RunSetSnapshot {
  const definitions = database.all<RunSetSnapshot['definitions'][number]>(
    `SELECT definition_id AS id, version, name, type, judge_version AS "judgeVersion" FROM run_set_definition
     WHERE application = :application AND run_set_id = :runSetId ORDER BY definition_id`,
    { ...of },
  );
  const links = database.all<{ taskId: string; id: string }>(
    `SELECT task_id AS "taskId", definition_id AS id FROM run_set_link
     WHERE application = :application AND run_set_id = :runSetId ORDER BY task_id, place`,
    { ...of },
  );
  const examples = database.all<{ taskId: string; id: string; version: number }>(
    `SELECT task_id AS "taskId", example_id AS id, version FROM run_set_example
     WHERE application = :application AND run_set_id = :runSetId ORDER BY task_id, place`,
    { ...of },
  );
  const linksOf = Map.groupBy(links, ({ taskId }) => taskId);
  const examplesOf = Map.groupBy(examples, ({ taskId }) => taskId);
  const taskIds = new Set([...linksOf.keys(), ...examplesOf.keys()]);
  return {
    definitions,
    tasks: [...taskIds].sort().map((taskId) => ({
      taskId,
      definitionIds: (linksOf.get(taskId) ?? []).map(({ id }) => id),
      examples: (examplesOf.get(taskId) ?? []).map(({ id, version }) => ({ id, version })),
    })),
  };
}
