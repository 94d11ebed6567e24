/** Parameters of a call that say what it reads. */
export interface CallParams {
  path?: Readonly<Record<string, unknown>> | undefined;
  query?: Readonly<Record<string, unknown>> | undefined;
}

/** Begin of the path of calls, such as `/v0/tasks`; `/v0` is the begin of all. */
export type PathPrefix = `/v${0 | 1}${string}`;

/**
 * Returns the key of a call: the application, each segment of the path with its id filled in, the query, and the version
 * of what it answers. Equal keys share one response, and a change names the calls that it concerns by the begin of their path.
 *
 *     queryKey('a1', '/v0/tasks/{id}/tags', { path: { id: 't1' }, query: { limit: 5 } })
 *     // ['a1', 'tasks', 't1', 'tags', { limit: 5 }, null]
 */
export const queryKey = (
  applicationId: string,
  path: PathPrefix,
  { path: ids, query }: CallParams,
  version: unknown = null,
): unknown[] => [
  ...prefixKey(applicationId, path).map((segment) => {
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    return name === undefined ? segment : ids?.[name];
  }),
  query ?? {},
  version,
];

/** Returns the begin of the keys of all calls whose path begins like this. */
export const prefixKey = (applicationId: string, path: PathPrefix): string[] => [
  applicationId,
  ...path.split('/').slice(2),
];
