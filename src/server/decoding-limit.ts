import { AppError } from '../errors.ts';
import type { Organisations } from '../runtime/organisations.ts';

const HOUR_MS = 3_600_000;
/**
 * Seconds after which a sender retries. Short, because exporters discard a request that must wait for long; while the
 * limit is reached, a retry is rejected before its body is read.
 */
const RETRY_SECONDS = 3;
/** Most organisations that are remembered; more begin a new hour. */
const MAX_REMEMBERED = 10_000;

/**
 * Returns the check of requests to ingest endpoints, which throws AppError `rate_limited` once the requests of an organisation
 * have occupied the decoding threads for `seconds` in this hour. null = no limit. A request in progress always ends.
 */
export function createDecodingLimit(
  organisations: Pick<Organisations, 'idOf' | 'decodingSeconds'>,
  seconds: number | null,
  elapsed: () => number,
): (application: number) => void {
  /** Seconds that each organisation had used when its hour began. */
  const before = new Map<string, number>();
  let hour = 0;
  return (application) => {
    const id = seconds === null ? null : organisations.idOf(application);
    if (seconds === null || id === null) return;
    const now = elapsed();
    if (Math.floor(now / HOUR_MS) !== hour || before.size > MAX_REMEMBERED) before.clear();
    hour = Math.floor(now / HOUR_MS);
    const used = organisations.decodingSeconds(id);
    const atBegin = before.get(id) ?? used;
    before.set(id, atBegin);
    if (used - atBegin < seconds) return;
    throw new AppError(
      'rate_limited',
      `The requests of the organisation have been decoded for ${seconds} seconds in this hour, the most allowed; send less, or ask the operator to raise TOUCHSTONE_ORGANISATION_DECODING_SECONDS`,
      { retryAfter: RETRY_SECONDS },
    );
  };
}
