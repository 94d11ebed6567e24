import type { Config } from '../config.ts';
import { createDecodingLimit } from './decoding-limit.ts';
import { type StoredBytes, type StoredBytesOptions, watchStoredBytes } from './stored-limit.ts';

interface IngestLimitsOptions extends Omit<StoredBytesOptions, 'now' | 'elapsed' | 'limit'> {
  config: Pick<Config, 'organisationStoredBytes' | 'organisationDecodingSeconds'>;
}

/** Starts to watch what organisations may send. `admit` throws AppError if that of an application may send nothing at the moment. */
export function watchIngestLimits({
  config: { organisationStoredBytes: limit, organisationDecodingSeconds: seconds },
  ...options
}: IngestLimitsOptions): Pick<StoredBytes, 'admit' | 'stop'> {
  const elapsed = (): number => performance.now();
  const stored = watchStoredBytes({ ...options, limit, elapsed, now: Date.now });
  const admitDecoding = createDecodingLimit(options.organisations, seconds, elapsed);
  return {
    admit: (application) => {
      stored.admit(application);
      admitDecoding(application);
    },
    stop: stored.stop,
  };
}
