import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Test } from '../../api/generated/schema.ts';
import { serverEvents } from '../api/events.ts';
import { useSession } from '../api/session.ts';
import { queryKey } from '../api/query-key.ts';
import { useApi } from '../api/use-api.ts';
import { waitFor } from '../app/pause.ts';
import { hasEnded } from './words.ts';

/** Pauses before a stream that ended early is opened again, in milliseconds. */
const PAUSES_MS = [500, 2_000, 5_000, 15_000];
/** Attempts in a row without an event, after which the page is left as it is until it is loaded again. */
const MAX_ATTEMPTS = 40;
/** Milliseconds between two calls for a failed test, which a late span may resume. */
const REVIVAL_MS = 10_000;

/** Returns a test, and again each time it changes. `isLive` is true while a stream reports its changes. */
export function useTest(id: string) {
  const { client, application } = useSession();
  const queries = useQueryClient();
  const [isLive, setLive] = useState(false);
  const test = useApi(
    '/v0/tests/{id}',
    { path: { id } },
    { refresh: (answer) => answer?.test.status === 'FAILED' && REVIVAL_MS },
  );
  const isInFlight = test.data !== undefined && test.data.test.id === id && !hasEnded(test.data.test);
  useEffect(() => {
    if (!isInFlight) return undefined;
    const stop = new AbortController();
    const key = queryKey(application.id, '/v0/tests/{id}', { path: { id } });
    const store = (text: string): void => {
      queries.setQueryData(key, { test: JSON.parse(text) as Test });
    };
    const follow = async (): Promise<void> => {
      for (let attempt = 0; attempt < MAX_ATTEMPTS && !stop.signal.aborted; attempt += 1) {
        try {
          const params = { path: { id } };
          const call = client.GET('/v0/tests/{id}/stream', {
            params,
            parseAs: 'stream',
            signal: stop.signal,
          });
          for await (const event of serverEvents(call)) {
            setLive(true);
            attempt = 0;
            if (event.name === 'test') store(event.data);
          }
        } catch {
          // The panel shows the last known state; the next attempt may succeed.
        }
        setLive(false);
        await waitFor(PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)] ?? 0, stop.signal);
      }
    };
    void follow();
    return () => {
      stop.abort();
      setLive(false);
    };
  }, [application.id, client, id, isInFlight, queries]);
  return { test, isLive };
}
