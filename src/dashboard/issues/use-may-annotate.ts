import { useScope } from '../api/session.ts';

/** Reports whether the login may write notes and link traces to issues. */
export function useMayAnnotate(): boolean {
  const mayWrite = useScope('write');
  return useScope('annotate') || mayWrite;
}
