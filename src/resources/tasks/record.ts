import { asIs, flag, json, nullable, text } from '../../storage/column.ts';
import { versionedRecord } from '../../storage/record.ts';
import type { TaskFields } from './contract.ts';

export const tasks = versionedRecord('task', 'task', {
  title: text,
  description: text,
  type: asIs<TaskFields['type']>(),
  status: asIs<TaskFields['status']>(),
  metadata: nullable(json<Record<string, unknown>>()),
  simulatedPromptSchema: nullable(json<Record<string, unknown>>()),
  topicId: nullable(text),
  quickstartId: nullable(text),
  isVerified: flag,
});

/** Title of a task whose own was erased. */
export const ERASED_TITLE = 'Erased';
