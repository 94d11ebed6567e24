import createFetchClient, { type Client } from 'openapi-fetch';
import type { paths, ValidationErrorResponse } from './generated/schema.ts';

export interface ClientSettings {
  /** Base URL of the server, such as `http://127.0.0.1:4318`. */
  baseUrl: string;
  apiKey: string;
  applicationId: string;
}

/**
 * Creates a typed client of the API: `client.GET('/v0/tasks/{id}', { params: { path: { id } } })`. It sends each call
 * once.
 */
export const createClient = ({ baseUrl, apiKey, applicationId }: ClientSettings): Client<paths> =>
  createFetchClient<paths>({
    baseUrl,
    headers: { 'x-api-key': apiKey, 'x-application-id': applicationId },
  });

/** Error of a call that the server rejected. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Id of the request in the log of the server. */
  readonly requestId: string | null;
  /** Seconds after which a retry may succeed; null when a retry cannot succeed. */
  readonly retryAfter: number | null;
  /** Validation errors of a response with status 422. */
  readonly issues: ValidationErrorResponse['issues'];

  constructor({ status, headers }: Response, body: unknown) {
    const { message, issues } = (
      typeof body === 'object' && body !== null ? body : {}
    ) as Partial<ValidationErrorResponse>;
    super(message ?? `The server responded with ${status}`);
    this.status = status;
    this.requestId = headers.get('x-request-id');
    const seconds = headers.get('retry-after');
    this.retryAfter = seconds === null ? null : Number(seconds);
    this.issues = issues ?? [];
  }
}

/** Returns the response body of a call of the client; throws ApiError if the call was rejected. */
export async function answerOf<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) throw new ApiError(response, error);
  return data as T;
}
