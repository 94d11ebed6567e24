import type { Test } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';

/** Returns what the server knows about the state of a test, and again whenever the test changes. */
export const useDiagnosis = ({ id, modifiedAt, timeline }: Pick<Test, 'id' | 'modifiedAt' | 'timeline'>) =>
  useApi(['diagnosis', id, { modifiedAt, entries: timeline.length }], (api, signal) =>
    api.GET('/v0/tests/{id}/diagnosis', { params: { path: { id } }, signal }),
  );
