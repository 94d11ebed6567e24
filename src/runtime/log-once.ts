import { AppError } from '../errors.ts';
import type { Log, LogFields } from './log.ts';

/** Ends the message about work that is only delayed. */
const IS_RETRYING = /; retrying(?: later)?$/;
/** Time for which the same message about an unavailable part is not written again. */
const SILENCE_MS = 10 * 60_000;
const MAX_REMEMBERED = 100;

/**
 * Returns a log that does not repeat what the store is reported for already, while it rejects data: loops that retry each
 * second would fill the log. Of warnings about something unavailable, it writes those about mere delays at the level
 * `debug`, and others once in ten minutes.
 */
export function logUnavailableOnce(log: Log, elapsed = (): number => performance.now()): Log {
  const writtenAt = new Map<string, number>();
  const warn = (message: string, fields: LogFields = {}): void => {
    const { error } = fields;
    if (!(error instanceof AppError) || error.code !== 'unavailable') {
      log.warn(message, fields);
      return;
    }
    if (IS_RETRYING.test(message)) {
      log.debug(message, { ...fields, error: error.message });
      return;
    }
    const at = writtenAt.get(message);
    if (at !== undefined && elapsed() - at < SILENCE_MS) return;
    if (writtenAt.size >= MAX_REMEMBERED) writtenAt.clear();
    writtenAt.set(message, elapsed());
    log.warn(message, { ...fields, error: error.message });
  };
  return { ...log, warn };
}
