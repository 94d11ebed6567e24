import type { ListedTrace } from '../../api/generated/schema.ts';
import type { SpanIndex } from '../../span-index/reader.ts';
import { useApi } from '../api/use-api.ts';

/** Traces that begin in the same millisecond are rarely more. */
const LIMIT = 100;

/**
 * Returns what lists say about a trace: its session, tags and flags. It is found by its start, since the trace itself would
 * come with a thousand steps. Undefined until it is known, and of a trace whose first span is missing.
 */
export function useListedTrace(traceId: string, index: SpanIndex): ListedTrace | undefined {
  const at = new Date(Math.floor(index.originMs)).toISOString();
  const query = { startDate: at, endDate: at, includeSamples: true, limit: LIMIT };
  const list = useApi(['traces', query], (api, signal) =>
    api.GET('/v0/traces', { params: { query }, signal }),
  );
  return list.data?.data.find(({ id, otelTraceId }) => id === traceId || otelTraceId === traceId);
}
