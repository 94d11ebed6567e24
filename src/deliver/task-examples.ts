import type { Database } from '../storage/database.ts';
import { valuesOf } from '../storage/dialect.ts';
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

/** The active examples of a task in their order, read in pages. */
export class TaskExamples {
  readonly count: number;
  private readonly database: Database;
  private readonly matching: SqlFragment;
  private page: { from: number; rows: ExampleToTest[] } = { from: 0, rows: [] };

  constructor(
    database: Database,
    {
      application,
      taskId,
      chosen = {},
    }: { application: number; taskId: string; chosen?: ChosenExamples | undefined },
  ) {
    this.database = database;
    const isOfTask: SqlFragment = {
      sql: `application = ? AND task_id = ? AND status = 'ACTIVE'`,
      values: [application, taskId],
    };
    const { ids, splits } = chosen;
    const given: SqlFragment[] = ids
      ? [{ sql: `id IN ${valuesOf('?')}`, values: [JSON.stringify(ids)] }]
      : [];
    const all = [isOfTask, ...given, ...(splits ? [isOneOf('split', splits)] : [])];
    this.matching = {
      sql: all.map(({ sql }) => sql).join(' AND '),
      values: all.flatMap(({ values }) => values),
    };
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
    const { sql, values } = this.matching;
    return (
      this.database.get<{ n: number }>(`SELECT count(*) AS n FROM example WHERE ${sql}`, ...values)?.n ?? 0
    );
  }

  private read(from: number): ExampleToTest[] {
    const { sql, values } = this.matching;
    return this.database.all<ExampleToTest>(
      `SELECT id, position, prompt, is_object AS isObject, metadata FROM example WHERE ${sql}
       ORDER BY position, id LIMIT ? OFFSET ?`,
      ...values,
      PAGE,
      from,
    );
  }
}
