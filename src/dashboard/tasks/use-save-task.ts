import type { UseMutationResult } from '@tanstack/react-query';
import type { Task, UpdateTaskBody } from '../../api/generated/schema.ts';
import { useAction } from '../api/use-api.ts';

/** Returns a change of some fields of a task. */
export const useSaveTask = (id: string): UseMutationResult<{ task: Task }, Error, UpdateTaskBody> =>
  useAction(['tasks'], (api, body: UpdateTaskBody) =>
    api.PUT('/v0/tasks/{id}', { params: { path: { id } }, body }),
  );
