import {
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { answerOf, ApiError } from '../../api/client.ts';
import type { ApiClient, Call } from './client.ts';
import { useSession } from './session.ts';

interface ApiOptions<T> {
  enabled?: boolean;
  /** Returns the milliseconds until the call is made again, by what it answered last; false for never. */
  refresh?: (data: T | undefined) => number | false;
}

/**
 * Returns what a call answered, and whether it runs or failed. The `key` names the call: equal keys share one
 * response. Objects in a key say how the same thing is shown: while only they differ, the rows of the previous key stay until the
 * new ones are there. A key with another id begins empty, so that nothing of one record is taken for another's.
 *
 *     const tags = useApi(['tags', { limit }], (api, signal) => api.GET('/v0/tags', { params: { query: { limit } }, signal }));
 */
export function useApi<T>(
  key: readonly unknown[],
  call: (client: ApiClient, signal: AbortSignal) => Call<T>,
  { enabled = true, refresh }: ApiOptions<T> = {},
): UseQueryResult<T> {
  const { client, application } = useSession();
  return useQuery({
    queryKey: [application.id, ...key],
    queryFn: ({ signal }) => answerOf(call(client, signal)),
    placeholderData: (previous, query) =>
      isOfSameThing(query?.queryKey, [application.id, ...key]) ? previous : undefined,
    enabled,
    ...(refresh && {
      refetchInterval: ({ state }: { state: { data: T | undefined } }) => refresh(state.data),
    }),
  });
}

/** Reports whether two keys differ at most in their objects. */
const isOfSameThing = (before: readonly unknown[] | undefined, key: readonly unknown[]): boolean =>
  before?.length === key.length && key.every((part, i) => typeof part === 'object' || part === before[i]);

/**
 * Returns a change that can be made once or several times. When it succeeded, all calls whose key begins with `changes` are made again.
 * `onDone` is called before that, so that a form hears of it that starts again with what was saved.
 */
export function useAction<Input, T>(
  changes: readonly unknown[],
  call: (client: ApiClient, input: Input) => Call<T>,
  onDone?: (answer: T) => void,
): UseMutationResult<T, Error, Input> {
  const { client, application } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => answerOf(call(client, input)),
    onSuccess: (answer) => {
      onDone?.(answer);
      return queries.invalidateQueries({ queryKey: [application.id, ...changes] });
    },
    onError: (error) => {
      // Someone else has changed the record, which this screen therefore shows as it was.
      const isOutdated = error instanceof ApiError && error.status === 412;
      return isOutdated ? queries.invalidateQueries({ queryKey: [application.id, ...changes] }) : undefined;
    },
  });
}
