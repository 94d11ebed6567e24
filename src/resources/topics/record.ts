import { asIs, flag, nullable, numberAsText, text } from '../../storage/column.ts';
import { versionedRecord } from '../../storage/record.ts';
import type { TopicFields } from './contract.ts';

export const topics = versionedRecord('topic', 'topic', {
  title: text,
  description: nullable(text),
  baseline: nullable(numberAsText),
  status: asIs<TopicFields['status']>(),
  quickstartId: nullable(text),
  assignedTo: nullable(text),
  isInScope: flag,
  isTasksVerified: flag,
  isDocumentsVerified: flag,
  isKnowledgeBaseVerified: flag,
  isPoliciesVerified: flag,
});
