import { asIs, flag, nullable, text } from '../../storage/column.ts';
import { record } from '../../storage/record.ts';
import type { TopicFields } from './contract.ts';

export const topics = record('topic', 'topic', {
  title: text,
  baseline: nullable(text),
  status: asIs<TopicFields['status']>(),
  quickstartId: nullable(text),
  assignedTo: nullable(text),
  isTasksVerified: flag,
  isDocumentsVerified: flag,
  isKnowledgeBaseVerified: flag,
  isPoliciesVerified: flag,
});
