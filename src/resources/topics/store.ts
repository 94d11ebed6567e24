import type { Pagination } from '../../contract/paging.ts';
import { isoTime } from '../../contract/values.ts';
import type { Database, SqlValue } from '../../storage/sqlite/database.ts';
import type { Owner } from '../../traces/read.ts';
import { replaceLinks } from '../definition-links.ts';
import type { LinkedDefinition } from '../definitions/contract.ts';
import { linkedDefinitions } from '../linked-definitions.ts';
import { listRows, oneOf } from '../list-rows.ts';
import { requireRow, requireRows } from '../require-rows.ts';
import { withGiven } from '../with-given.ts';
import type { GivenTopicFields, NewTopicFields, Topic, TopicFields, TopicsQuery } from './contract.ts';

interface ById {
  owner: Owner;
  id: string;
}

interface NewTopic extends ById {
  fields: NewTopicFields;
  at: number;
}

/** Throws as `insertTopic` does. */
function createTopic(database: Database, topic: NewTopic): Topic {
  insertTopic(database, topic);
  return getTopic(database, topic);
}

/** Throws `not_found` of what it refers to, and `conflict` of an archived definition. */
export function insertTopic(database: Database, { owner: { application }, id, fields, at }: NewTopic): void {
  const { quickstartId, evalDefinitions } = fields;
  if (quickstartId !== null) requireRows(database, application, 'quickstart', [quickstartId]);
  database.run(
    `INSERT INTO topic (title, baseline, status, assigned_to, is_tasks_verified, is_documents_verified,
       is_knowledge_base_verified, is_policies_verified, quickstart_id, id, application, created_at, modified_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?12)`,
    ...columnsOf(fields),
    quickstartId,
    id,
    application,
    at,
  );
  replaceLinks(database, { application, kind: 'topic', targetId: id, at }, evalDefinitions);
}

/** Throws `not_found` of it and of definitions, and `conflict` of an archived one. */
function updateTopic(
  database: Database,
  { owner, id, given: { evalDefinitions, ...given }, at }: ById & { given: GivenTopicFields; at: number },
): Topic {
  const { application } = owner;
  const fields = withGiven<TopicFields>(getTopic(database, { owner, id }), given);
  database.run(
    `UPDATE topic SET title = ?, baseline = ?, status = ?, assigned_to = ?, is_tasks_verified = ?,
       is_documents_verified = ?, is_knowledge_base_verified = ?, is_policies_verified = ?, modified_at = ?
     WHERE application = ? AND id = ?`,
    ...columnsOf(fields),
    at,
    application,
    id,
  );
  if (evalDefinitions)
    replaceLinks(database, { application, kind: 'topic', targetId: id, at }, evalDefinitions);
  return getTopic(database, { owner, id });
}

/** In the order in which both statements name them. */
const columnsOf = (fields: TopicFields): SqlValue[] => [
  fields.title,
  fields.baseline,
  fields.status,
  fields.assignedTo,
  Number(fields.isTasksVerified),
  Number(fields.isDocumentsVerified),
  Number(fields.isKnowledgeBaseVerified),
  Number(fields.isPoliciesVerified),
];

/** Archives some tasks of a topic; whether there may be more. */
export type ArchiveTasks = (
  database: Database,
  args: { application: number; topicId: string; at: number },
) => boolean;

function archiveTopic(database: Database, { owner, id, at }: ById & { at: number }): Topic {
  const topic = getTopic(database, { owner, id });
  if (topic.status === 'ARCHIVED') return topic;
  return updateTopic(database, { owner, id, given: { status: 'ARCHIVED' }, at });
}

/** Archives some tasks of a topic, which may be archived itself; whether there may be more. Throws `not_found`. */
const archiveTasksOfTopic =
  (archiveTasks: ArchiveTasks) =>
  (database: Database, { owner, id, at }: ById & { at: number }): boolean => {
    requireRows(database, owner.application, 'topic', [id]);
    return archiveTasks(database, { application: owner.application, topicId: id, at });
  };

type Flag = 'isTasksVerified' | 'isDocumentsVerified' | 'isKnowledgeBaseVerified' | 'isPoliciesVerified';
type Row = Omit<Topic, Flag | 'evalDefinitions' | 'createdAt' | 'modifiedAt'> &
  Record<Flag | 'createdAt' | 'modifiedAt', number>;

const COLUMNS = `id, title, baseline, status, quickstart_id AS quickstartId, assigned_to AS assignedTo,
  is_tasks_verified AS isTasksVerified, is_documents_verified AS isDocumentsVerified,
  is_knowledge_base_verified AS isKnowledgeBaseVerified, is_policies_verified AS isPoliciesVerified,
  created_at AS createdAt, modified_at AS modifiedAt`;
const ORDER = {
  createdAt: 'created_at',
  modifiedAt: 'modified_at',
  title: 'title',
  status: 'status',
  id: 'id',
};

/** Throws `not_found`. */
function getTopic(database: Database, { owner, id }: ById): Topic {
  const row = requireRow<Row>(database, owner.application, 'topic', id, COLUMNS);
  return topicOf(row, owner, linkedDefinitions(database, owner, 'topic', [id])(id));
}

function listTopics(
  database: Database,
  { owner, query: { status = ['DRAFT', 'ACTIVE'], ...page } }: { owner: Owner; query: TopicsQuery },
): { data: Topic[]; pagination: Pagination } {
  const { rows, pagination } = listRows<Row, keyof typeof ORDER>(database, {
    application: owner.application,
    table: 'topic',
    columns: COLUMNS,
    where: [oneOf('status', status)],
    order: ORDER,
    page,
  });
  const linkedTo = linkedDefinitions(
    database,
    owner,
    'topic',
    rows.map(({ id }) => id),
  );
  return { data: rows.map((row) => topicOf(row, owner, linkedTo(row.id))), pagination };
}

const topicOf = (row: Row, { orgId, applicationId }: Owner, evalDefinitions: LinkedDefinition[]): Topic => ({
  ...row,
  orgId,
  applicationId,
  isTasksVerified: row.isTasksVerified === 1,
  isDocumentsVerified: row.isDocumentsVerified === 1,
  isKnowledgeBaseVerified: row.isKnowledgeBaseVerified === 1,
  isPoliciesVerified: row.isPoliciesVerified === 1,
  evalDefinitions,
  createdAt: isoTime(row.createdAt),
  modifiedAt: isoTime(row.modifiedAt),
});

export const topicCommands = (archiveTasks: ArchiveTasks) => ({
  createTopic,
  updateTopic,
  archiveTopic,
  archiveTasksOfTopic: archiveTasksOfTopic(archiveTasks),
});
export const topicQueries = { getTopic, listTopics };
