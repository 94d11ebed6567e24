import type { Principal } from '../../contract/scope.ts';
import { isoTime } from '../../contract/values.ts';
import type { Read } from '../../storage/calls.ts';
import { readHealth } from './calls.ts';
import type { HealthFacts, LastUnauthorized } from './health-contract.ts';

/** Reads what is known about the senders and the webhook of the caller's application. `at` is in Unix milliseconds. */
export async function readHealthFacts(
  { read, lastUnauthorized }: { read: Read; lastUnauthorized: LastUnauthorized },
  { application, applicationId }: Pick<Principal, 'application' | 'applicationId'>,
  at: number,
): Promise<HealthFacts> {
  const last = lastUnauthorized(applicationId);
  return {
    ...(await read(readHealth, { application, at })),
    lastUnauthorized: last && { ...last, at: isoTime(last.at) },
  };
}
