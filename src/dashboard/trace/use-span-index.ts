import type { UseQueryResult } from '@tanstack/react-query';
import { SpanIndex } from '../../span-index/reader.ts';
import { useApi } from '../api/use-api.ts';

/** Milliseconds between two looks whether spans have arrived: a trace can still be growing while it is read. */
const REFRESH_EVERY = 60_000;

/** Returns the span index of a trace. */
export const useSpanIndex = (traceId: string): UseQueryResult<SpanIndex> =>
  useApi(
    ['span-index', traceId],
    async (api, signal) => {
      const { data, error, response } = await api.GET('/v0/traces/{id}/span-index', {
        params: { path: { id: traceId } },
        parseAs: 'arrayBuffer',
        signal,
      });
      return { ...(data && { data: new SpanIndex(new Uint8Array(data)) }), error, response };
    },
    { refreshEvery: REFRESH_EVERY, enabled: traceId !== '' },
  );
