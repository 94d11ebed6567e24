import type { Task } from '../../api/generated/schema.ts';

export type TaskStatus = Task['status'];
export type Level = 'HIGH' | 'MEDIUM' | 'LOW';

export const TASK_STATUS_NAMES: Readonly<Record<TaskStatus, string>> = {
  DRAFT: 'Draft',
  ACTIVE: 'Active',
  ARCHIVED: 'Archived',
};

export const TYPE_NAMES: Readonly<Record<Task['type'], string>> = {
  STATIC: 'Static: sends its examples as they are',
  NORMAL: 'Normal: prompts are based on its description and examples',
};

export const LEVEL_NAMES: Readonly<Record<Level, string>> = { HIGH: 'high', MEDIUM: 'medium', LOW: 'low' };
