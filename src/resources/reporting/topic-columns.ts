import type { Datasource } from './column.ts';
import {
  DEFINITION,
  metrics,
  flag,
  measure,
  oneOf,
  QUICKSTART,
  relation,
  relations,
  text,
  times,
  TOPIC,
} from './column-kinds.ts';
import { arrayOf } from '../../storage/dialect.ts';

export const topicDatasource: Datasource = {
  title: 'Topics',
  description: 'What tasks are about.',
  table: 'topic',
  passRate: 'passRate',
  columns: {
    id: relation('Topic', TOPIC, 'topic.id', 'The topic itself.'),
    ...times('topic'),
    status: oneOf('Status', ['DRAFT', 'ACTIVE', 'ARCHIVED'], 'topic.status', 'Whether it is in use.'),
    assignedTo: text('Assignee', 'topic.assigned_to', 'Who takes care of it.'),
    quickstart: relation('Quickstart', QUICKSTART, 'topic.quickstart_id', 'The quickstart that made it.'),
    evalDefinition: relations(
      'Evaluation definition',
      DEFINITION,
      `(SELECT ${arrayOf('definition_id')} FROM definition_link AS link
         WHERE link.application = topic.application AND link.kind = 'topic' AND link.target_id = topic.id)`,
      'Definitions that are linked to the topic.',
    ),
    isTasksVerified: flag(
      'Tasks verified',
      'topic.is_tasks_verified',
      'Whether a person has looked at its tasks.',
    ),
    isDocumentsVerified: flag(
      'Documents verified',
      'topic.is_documents_verified',
      'Whether a person has looked at its documents.',
    ),
    isKnowledgeBaseVerified: flag(
      'Knowledge base verified',
      'topic.is_knowledge_base_verified',
      'Whether a person has looked at its knowledge base.',
    ),
    isPoliciesVerified: flag(
      'Policies verified',
      'topic.is_policies_verified',
      'Whether a person has looked at its policies.',
    ),
    tasks: measure(
      'Tasks',
      null,
      `(SELECT count(*) FROM task WHERE task.application = topic.application AND task.topic_id = topic.id)`,
      'How many tasks it has, whatever their status.',
    ),
    ...metrics('topic'),
  },
};
