import type { Config } from '../config.ts';
import type { DecodingLimit } from './decoding-limit.ts';
import { type StoredBytes, type StoredBytesOptions, watchStoredBytes } from './stored-limit.ts';

interface IngestLimitsOptions extends Omit<StoredBytesOptions, 'now' | 'elapsed' | 'limit'> {
  config: Pick<Config, 'organisationStoredBytes'>;
  decoding: DecodingLimit;
}

/** Starts to watch what organisations may send. `admit` throws AppError if that of an application may send nothing at the moment. */
export function watchIngestLimits({
  config: { organisationStoredBytes: limit },
  decoding,
  ...options
}: IngestLimitsOptions): Pick<StoredBytes, 'admit' | 'stop'> {
  const stored = watchStoredBytes({ ...options, limit, elapsed: () => performance.now(), now: Date.now });
  return {
    admit: (application) => {
      stored.admit(application);
      decoding.admit(application);
    },
    stop: stored.stop,
  };
}
