import { randomUUID } from 'node:crypto';
import type { Database } from '../../storage/database.ts';
import { tasks } from '../tasks/record.ts';
import type { ImportField } from './import-contract.ts';
import type { NewExampleFields } from './contract.ts';
import { examples } from './record.ts';
import { changeExample, insertExample, nextPosition } from './store.ts';

export interface ImportExamples {
  application: number;
  taskId: string;
  rows: readonly { fields: NewExampleFields & { key: string }; given: readonly ImportField[] }[];
  /** True to store nothing. */
  dryRun: boolean;
  at: number;
}

export interface ImportCounts {
  created: number;
  updated: number;
  unchanged: number;
}

const known = examples.pick('id', 'key', 'status');

/** Creates examples, or changes the given fields of those with the same key. Throws `not_found` for the task. */
function importExamples(
  database: Database,
  { application, taskId, rows, dryRun, at }: ImportExamples,
): ImportCounts {
  tasks.requireAll(database, application, [taskId]);
  const counts = { created: 0, updated: 0, unchanged: 0 };
  let position = nextPosition(database, { application, taskId });
  for (const { fields, given } of rows) {
    const [found] = known.all(database, application, 'task_id = :taskId AND key = :key', {
      taskId,
      key: fields.key,
    });
    if (!found) {
      counts.created += 1;
      if (!dryRun) {
        const place = { application, taskId, id: randomUUID(), position: position++, at };
        insertExample(database, place, fields);
      }
      continue;
    }
    const changes = Object.fromEntries(given.map((field) => [field, fields[field]]));
    const isChanged =
      !dryRun && changeExample(database, { application, id: found.id, at }, { ...changes, status: 'ACTIVE' });
    counts[isChanged ? 'updated' : 'unchanged'] += 1;
  }
  return counts;
}

/** Reports whether the prompts of a task are objects. Throws `not_found`. */
const hasPromptSchema = (
  database: Database,
  { application, taskId }: { application: number; taskId: string },
): boolean => tasks.require(database, application, taskId).simulatedPromptSchema !== null;

export const importCommands = { importExamples };
export const importQueries = { hasPromptSchema };
