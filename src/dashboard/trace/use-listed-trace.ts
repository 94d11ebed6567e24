import type { ListedTrace } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';

/** Facts that the page of a trace shows beside its steps. */
export type ListedFacts = Pick<ListedTrace, 'id' | 'rootName' | 'testId' | 'sessionId' | 'flags'>;

/** Returns what lists say about a trace. Undefined until it is known. */
export const useListedTrace = (traceId: string): ListedFacts | undefined =>
  useApi('/v0/traces/{id}', { path: { id: traceId }, query: { steps: false } }).data?.data;
