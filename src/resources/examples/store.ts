import type { Owner } from '../../contract/owner.ts';
import type { ListOf } from '../../contract/paging.ts';
import { AppError } from '../../errors.ts';
import { invalid } from '../../contract/errors.ts';
import type { Database } from '../../storage/database.ts';
import { notFound } from '../../storage/require-row.ts';
import type { RecordOf } from '../../storage/record.ts';
import { tasks } from '../tasks/record.ts';
import type {
  Example,
  ExamplesQuery,
  ExampleVersion,
  GivenExampleFields,
  NewExampleFields,
} from './contract.ts';
import { exampleFilter } from './filter.ts';
import { contentFields, examples, exampleVersions, promptOf, withInput } from './record.ts';

/** Most earlier versions that are kept of an example. */
const MAX_VERSIONS = 100;

interface ByTask {
  owner: Owner;
  taskId: string;
}
export interface ByExample extends ByTask {
  id: string;
}

/** Creates an example at the end of its task. Throws `not_found`, `conflict` for a known key, and `invalid`. */
function createExample(
  database: Database,
  { owner, taskId, id, fields, at }: ByExample & { fields: NewExampleFields; at: number },
): Example {
  const { application } = owner;
  requireInput(database, application, { taskId, input: fields.input });
  const position = nextPosition(database, { application, taskId });
  insertExample(database, { application, taskId, id, position, at }, fields);
  return getExample(database, { owner, taskId, id });
}

interface NewExample {
  application: number;
  taskId: string;
  id: string;
  position: number;
  /** Trace that the example is made from. */
  traceId?: Uint8Array;
  at: number;
}

/** Inserts an example whose fields have been checked. Throws `conflict` for a known key. */
export function insertExample(
  database: Database,
  { application, at, ...place }: NewExample,
  { input, ...fields }: NewExampleFields,
): void {
  const first = { status: 'ACTIVE', version: 1 } as const;
  if (
    !examples.tryInsert(database, { application, at }, { ...place, ...fields, ...promptOf(input), ...first })
  )
    throw knownKey(fields.key);
}

/** Updates an example, and keeps the version before. Throws the errors of `createExample`. */
function updateExample(
  database: Database,
  { owner, taskId, id, given, at }: ByExample & { given: GivenExampleFields; at: number },
): Example {
  const { application } = owner;
  requireExample(database, application, { taskId, id });
  const { input, key } = given;
  if (input !== undefined) requireInput(database, application, { taskId, input });
  if (key !== undefined && key !== null) requireFreeKey(database, application, { taskId, id, key });
  changeExample(database, { application, id, at }, given);
  return getExample(database, { owner, taskId, id });
}

/** Changes the given fields of an example if they differ; returns whether they did. */
export function changeExample(
  database: Database,
  { application, id, at }: { application: number; id: string; at: number },
  { input, ...given }: GivenExampleFields,
): boolean {
  const changes = { ...given, ...(input !== undefined && promptOf(input)) };
  const before = examples.require(database, application, id);
  if (isSame(before, changes)) return false;
  const version = before.version + 1;
  exampleVersions.insert(
    database,
    { application, at },
    { ...contentFields.require(database, application, id), exampleId: id, replacedAt: at },
  );
  examples.update(database, { application, id, at }, { ...changes, version });
  database.run(
    'DELETE FROM example_version WHERE application = :application AND example_id = :id AND version < :first',
    { application, id, first: version - MAX_VERSIONS },
  );
  return true;
}

/** Reports whether all changes are equal to the fields of a record. */
function isSame(record: object, changes: object): boolean {
  const before = examples.encode(record);
  return Object.entries(examples.encode(changes)).every(([field, value]) => before[field] === value);
}

/** Deletes an example with its versions, or archives one that has tests. Throws `not_found`. */
function deleteExample(database: Database, { owner, taskId, id, at }: ByExample & { at: number }): void {
  const { application } = owner;
  requireExample(database, application, { taskId, id });
  removeExample(database, { application, id, at });
}

