import { addInputExamples } from '../../src/resources/examples/input-examples.ts';
import type { Database } from '../../src/storage/database.ts';

/** Stores examples without expected values as the next ones of a task. */
export function storeExamples(
  database: Database,
  application: number,
  taskId: string,
  prompts: readonly string[],
): void {
  addInputExamples(database, { application, taskId, at: 0 }, prompts);
}
