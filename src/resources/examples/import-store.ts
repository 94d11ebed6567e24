import { randomUUID } from 'node:crypto';
import type { Database } from '../../storage/database.ts';
import type { FieldsOf } from '../../storage/record.ts';
import { tasks } from '../tasks/record.ts';
import type { ExampleField } from './import-contract.ts';
import type { ImportedFields } from './import-example.ts';
import { isOfErasedTrace } from './origin.ts';
import { examples } from './record.ts';
import type { PromptSchema } from './require-valid-input.ts';
import { changedFields, changeExample, insertExample, nextPosition } from './store.ts';

export interface ImportExamples {
  application: number;
  taskId: string;
  rows: readonly { fields: ImportedFields; given: readonly ExampleField[] }[];
  /** True to store nothing. */
  dryRun: boolean;
  at: number;
}

export interface ImportCounts {
  created: number;
  updated: number;
  unchanged: number;
  /** Changed examples: the index of the row, and the fields that have another value now. */
  replaced: { index: number; key: string; fields: string[] }[];
  /** Indexes of rows that copy texts of an erased trace and were not imported. */
  erased: number[];
}

const known = examples.pick('id', 'key', 'status');

/** Creates examples, or changes the given fields of those with the same key. Throws `not_found` for the task. */
function importExamples(
  database: Database,
  { application, taskId, rows, dryRun, at }: ImportExamples,
): ImportCounts {
  tasks.requireAll(database, application, [taskId]);
  const counts: ImportCounts = { created: 0, updated: 0, unchanged: 0, replaced: [], erased: [] };
  let position = nextPosition(database, { application, taskId });
  for (const [index, { fields, given: fieldsOfFile }] of rows.entries()) {
    if (isOfErasedTrace(database, { application, key: fields.key })) {
      counts.erased.push(index);
      continue;
    }
    const found = findExample(database, application, { taskId, key: fields.key });
    if (!found) {
      counts.created += 1;
      if (!dryRun) {
        const place = { application, taskId, id: randomUUID(), position: position++, at };
        insertExample(database, place, fields);
      }
      continue;
    }
    const changed = fieldsOfFile.filter((field) => field !== 'key');
    const changes = Object.fromEntries(changed.map((field) => [field, fields[field]]));
    const given = { ...changes, status: fields.status ?? ('ACTIVE' as const) };
    const differing = changedFields(database, { application, id: found.id }, given);
    if (differing.length === 0) {
      counts.unchanged += 1;
      continue;
    }
    counts.updated += 1;
    counts.replaced.push({ index, key: fields.key, fields: differing });
    if (!dryRun) changeExample(database, { application, id: found.id, at }, given);
  }
  return counts;
}

/** Finds the example with a key. An example without a key is exported with its id as the key. */
function findExample(
  database: Database,
  application: number,
  place: { taskId: string; key: string },
): FieldsOf<typeof known> | undefined {
  const [byKey] = known.all(database, application, 'task_id = :taskId AND key = :key', place);
  return byKey ?? known.all(database, application, 'id = :key AND task_id = :taskId', place)[0];
}

/** Returns the JSON Schema of the prompts of a task; null if these are texts. Throws `not_found`. */
const getPromptSchema = (
  database: Database,
  { application, taskId }: { application: number; taskId: string },
): PromptSchema => tasks.require(database, application, taskId).simulatedPromptSchema;

export const importCommands = { importExamples };
export const importQueries = { getPromptSchema };
