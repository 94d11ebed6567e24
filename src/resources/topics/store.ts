import type { Pagination } from '../../contract/paging.ts';
import { isoTime } from '../../contract/values.ts';
import { AppError } from '../../errors.ts';
import type { Database, SqlValue } from '../../storage/sqlite/database.ts';
import type { Owner } from '../../traces/read.ts';
import { listRows, oneOf } from '../list-rows.ts';
import { withGiven } from '../with-given.ts';
import type { Topic, TopicFields, TopicsQuery } from './contract.ts';

interface ById {
  owner: Owner;
  id: string;
}

function createTopic(
  database: Database,
  { owner, id, fields, at }: ById & { fields: TopicFields; at: number },
): Topic {
  database.run(
    `INSERT INTO topic (title, baseline, status, assigned_to, is_tasks_verified, is_documents_verified,
       is_knowledge_base_verified, is_policies_verified, id, application, created_at, modified_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?11)`,
    ...columnsOf(fields),
    id,
    owner.application,
    at,
  );
  return getTopic(database, { owner, id });
}

function updateTopic(
  database: Database,
  { owner, id, given, at }: ById & { given: GivenFields; at: number },
): Topic {
  const fields = withGiven<TopicFields>(getTopic(database, { owner, id }), given);
  database.run(
    `UPDATE topic SET title = ?, baseline = ?, status = ?, assigned_to = ?, is_tasks_verified = ?,
       is_documents_verified = ?, is_knowledge_base_verified = ?, is_policies_verified = ?, modified_at = ?
     WHERE application = ? AND id = ?`,
    ...columnsOf(fields),
    at,
    owner.application,
    id,
  );
  return getTopic(database, { owner, id });
}
type GivenFields = { [K in keyof TopicFields]?: TopicFields[K] | undefined };

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

/** Archives all tasks of a topic. */
export type ArchiveTasks = (
  database: Database,
  args: { application: number; topicId: string; at: number },
) => void;

/** Of an archived topic `cascade` archives the tasks that are left. */
const archiveTopic =
  (archiveTasks: ArchiveTasks) =>
  (database: Database, { owner, id, cascade, at }: ById & { cascade: boolean; at: number }): Topic => {
    const topic = getTopic(database, { owner, id });
    if (cascade) archiveTasks(database, { application: owner.application, topicId: id, at });
    if (topic.status === 'ARCHIVED') return topic;
    return updateTopic(database, { owner, id, given: { status: 'ARCHIVED' }, at });
  };

type Flag = 'isTasksVerified' | 'isDocumentsVerified' | 'isKnowledgeBaseVerified' | 'isPoliciesVerified';
type Row = Omit<Topic, Flag | 'createdAt' | 'modifiedAt'> & Record<Flag | 'createdAt' | 'modifiedAt', number>;

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
  const row = database.get<Row>(
    `SELECT ${COLUMNS} FROM topic WHERE application = ? AND id = ?`,
    owner.application,
    id,
  );
  if (!row) throw new AppError('not_found', 'topic not found');
  return topicOf(row, owner);
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
  return { data: rows.map((row) => topicOf(row, owner)), pagination };
}

const topicOf = (row: Row, { orgId, applicationId }: Owner): Topic => ({
  ...row,
  orgId,
  applicationId,
  isTasksVerified: row.isTasksVerified === 1,
  isDocumentsVerified: row.isDocumentsVerified === 1,
  isKnowledgeBaseVerified: row.isKnowledgeBaseVerified === 1,
  isPoliciesVerified: row.isPoliciesVerified === 1,
  createdAt: isoTime(row.createdAt),
  modifiedAt: isoTime(row.modifiedAt),
});

export const topicCommands = (archiveTasks: ArchiveTasks) => ({
  createTopic,
  updateTopic,
  archiveTopic: archiveTopic(archiveTasks),
});
export const topicQueries = { getTopic, listTopics };
