import { dates, ID, owner } from '../../contract/example-values.ts';
import type { Topic } from './contract.ts';

export const exampleTopic: Topic = {
  id: ID.topic,
  ...owner,
  ...dates,
  title: 'Returns',
  baseline: null,
  status: 'ACTIVE',
  quickstartId: null,
  assignedTo: 'ada',
  isTasksVerified: false,
  isDocumentsVerified: false,
  isKnowledgeBaseVerified: false,
  isPoliciesVerified: false,
  evalDefinitions: [],
};
