import type { RouteContext } from '../../contract/route.ts';
import { AppError } from '../../errors.ts';

type Headers = RouteContext<unknown, unknown, unknown, null>['headers'];

/** Throws `unauthorized` or `forbidden` when the key or the login in the headers is no longer valid. */
export type Authenticate = (headers: Headers) => Promise<unknown>;

/** Interval at which a stream checks that its key is still valid. */
export const KEY_CHECK_MS = 250;

/** Reports whether the key or the login of a stream is still valid. A store that is busy for a moment does not end the stream. */
export async function isKeyValid(authenticate: Authenticate, headers: Headers): Promise<boolean> {
  try {
    await authenticate(headers);
    return true;
  } catch (error) {
    return !(error instanceof AppError && (error.code === 'unauthorized' || error.code === 'forbidden'));
  }
}
