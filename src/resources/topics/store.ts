import type { ById, Owner } from '../../contract/owner.ts';
import type { ListOf } from '../../contract/paging.ts';
import { containsText } from '../../storage/dialect.ts';
import type { RecordOf } from '../../storage/record.ts';
import { isOneOf, type SqlFragment } from '../../storage/sql.ts';
import type { Database } from '../../storage/database.ts';
import { withHooks } from '../../storage/operations.ts';
import { ifUnchanged } from '../../storage/unchanged.ts';
import { removeLinks, replaceLinks } from '../definitions/definition-links.ts';
import { linkedDefinitions } from '../definitions/linked-definitions.ts';
import type { GivenTopicFields, NewTopicFields, Topic, TopicsQuery } from './contract.ts';
import { topics } from './record.ts';
import { activateDrafts, type DraftsOf } from '../../storage/drafts.ts';
import { quickstarts } from '../quickstarts/record.ts';

interface NewTopic extends ById {
  fields: NewTopicFields;
  at: number;
}

/** Creates a topic; throws the errors of `insertTopic`. */
function createTopic(database: Database, topic: NewTopic): Topic {
  insertTopic(database, topic);
  return getTopic(database, topic);
}

/** Inserts a topic. Throws `not_found` for records that it refers to, and `conflict` for an archived definition. */
export function insertTopic(database: Database, { owner: { application }, id, fields, at }: NewTopic): void {
  const { quickstartId, evalDefinitions } = fields;
  quickstarts.requireAll(database, application, [quickstartId]);
  topics.insert(database, { application, at }, { ...fields, id });
  replaceLinks(database, { application, kind: 'topic', targetId: id, at }, evalDefinitions);
}

/** Updates a topic. Throws `not_found` for it and for definitions, and `conflict` for an archived one. */
function updateTopic(
  database: Database,
  { owner, id, given: { evalDefinitions, ...given }, at }: ById & { given: GivenTopicFields; at: number },
): Topic {
  const { application } = owner;
  topics.update(database, { application, id, at }, given);
  if (evalDefinitions)
    replaceLinks(database, { application, kind: 'topic', targetId: id, at }, evalDefinitions);
  return getTopic(database, { owner, id });
}

/** Hooks of features with records below a topic. */
export interface TopicHooks {
  /** Archives some of the records of a topic; returns whether there may be more. */
  onTopicArchived: readonly ((
    database: Database,
    args: { application: number; topicId: string; at: number },
  ) => boolean)[];
}

/** Archives a topic; throws `not_found`. */
export function archiveTopic(database: Database, { owner, id, at }: ById & { at: number }): Topic {
  const topic = getTopic(database, { owner, id });
  if (topic.status === 'ARCHIVED') return topic;
  return updateTopic(database, { owner, id, given: { status: 'ARCHIVED' }, at });
}

/**
 * Archives some tasks of a topic, which may be archived itself; returns whether there may be more. Throws
 * `not_found`.
 */
function archiveTasksOfTopic(
  database: Database,
  { owner: { application }, id, at }: ById & { at: number },
  { onTopicArchived }: TopicHooks,
): boolean {
  topics.requireAll(database, application, [id]);
  return onTopicArchived.some((archive) => archive(database, { application, topicId: id, at }));
}

/** Deletes a topic, unless tasks, documents or annotation queues belong to it. */
function removeTopic(database: Database, { application, id }: { application: number; id: string }): void {
  const tables = ['task', 'document', 'annotation_queue'];
  const used = tables.map(
    (table) => `SELECT 1 FROM ${table} WHERE application = :application AND topic_id = :id`,
  );
  if (database.get(`${used.join(' UNION ALL ')} LIMIT 1`, { application, id })) return;
  removeLinks(database, { application, kind: 'topic', targetId: id });
  database.run('DELETE FROM topic WHERE application = :application AND id = :id', { application, id });
}

/** Returns a topic; throws `not_found`. */
function getTopic(database: Database, { owner, id }: ById): Topic {
  return withDefinitions(database, owner, [topics.get(database, { owner, id })])[0] as Topic;
}

function listTopics(
  database: Database,
  { owner, query }: { owner: Owner; query: TopicsQuery },
): ListOf<Topic> {
  const { data, pagination } = topics.list(database, owner, { where: topicsThat(query), page: query });
  return { data: withDefinitions(database, owner, data), pagination };
}

/** Returns topics as the API shows them, in the order of their rows. */
function withDefinitions(
  database: Database,
  owner: Owner,
  records: readonly RecordOf<typeof topics>[],
): Topic[] {
  const ids = records.map(({ id }) => id);
  const linkedTo = linkedDefinitions(database, owner, 'topic', ids);
  return records.map((topic) => ({
    ...topic,
    evalDefinitions: linkedTo(topic.id).map((link) => ({ ...link, topicId: topic.id })),
  }));
}

function topicsThat({ status = ['DRAFT', 'ACTIVE'], title, ...query }: TopicsQuery): SqlFragment[] {
  const flags = {
    is_in_scope: query.isInScope,
    is_tasks_verified: query.isTasksVerified,
    is_documents_verified: query.isDocumentsVerified,
    is_knowledge_base_verified: query.isKnowledgeBaseVerified,
    is_policies_verified: query.isPoliciesVerified,
  };
  return [
    isOneOf('status', status),
    ...Object.entries(flags).flatMap(([column, wanted]) =>
      wanted === undefined ? [] : [{ sql: `${column} = ?`, values: [Number(wanted)] }],
    ),
    ...(title === undefined ? [] : [{ sql: containsText('?', 'title'), values: [title] }]),
  ];
}

/** Activates some drafts of a quickstart; returns their number. */
export const activateTopics = (database: Database, of: DraftsOf): number =>
  activateDrafts(database, topics, of).length;

export const topicCommands = (hooks: TopicHooks) => ({
  createTopic,
  updateTopic: ifUnchanged(topics, updateTopic),
  archiveTopic,
  removeTopic,
  archiveTasksOfTopic: withHooks(hooks)(archiveTasksOfTopic),
});
export const topicQueries = { getTopic, listTopics };
