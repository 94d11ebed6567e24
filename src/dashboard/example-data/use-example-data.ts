import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ExampleData } from '../../api/generated/schema.ts';
import { prefixKey } from '../api/query-key.ts';
import { useSession } from '../api/session.ts';
import { useAction, useApi } from '../api/use-api.ts';

const REFRESH_MS = 1_000;
const CHANGES = ['/v0/applications'] as const;

const isWorking = (status: ExampleData['status'] | undefined): boolean =>
  status === 'LOADING' || status === 'REMOVING';

/** Returns the state of the application's example data, and the calls that load and remove it. */
export function useExampleData() {
  const { application } = useSession();
  const queries = useQueryClient();
  const path = { id: application.id };
  const state = useApi(
    '/v0/applications/{id}/example-data',
    { path },
    { refresh: (answer) => (isWorking(answer?.data.status) ? REFRESH_MS : false) },
  );
  const load = useAction(CHANGES, (api) =>
    api.POST('/v0/applications/{id}/example-data', { params: { path } }),
  );
  const remove = useAction(CHANGES, (api) =>
    api.DELETE('/v0/applications/{id}/example-data', { params: { path } }),
  );
  // Every screen shows other records once all are made or gone.
  const status = state.data?.data.status;
  const before = useRef(status);
  useEffect(() => {
    if (isWorking(before.current) && !isWorking(status))
      void queries.invalidateQueries({ queryKey: prefixKey(application.id, '/v0') });
    before.current = status;
  }, [status, queries, application.id]);
  return { state: state.data?.data, load, remove };
}
