import type { Authenticator } from '../auth.ts';
import { AppError } from '../errors.ts';
import type { RequestHead } from '../ingest/intake.ts';
import { isOtlpPath } from '../ingest/otlp/paths.ts';
import { keyIdOf } from '../resources/api-keys/key-text.ts';
import type { RejectedRequest, RejectedRequests } from './rejected-requests.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const MAX_PATH = 200;

const isIngest = (path: string): boolean =>
  isOtlpPath(path) || path === '/v0/ingest' || path.startsWith('/opentelemetry.proto.');

export type DescribeRequest = (
  request: RequestHead,
  error: Pick<AppError, 'status' | 'message'>,
) => RejectedRequest;

/** Returns a function that describes a rejected request without its secrets: neither query nor key. */
export const describeRequest =
  (addressOf: (request: Pick<RequestHead, 'headers' | 'peer'>) => string): DescribeRequest =>
  (request, { status, message }) => ({
    requestId: request.id,
    method: request.method,
    path: request.path.split('?', 1).join('').slice(0, MAX_PATH),
    address: addressOf(request),
    status,
    reason: message,
    keyId: keyIdOf(keyTextOf(request)),
  });

function keyTextOf({ headers }: RequestHead): string {
  const [, bearer = ''] = /^Bearer +(\S+)$/i.exec(String(headers['authorization'] ?? '')) ?? [];
  return typeof headers['x-api-key'] === 'string' ? headers['x-api-key'] : bearer;
}

interface WatchOptions {
  rejected: RejectedRequests;
  describe: DescribeRequest;
  findValidKey: Authenticator['findValidKey'];
}

/** Runs the authentication of a request, and records its failure before it throws it again. */
export type WatchCredentials = <T>(request: RequestHead, authenticate: () => Promise<T>) => Promise<T>;

export function watchCredentials({ rejected, describe, findValidKey }: WatchOptions): WatchCredentials {
  return async (request, authenticate) => {
    try {
      return await authenticate();
    } catch (error) {
      if (error instanceof AppError && (error.code === 'unauthorized' || error.code === 'forbidden')) {
        const described = describe(request, error);
        // A caller of the REST API sees a missing permission at once, so only a wrong key is kept for the diagnosis.
        const isKept = error.code === 'unauthorized' || isIngest(described.path);
        rejected.rejectCredentials(described, isKept ? await concerned(request, described.keyId) : []);
      }
      throw error;
    }
  };

  /** Ids of the application that the request names, and of the one that its key belongs to. */
  async function concerned({ headers }: RequestHead, keyId: string | null): Promise<Set<string>> {
    // The login of a browser expires without a fault of anyone.
    if (headers['x-api-key'] === undefined && headers['cookie'] !== undefined) return new Set();
    const named = String(headers['x-application-id'] ?? '').toLowerCase();
    const key = keyId === null ? null : await findValidKey(keyId).catch(() => null);
    return new Set([...(UUID.test(named) ? [named] : []), ...(key ? [key.principal.applicationId] : [])]);
  }
}
