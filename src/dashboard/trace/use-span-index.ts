import type { UseQueryResult } from '@tanstack/react-query';
import { useRef } from 'react';
import { SpanIndex } from '../../span-index/reader.ts';
import { useCall } from '../api/use-api.ts';

/** Milliseconds between two looks whether spans have arrived: a trace can still be growing while it is read. */
const REFRESH_EVERY = 60_000;

/** Returns the span index of a trace; the same object for as long as no span arrives, so that the tree stays as it is. */
export function useSpanIndex(traceId: string): UseQueryResult<SpanIndex> {
  const last = useRef<{ traceId: string; etag: string | null; index: SpanIndex } | null>(null);
  const path = { id: traceId };
  return useCall(
    '/v0/traces/{id}/span-index',
    { path },
    async (api, signal) => {
      const { data, error, response } = await api.GET('/v0/traces/{id}/span-index', {
        params: { path },
        parseAs: 'arrayBuffer',
        signal,
      });
      if (data === undefined) return { error, response };
      const etag = response.headers.get('etag');
      if (last.current === null || last.current.traceId !== traceId || last.current.etag !== etag)
        last.current = { traceId, etag, index: new SpanIndex(new Uint8Array(data)) };
      return { data: last.current.index, response };
    },
    { enabled: traceId !== '', refresh: () => REFRESH_EVERY },
  );
}
