import createFetchClient, { type Client } from 'openapi-fetch';
import { answerOf, type ClientSettings as OwnSettings } from '../../../src/api/client.ts';
import type { paths } from '../../../src/api/generated/schema.ts';
import { retryingFetch } from './retrying-fetch.ts';

export { answerOf, ApiError } from '../../../src/api/client.ts';
export type { paths } from '../../../src/api/generated/schema.ts';

export interface ClientSettings extends OwnSettings {
  /**
   * Number of times that a call is sent again that the server was too busy for (429 and 503), or, if its method is idempotent, that got no
   * response. Default: 0.
   */
  retries?: number | undefined;
}

type Verb = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';

/** Calls with one method. What matches none of them is compared with the sentence, which the compiler then shows. */
type Explained<V extends Verb> = Client<paths>[V] &
  ((
    path: `The API has no ${V} with this path, or not with these parameters. See /docs of the server.`,
  ) => never);

/** Typed calls of the API, by method. */
export type TouchstoneClient = Omit<Client<paths>, Verb> & { [V in Verb]: Explained<V> };

/** Creates a typed client of the API: `client.GET('/v0/tasks/{id}', { params: { path: { id } } })`. */
export const createClient = ({
  baseUrl,
  apiKey,
  applicationId,
  retries = 0,
}: ClientSettings): TouchstoneClient =>
  createFetchClient<paths>({
    baseUrl,
    headers: { 'x-api-key': apiKey, 'x-application-id': applicationId },
    ...(retries > 0 && { fetch: retryingFetch(retries) }),
  }) as TouchstoneClient;

/** Part of a list to return. */
export interface PageQuery {
  skip: number;
  limit: number;
}

/** Response with one page of a list. */
interface Page<T> {
  data?: { data: T[]; pagination: { total: number } };
  error?: unknown;
  response: Response;
}

/**
 * Yields all entries of a list, a page at a time:
 * `for await (const task of entriesOf((query) => client.GET('/v0/tasks', { params: { query } })))`. Throws an ApiError if a page
 * is rejected.
 */
export async function* entriesOf<T>(
  page: (query: PageQuery) => Promise<Page<T>>,
  limit = 100,
): AsyncGenerator<T, void> {
  for (let skip = 0; ; skip += limit) {
    const { data, pagination } = await answerOf(page({ skip, limit }));
    yield* data;
    if (data.length === 0 || skip + limit >= pagination.total) return;
  }
}
