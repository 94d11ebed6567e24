import type { Database } from '../storage/database.ts';
import { orderedJoin, valuesOf } from '../storage/dialect.ts';
import { notFound } from '../storage/require-row.ts';
import { isOneOf, type SqlFragment } from '../storage/sql.ts';

/** Most examples that are in memory at once. */
const PAGE = 50;

/** Choice of examples; without a field, all active examples. */
export interface ChosenExamples {
  ids?: readonly string[] | undefined;
  splits?: readonly string[] | undefined;
}

/** An example to test, with its texts as stored. */
export interface ExampleToTest {
  id: string;
  version: number;
  position: number;
  prompt: string;
  isObject: number;
  metadata: string | null;
}

/** Throws `not_found` unless each of these examples belongs to one of the tasks. */
export function requireExamples(
  database: Database,
  { application, taskIds, ids }: { application: number; taskIds: Iterable<string>; ids: readonly string[] },
): void {
  const wanted = new Set(ids);
  const found = database.get<{ n: number }>(
    `SELECT count(*) AS n FROM example WHERE application = :application AND id IN ${valuesOf(':wanted')} AND task_id IN ${valuesOf(':taskIds')}`,
    { application, wanted: JSON.stringify([...wanted]), taskIds: JSON.stringify([...taskIds]) },
  );
  if (found?.n !== wanted.size) throw notFound('example');
}

interface OfTask {
  application: number;
  taskId: string;
}

/** Source of the examples of a task: FROM and WHERE of a query, its columns, and their order. */
interface Source extends SqlFragment {
  columns: string;
  order: string;
}

function activeExamples({ application, taskId }: OfTask, { ids, splits }: ChosenExamples): Source {
  const all: SqlFragment[] = [
    { sql: `application = ? AND task_id = ? AND status = 'ACTIVE'`, values: [application, taskId] },
    ...(ids ? [{ sql: `id IN ${valuesOf('?')}`, values: [JSON.stringify(ids)] }] : []),
    ...(splits ? [isOneOf('split', splits)] : []),
  ];
  return {
    columns: 'id, version, position, prompt, is_object AS isObject, metadata',
    sql: `example WHERE ${all.map(({ sql }) => sql).join(' AND ')}`,
    values: all.flatMap(({ values }) => values),
    order: 'position, id',
  };
}

/** Examples of a run set, each in the version that it had when the set was started. */
function examplesOfRunSet({ application, taskId }: OfTask, runSetId: string): Source {
  const current = (column: string): string =>
    `CASE WHEN earlier.prompt IS NULL THEN example.${column} ELSE earlier.${column} END`;
  return {
    columns: `example.id, chosen.version, example.position, ${current('prompt')} AS prompt,
      ${current('is_object')} AS isObject, ${current('metadata')} AS metadata`,
    sql: `run_set_example AS chosen
      ${orderedJoin} example ON example.application = chosen.application AND example.id = chosen.example_id
      LEFT JOIN example_version AS earlier ON earlier.application = chosen.application
        AND earlier.example_id = chosen.example_id AND earlier.version = chosen.version
      WHERE chosen.application = ? AND chosen.run_set_id = ? AND chosen.task_id = ?
        AND (earlier.prompt IS NOT NULL OR example.version = chosen.version)`,
    values: [application, runSetId, taskId],
    order: 'chosen.place',
  };
}

/** The active examples of a task in their order, or those of a run set, read in pages. */
export class TaskExamples {
  readonly count: number;
  private readonly database: Database;
  private readonly source: Source;
  private page: { from: number; rows: ExampleToTest[] } = { from: 0, rows: [] };

  constructor(
    database: Database,
    {
      chosen = {},
      runSetId,
      ...ofTask
    }: OfTask & { chosen?: ChosenExamples | undefined; runSetId?: string | undefined },
  ) {
    this.database = database;
    this.source =
      runSetId === undefined ? activeExamples(ofTask, chosen) : examplesOfRunSet(ofTask, runSetId);
    this.count = this.countMatching();
  }

  /** Returns the example at this place; undefined when there are fewer. */
  at(index: number): ExampleToTest | undefined {
    const { from, rows } = this.page;
    if (index >= from && index < from + rows.length) return rows[index - from];
    this.page = { from: index, rows: this.read(index) };
    return this.page.rows[0];
  }

  private countMatching(): number {
    const { sql, values } = this.source;
    return this.database.get<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`, ...values)?.n ?? 0;
  }

  private read(from: number): ExampleToTest[] {
    const { columns, sql, values, order } = this.source;
    return this.database.all<ExampleToTest>(
      `SELECT ${columns} FROM ${sql} ORDER BY ${order} LIMIT ? OFFSET ?`,
      ...values,
      PAGE,
      from,
    );
  }
}
