import createFetchClient, { type Client } from 'openapi-fetch';
import { ApiError } from '../../api/client.ts';
import type { paths } from '../../api/generated/schema.ts';
import { SERVER_URL } from '../app/base-path.ts';
import { readToken } from './login.ts';

export type ApiClient = Client<paths>;

/** Returns a typed client of the API for the signed-in person; with `applicationId`, for the calls of that application. */
export function createDashboardClient(applicationId?: string): ApiClient {
  const client = createFetchClient<paths>({
    baseUrl: SERVER_URL,
    ...(applicationId !== undefined && { headers: { 'x-application-id': applicationId } }),
  });
  client.use({
    onRequest: ({ request }) => {
      request.headers.set('x-csrf', readToken());
    },
  });
  return client;
}

/** Response of a call, as the client returns it. */
export type Call<T> = Promise<{ data?: T; error?: unknown; response: Response }>;

/** Reports whether a failure means that no user is signed in, or no longer. */
export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401;
