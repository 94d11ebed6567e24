import type { Test } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';

/** Returns what the server knows about the state of a test, and again whenever the test changes. */
export const useDiagnosis = ({ id, modifiedAt, timeline }: Pick<Test, 'id' | 'modifiedAt' | 'timeline'>) =>
  useApi('/v0/tests/{id}/diagnosis', { path: { id } }, { version: [modifiedAt, timeline.length] });
