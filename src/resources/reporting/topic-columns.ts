import type { Datasource } from './column.ts';
import {
  DEFINITION,
  metrics,
  flagColumn,
  measureColumn,
  enumColumn,
  QUICKSTART,
  relation,
  relations,
  stringColumn,
  times,
  TOPIC,
} from './column-kinds.ts';
import { arrayOf } from '../../storage/dialect.ts';

export const topicDatasource: Datasource = {
  title: 'Topics',
  description: 'Subjects of tasks.',
  table: 'topic',
  passRate: 'passRate',
  columns: {
    id: relation('Topic', TOPIC, 'topic.id', 'The topic itself.'),
    ...times('topic'),
    status: enumColumn('Status', ['DRAFT', 'ACTIVE', 'ARCHIVED'], 'topic.status', 'Status of the topic.'),
    assignedTo: stringColumn('Assignee', 'topic.assigned_to', 'User who is responsible.'),
    quickstart: relation(
      'Quickstart',
      QUICKSTART,
      'topic.quickstart_id',
      'Quickstart that created the topic.',
    ),
    evalDefinition: relations(
      'Evaluation definition',
      DEFINITION,
      `(SELECT ${arrayOf('definition_id')} FROM definition_link AS link
         WHERE link.application = topic.application AND link.kind = 'topic' AND link.target_id = topic.id)`,
      'Definitions that are linked to the topic.',
    ),
    isTasksVerified: flagColumn(
      'Tasks verified',
      'topic.is_tasks_verified',
      'True if a person has verified its tasks.',
    ),
    isDocumentsVerified: flagColumn(
      'Documents verified',
      'topic.is_documents_verified',
      'True if a person has verified its documents.',
    ),
    isKnowledgeBaseVerified: flagColumn(
      'Knowledge base verified',
      'topic.is_knowledge_base_verified',
      'True if a person has verified its knowledge base.',
    ),
    isPoliciesVerified: flagColumn(
      'Policies verified',
      'topic.is_policies_verified',
      'True if a person has verified its policies.',
    ),
    tasks: measureColumn(
      'Tasks',
      null,
      `(SELECT count(*) FROM task WHERE task.application = topic.application AND task.topic_id = topic.id)`,
      'Number of its tasks, with any status.',
    ),
    ...metrics('topic'),
  },
};
