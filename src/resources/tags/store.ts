import type { ById, Owner } from '../../contract/owner.ts';
import type { ListOf } from '../../contract/paging.ts';
import { isOneOf } from '../../storage/sql.ts';
import type { Database } from '../../storage/database.ts';
import { ifUnchanged } from '../../storage/unchanged.ts';
import { containsText, each, valuesOf } from '../../storage/dialect.ts';
import type { GivenTagFields, Tag, TagFields, TagList, TagsQuery, TaskTagsBody } from './contract.ts';
import { removeTagFromDocuments } from '../documents/tag-store.ts';
import { type ShortTag, shortTags, tags } from './record.ts';
import { tasks } from '../tasks/record.ts';

function createTag(
  database: Database,
  { owner, id, fields, at }: ById & { fields: TagFields; at: number },
): Tag {
  tags.insert(database, { application: owner.application, at }, { ...fields, id });
  return tags.get(database, { owner, id });
}

function updateTag(
  database: Database,
  { owner, id, given, at }: ById & { given: GivenTagFields; at: number },
): Tag {
  tags.update(database, { application: owner.application, id, at }, given);
  return tags.get(database, { owner, id });
}

/** Deletes a tag and removes it from its tasks and documents. Throws `not_found`. */
function deleteTag(database: Database, { application, id }: { application: number; id: string }): void {
  database.run('DELETE FROM task_tag WHERE application = :application AND tag_id = :id', { application, id });
  removeTagFromDocuments(database, { application, tagId: id });
  tags.delete(database, { application, id });
}

/** Returns the tags of tasks with any status, by name. */
export const tagsOfTasks = (
  database: Database,
  of: { application: number; ids: readonly string[] },
): Map<string, ShortTag[]> => shortTags(database, { table: 'task_tag', column: 'task_id' }, of);

/** Removes all tags from a task. */
export function untagTask(
  database: Database,
  { application, taskId }: { application: number; taskId: string },
): void {
  database.run('DELETE FROM task_tag WHERE application = :application AND task_id = :taskId', {
    application,
    taskId,
  });
}

function listTags(database: Database, { owner, query }: { owner: Owner; query: TagsQuery }): ListOf<Tag> {
  const { status = ['ACTIVE'], search } = query;
  const named = search === undefined ? [] : [{ sql: containsText('?', 'name'), values: [search] }];
  return tags.list(database, owner, { where: [isOneOf('status', status), ...named], page: query });
}

/** Returns the tags of a task with any status. Throws `not_found`. */
function listTaskTags(
  database: Database,
  { owner, taskId, query }: { owner: Owner; taskId: string; query: TagList },
): ListOf<Tag> {
  tasks.requireAll(database, owner.application, [taskId]);
  const ofTask = {
    sql: 'id IN (SELECT tag_id FROM task_tag WHERE application = ? AND task_id = ?)',
    values: [owner.application, taskId],
  };
  return tags.list(database, owner, { where: [ofTask], page: query });
}

/** Changes the tags of all tasks, or none. Throws `not_found`. */
function changeTaskTags(
  database: Database,
  { application, taskIds, addTagIds, removeTagIds }: TaskTagsBody & { application: number },
): void {
  tasks.requireAll(database, application, taskIds);
  tags.requireAll(database, application, [...addTagIds, ...removeTagIds]);
  const targets = JSON.stringify(taskIds);
  database.run(
    `INSERT INTO task_tag (application, task_id, tag_id)
     SELECT :application, task.value, tag.value
     FROM ${each(':targets')} AS task JOIN ${each(':addTagIds')} AS tag ON true WHERE true
     ON CONFLICT DO NOTHING`,
    { application, targets, addTagIds: JSON.stringify(addTagIds) },
  );
  database.run(
    `DELETE FROM task_tag WHERE application = :application AND task_id IN ${valuesOf(':targets')}
       AND tag_id IN ${valuesOf(':removeTagIds')}`,
    { application, targets, removeTagIds: JSON.stringify(removeTagIds) },
  );
}

/** Gives a task these tags and no others. Throws `not_found`. */
function replaceTaskTags(
  database: Database,
  { owner, taskId, tagIds }: { owner: Owner; taskId: string; tagIds: readonly string[] },
): void {
  const { application } = owner;
  tasks.requireAll(database, application, [taskId]);
  untagTask(database, { application, taskId });
  changeTaskTags(database, { application, taskIds: [taskId], addTagIds: [...tagIds], removeTagIds: [] });
}

export const tagCommands = {
  createTag,
  updateTag: ifUnchanged(tags, updateTag),
  deleteTag,
  changeTaskTags,
  replaceTaskTags,
};
export const tagQueries = { getTag: tags.get, listTags, listTaskTags };
