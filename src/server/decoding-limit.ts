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

/** Seconds for which the requests of each organisation have occupied the decoding threads in this hour. */
export interface DecodingLimit {
  /** Throws AppError `rate_limited` if the organisation of an application has used its seconds. A request in progress always ends. */
  admit: (application: number) => void;
  /** Returns the seconds that an organisation has used in this hour. */
  usedBy: (id: string) => number;
}

/** `seconds`: most of an organisation in an hour; null = no limit. `elapsed` returns milliseconds of a clock that never jumps. */
export function createDecodingLimit(
  organisations: Pick<Organisations, 'idOf' | 'decodingSeconds'>,
  seconds: number | null,
  elapsed: () => number,
): DecodingLimit {
  /** Seconds that each organisation had used when its hour began. */
  const before = new Map<string, number>();
  let hour = 0;
  const begin = (): void => {
    const current = Math.floor(elapsed() / HOUR_MS);
    if (current !== hour || before.size > MAX_REMEMBERED) before.clear();
    hour = current;
  };
  return {
    admit: (application) => {
      const id = organisations.idOf(application);
      if (id === null) return;
      begin();
      const used = organisations.decodingSeconds(id);
      const atBegin = before.get(id) ?? used;
      before.set(id, atBegin);
      if (seconds === null || used - atBegin < seconds) return;
      throw new AppError(
        'rate_limited',
        `The requests of the organisation have been decoded for ${seconds} seconds in this hour, the most allowed; send less, or ask the operator to raise TOUCHSTONE_ORGANISATION_DECODING_SECONDS`,
        { retryAfter: RETRY_SECONDS },
      );
    },
    usedBy: (id) => {
      begin();
      const atBegin = before.get(id);
      return atBegin === undefined ? 0 : organisations.decodingSeconds(id) - atBegin;
    },
  };
}
