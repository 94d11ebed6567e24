import {
  hashKey,
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import type { MethodResponse } from 'openapi-fetch';
import { answerOf, ApiError } from '../../api/client.ts';
import type { paths } from '../../api/generated/schema.ts';
import type { ApiClient, Call } from './client.ts';
import { type CallParams, type PathPrefix, prefixKey, queryKey } from './query-key.ts';
import { isAway, RECOVERY_MS } from './recovery.ts';
import { useSession } from './session.ts';

/** Paths of the API that can be read. */
export type ReadPath = { [P in keyof paths]: paths[P] extends { get: object } ? P : never }[keyof paths] &
  PathPrefix;

export type ReadParams<P extends ReadPath> = Pick<
  NonNullable<paths[P]['get']>['parameters'],
  'path' | 'query'
>;

export type ReadAnswer<P extends ReadPath> = MethodResponse<ApiClient, 'get', P>;

export interface UseApiOptions<T> {
  enabled?: boolean;
  /** Returns the milliseconds until the call is made again, by what it answered last; false for never. */
  refresh?: (data: T | undefined) => number | false;
  /** True for a list: its rows stay until those of another page or filter are there. */
  keepsRows?: boolean;
  /** Changes when what the call answers has changed; it is then made again, and shows what it answered before. */
  version?: unknown;
}

/**
 * Returns what a call answered, and whether it runs or failed. Calls with the same path and parameters share one
 * response.
 *
 *     const tags = useApi('/v0/tags', { query: { limit } }, { keepsRows: true });
 */
export const useApi = <P extends ReadPath>(
  path: P,
  params: ReadParams<P>,
  options: UseApiOptions<ReadAnswer<P>> = {},
): UseQueryResult<ReadAnswer<P>> =>
  useCall(path, params, (api, signal) => read(api, path, params, signal), options);

/** Makes one call that reads. Its types follow from the path, which TypeScript can't infer for a path that is a type parameter. */
export const read = <P extends ReadPath>(
  client: ApiClient,
  path: P,
  params: ReadParams<P>,
  signal: AbortSignal,
): Call<ReadAnswer<P>> =>
  (client.GET as (path: P, init: object) => Call<ReadAnswer<P>>)(path, { params, signal });

/**
 * Returns what several calls, or one of another form, answered. `path` and `params` name it, as for `useApi`.
 */
export function useCall<T>(
  path: PathPrefix,
  params: CallParams,
  call: (client: ApiClient, signal: AbortSignal) => Call<T>,
  { enabled = true, refresh, keepsRows = false, version }: UseApiOptions<T> = {},
): UseQueryResult<T> {
  const { client, application } = useSession();
  const key = queryKey(application.id, path, params, version);
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => answerOf(call(client, signal)),
    placeholderData: (previous, query) =>
      query !== undefined && isOfSameThing(query.queryKey, key, keepsRows) ? previous : undefined,
    enabled,
    refetchInterval: ({ state: { data, error } }) =>
      isAway(error) ? RECOVERY_MS : (refresh?.(data) ?? false),
  });
}

/** Reports whether two keys differ only in their versions, or in their queries if another one is `alike`. */
const isOfSameThing = (before: readonly unknown[], key: readonly unknown[], alike: boolean): boolean => {
  const end = alike ? -2 : -1;
  return hashKey(before.slice(0, end)) === hashKey(key.slice(0, end));
};

/**
 * Returns a change that can be made once or several times. When it succeeded, all calls whose path begins like one of `changes` are
 * made again. `onDone` is called before that, so that a form hears of it that starts again with what was saved.
 */
export function useAction<Input, T>(
  changes: readonly PathPrefix[],
  call: (client: ApiClient, input: Input) => Call<T>,
  onDone?: (answer: T) => void,
): UseMutationResult<T, Error, Input> {
  const { client } = useSession();
  const outdate = useOutdate(changes);
  return useMutation({
    mutationFn: (input: Input) => answerOf(call(client, input)),
    onSuccess: (answer) => {
      onDone?.(answer);
      return outdate('active');
    },
    onError: (error) => {
      // Someone else has changed the record, which this screen therefore shows as it was.
      const isOutdated = error instanceof ApiError && error.status === 412;
      return isOutdated ? outdate('active') : undefined;
    },
  });
}

/**
 * Returns the removal of the record that the screen shows, and which is then left: calls whose path begins like one of `changes` are
 * made again when they are next shown.
 */
export function useRemoval<T>(
  changes: readonly PathPrefix[],
  call: (client: ApiClient, id: string) => Call<T>,
): UseMutationResult<T, Error, string> {
  const { client } = useSession();
  const outdate = useOutdate(changes);
  return useMutation({
    mutationFn: (id: string) => answerOf(call(client, id)),
    onSuccess: () => outdate('none'),
  });
}

const useOutdate = (
  changes: readonly PathPrefix[],
): ((refetchType: 'active' | 'none') => Promise<unknown>) => {
  const { application } = useSession();
  const queries = useQueryClient();
  return (refetchType) =>
    Promise.all(
      changes.map((path) =>
        queries.invalidateQueries({ queryKey: prefixKey(application.id, path), refetchType }),
      ),
    );
};
