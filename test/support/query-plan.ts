import type { SqliteDatabase } from '../../src/storage/sqlite/database.ts';

export interface PlanStep {
  parent: number;
  detail: string;
}

/** Returns SQLite's plan for a statement, with parameters of any kind. */
export function queryPlan({ connection }: SqliteDatabase, sql: string): PlanStep[] {
  const names = [...new Set(sql.match(/\?\d+|:\w+/g))];
  const unnamed = names.length > 0 ? [] : (sql.match(/\?/g) ?? []).map(() => null);
  const named = names.length > 0 ? [Object.fromEntries(names.map((name) => [name.slice(1), null]))] : [];
  return connection.prepare<unknown[], PlanStep>(`EXPLAIN QUERY PLAN ${sql}`).all(...unnamed, ...named);
}
