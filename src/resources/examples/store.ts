import type { Owner } from '../../contract/owner.ts';
import type { ListOf } from '../../contract/paging.ts';
import { AppError } from '../../errors.ts';
import { invalid } from '../../contract/errors.ts';
import type { Database } from '../../storage/database.ts';
import { notFound } from '../../storage/require-row.ts';
import type { RecordOf } from '../../storage/record.ts';
import type { TraceHooks } from '../../traces/purge.ts';
import { tasks } from '../tasks/record.ts';
import type {
  Example,
  ExamplesQuery,
  ExampleVersion,
  GivenExampleFields,
  NewExampleFields,
} from './contract.ts';
import { noteCopiedTrace } from './copied-traces.ts';
import { exampleFilter } from './filter.ts';
import { ERASED_KEY, isOfErasedTrace, originOfKey } from './origin.ts';
import { contentFields, examples, exampleVersions, newExamples, promptColumns, withInput } from './record.ts';

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
  if (isOfErasedTrace(database, { application, key: fields.key }))
    throw invalid([{ code: 'custom', message: ERASED_KEY, path: ['key'] }]);
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
  { input, ...fields }: NewExampleFields & { status?: 'ACTIVE' | 'ARCHIVED' },
): void {
  const first = { status: fields.status ?? ('ACTIVE' as const), version: 1 };
  const origin = place.traceId ?? originOfKey(fields.key);
  if (
    !newExamples.tryInsert(
      database,
      { application, at },
      { ...place, ...fields, ...promptColumns(input), ...first, origin },
    )
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
  const { position, ...content } = given;
  const { input, key } = content;
  if (input !== undefined) requireInput(database, application, { taskId, input });
  if (key !== undefined && key !== null) requireFreeKey(database, application, { taskId, id, key });
  if (position !== undefined) moveExample(database, application, { taskId, id, position });
  changeExample(database, { application, id, at }, content);
  return getExample(database, { owner, taskId, id });
}

/** Swaps the places of an example and of the one at `position`. Throws `invalid` if none is there. */
function moveExample(
  database: Database,
  application: number,
  { taskId, id, position }: { taskId: string; id: string; position: number },
): void {
  const before = examples.require(database, application, id).position;
  if (position === before) return;
  const [other] = examples.all(
    database,
    application,
    'task_id = :taskId AND position = :position ORDER BY id LIMIT 1',
    { taskId, position },
  );
  if (!other)
    throw invalid([
      { code: 'custom', message: `no example of the task has the place ${position}`, path: ['position'] },
    ]);
  const place = 'UPDATE example SET position = :position WHERE application = :application AND id = :id';
  database.run(place, { application, id: other.id, position: before });
  database.run(place, { application, id, position });
}

type ExampleChanges = Omit<GivenExampleFields, 'position'>;

interface ExampleChange {
  application: number;
  id: string;
  at: number;
}

/** Changes the given fields of an example if they differ; returns whether they did. */
export function changeExample(
  database: Database,
  { application, id, at }: ExampleChange,
  given: ExampleChanges,
): boolean {
  if (changedFields(database, { application, id }, given).length === 0) return false;
  const before = contentFields.require(database, application, id);
  const version = before.version + 1;
  exampleVersions.insert(database, { application, at }, { ...before, exampleId: id, replacedAt: at });
  examples.update(database, { application, id, at }, { ...columnsOf(given), version });
  database.run(
    'DELETE FROM example_version WHERE application = :application AND example_id = :id AND version < :first',
    { application, id, first: version - MAX_VERSIONS },
  );
  return true;
}

/** Returns the given fields that differ from those of an example. */
export function changedFields(
  database: Database,
  { application, id }: Pick<ExampleChange, 'application' | 'id'>,
  given: ExampleChanges,
): string[] {
  const before = examples.require(database, application, id);
  return Object.entries(given)
    .filter(([field, value]) => !isSame(before, columnsOf({ [field]: value })))
    .map(([field]) => field);
}

const columnsOf = ({ input, ...given }: ExampleChanges) => ({
  ...given,
  ...(input !== undefined && promptColumns(input)),
});

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
  const isTested = 'SELECT 1 FROM test WHERE application = :application AND example_id = :id LIMIT 1';
  if (database.get(isTested, { application, id })) {
    changeExample(database, { application, id, at }, { status: 'ARCHIVED' });
    return;
  }
  deleteWithVersions(database, { application, id });
}

function deleteWithVersions(
  database: Database,
  { application, id }: { application: number; id: string },
): void {
  database.run('DELETE FROM example_version WHERE application = :application AND example_id = :id', {
    application,
    id,
  });
  examples.delete(database, { application, id });
}

/** Deletes at most `limit` examples of a task, none of which has tests; returns whether there may be more. */
export function deleteExamplesOf(
  database: Database,
  { application, taskId, limit }: { application: number; taskId: string; limit: number },
): boolean {
  const some = database.all<{ id: string }>(
    'SELECT id FROM example WHERE application = :application AND task_id = :taskId LIMIT :limit',
    { application, taskId, limit },
  );
  for (const { id } of some) deleteWithVersions(database, { application, id });
  return some.length === limit;
}

/** Removes a deleted trace from some of the examples that were made of it; returns from how many. */
const forgetTrace = (
  database: Database,
  some: { application: number; traceId: Uint8Array; limit: number },
): number =>
  database.run(
    `UPDATE example SET trace_id = NULL WHERE application = :application AND id IN (
       SELECT id FROM example WHERE application = :application AND trace_id = :traceId LIMIT :limit)`,
    some,
  );

/** Deletes examples with their history. */
export function deleteExamples(
  database: Database,
  { application, ids }: { application: number; ids: readonly string[] },
): void {
  for (const id of ids) deleteWithVersions(database, { application, id });
}

/** Returns the place after the last example of a task. */
export function nextPosition(
  database: Database,
  { application, taskId }: { application: number; taskId: string },
): number {
  const row = database.get<{ last: number | null }>(
    'SELECT max(position) AS last FROM example WHERE application = :application AND task_id = :taskId',
    { application, taskId },
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
export const exampleHooks = {
  beforeTraceDeleted: [noteCopiedTrace],
  purgeRows: [forgetTrace],
} satisfies Partial<TraceHooks>;
