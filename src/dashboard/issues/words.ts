import type { Issue } from '../../api/generated/schema.ts';

export const ISSUE_STATUS_NAMES: Readonly<Record<Issue['status'], string>> = {
  OPEN: 'Open',
  RESOLVED: 'Resolved',
  REJECTED: 'Rejected',
};

export const PRIORITY_NAMES: Readonly<Record<Issue['priority'], string>> = {
  HIGH: 'High',
  MEDIUM: 'Medium',
  LOW: 'Low',
};

export const ISSUE_SOURCE_NAMES: Readonly<Record<Issue['source'], string>> = {
  HUMAN_ANNOTATION: 'Review',
  TEST: 'Test',
  MONITORING: 'Live traffic',
  TASK: 'Task',
  TOPIC: 'Topic',
  SYSTEM: 'System',
  API: 'API',
};

export const ISSUE_TYPE_NAMES: Readonly<Record<Issue['type'], string>> = {
  BUG: 'Bug',
  HUMAN_ANNOTATION: 'Review',
  SUGGESTED_TASK: 'Suggested task',
  USER_SIGNAL: 'User signal',
};