/** Removes an example from its task: deletes it, or archives it if it has tests. */
export function removeExample(
  database: Database,
  { application, id, at }: { application: number; id: string; at: number },
): void {
  const isTested = 'SELECT 1 FROM test WHERE application = ? AND example_id = ? LIMIT 1';
  if (database.get(isTested, application, id)) {
    changeExample(database, { application, id, at }, { status: 'ARCHIVED' });
    return;
  }
  database.run('DELETE FROM example_version WHERE application = ? AND example_id = ?', application, id);
  examples.delete(database, { application, id });
}

/** Deletes at most `limit` examples of a task, none of which has tests; returns whether there may be more. */
export function deleteExamplesOf(
  database: Database,
  { application, taskId, limit }: { application: number; taskId: string; limit: number },
): boolean {
  const some = database.all<{ id: string }>(
    'SELECT id FROM example WHERE application = ? AND task_id = ? LIMIT ?',
    application,
    taskId,
    limit,
  );
  for (const { id } of some) {
    database.run('DELETE FROM example_version WHERE application = ? AND example_id = ?', application, id);
    examples.delete(database, { application, id });
  }
  return some.length === limit;
}

/** Returns the place after the last example of a task. */
export function nextPosition(
  database: Database,
  { application, taskId }: { application: number; taskId: string },
): number {
  const row = database.get<{ last: number | null }>(
    'SELECT max(position) AS last FROM example WHERE application = ? AND task_id = ?',
    application,
    taskId,
  );
  return (row?.last ?? -1) + 1;
}

/** Returns an example; throws `not_found`. */
function getExample(database: Database, { owner, taskId, id }: ByExample): Example {
  const found = examples.get(database, { owner, id });
  if (found.taskId !== taskId) throw notFound('example');
  return shown(found);
}

/** Returns an example as the API shows it. */
export const shown = (found: RecordOf<typeof examples>): Example => withInput(found);

function listExamples(
  database: Database,
  { owner, taskId, query }: ByTask & { query: ExamplesQuery },
): ListOf<Example> {
  tasks.requireAll(database, owner.application, [taskId]);
  const within = { sql: 'task_id = ?', values: [taskId] };
  const where = exampleFilter(query);
  const { data, pagination } = examples.list(database, owner, { within, where, page: query });
  return { data: data.map(shown), pagination };
}

/** Returns the versions of an example, newest first. Throws `not_found`. */
function listExampleVersions(database: Database, by: ByExample): ExampleVersion[] {
  const { application } = by.owner;
  requireExample(database, application, by);
  const current = contentFields.require(database, application, by.id);
  const earlier = exampleVersions.all(
    database,
    application,
    'example_id = :id ORDER BY version DESC LIMIT :limit',
    { id: by.id, limit: MAX_VERSIONS },
  );
  return [{ ...current, replacedAt: null }, ...earlier].map((one) => withInput(one));
}

function requireExample(
  database: Database,
  application: number,
  { taskId, id }: { taskId: string; id: string },
): void {
  if (examples.find(database, application, id)?.taskId !== taskId) throw notFound('example');
}

/** Throws `not_found` for the task, and `invalid` for an object where the task has no schema. */
function requireInput(
  database: Database,
  application: number,
  { taskId, input }: { taskId: string; input: NewExampleFields['input'] },
): void {
  const { simulatedPromptSchema } = tasks.require(database, application, taskId);
  if (typeof input === 'string' || simulatedPromptSchema !== null) return;
  const message = '`input` must be a text, because the task has no `simulatedPromptSchema`';
  throw invalid([{ code: 'invalid_type', message, path: ['input'] }]);
}

function requireFreeKey(
  database: Database,
  application: number,
  { taskId, id, key }: { taskId: string; id: string; key: string },
): void {
  const [other] = examples.all(database, application, 'task_id = :taskId AND key = :key', { taskId, key });
  if (other && other.id !== id) throw knownKey(key);
}

const knownKey = (key: string | null): AppError =>
  new AppError('conflict', `The task already has an example with the key ${JSON.stringify(key)}`);

export const exampleCommands = { createExample, updateExample, deleteExample };
export const exampleQueries = { getExample, listExamples, listExampleVersions };
