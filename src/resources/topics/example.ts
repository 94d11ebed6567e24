import { dates, ID, owner } from '../../contract/example-values.ts';
import type { Topic } from './contract.ts';

export const exampleTopic: Topic = {
  id: ID.topic,
  ...owner,
  ...dates,
  title: 'Returns',
  description: null,
  baseline: null,
  status: 'ACTIVE',
  quickstartId: null,
  assignedTo: 'ada',
  isInScope: true,
  isTasksVerified: false,
  isDocumentsVerified: false,
  isKnowledgeBaseVerified: false,
  isPoliciesVerified: false,
  evalDefinitions: [],
};
