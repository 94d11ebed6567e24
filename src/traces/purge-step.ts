import type { Database, SqlValue } from '../storage/database.ts';

/** Limits of one step of a purge. Freed pages are overwritten, so bytes count as well as rows. */
const STEP_ROWS = 2_000;
const STEP_BYTES = 4 * 1024 * 1024;

/** Rows and bytes that a step may still change. A single row may exceed it and is then the last one of its step. */
export class StepBudget {
  rows = STEP_ROWS;
  private bytes = STEP_BYTES;

  get isSpent(): boolean {
    return this.rows <= 0 || this.bytes <= 0;
  }

  spend(rows: number, bytes: number): void {
    this.rows -= rows;
    this.bytes -= bytes;
  }
}

interface Selection {
  /** Selects the rows, with their size as `bytes` and without LIMIT. */
  sql: string;
  values: SqlValue[];
  /** Cost of a row in addition to its bytes. Default: 1. */
  rowsEach?: number;
}

/** Removes rows one by one until none is left or the budget is used up; returns whether none is left. */
export function removeRows<Row>(
  database: Database,
  { sql, values, rowsEach = 1 }: Selection,
  budget: StepBudget,
  remove: (row: Row) => unknown,
): boolean {
  if (budget.isSpent) return false;
  const limit = Math.ceil(budget.rows / rowsEach);
  const rows = database.all<Row & { bytes: number }>(`${sql} LIMIT ?`, ...values, limit);
  for (const row of rows) {
    if (budget.isSpent) return false;
    remove(row);
    budget.spend(rowsEach, row.bytes);
  }
  return rows.length < limit;
}
