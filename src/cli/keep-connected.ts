import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '../errors.ts';
import { backOffMs } from '../jobs/back-off.ts';
import { ConnectionError } from './server-events.ts';

const LONGEST_PAUSE_MS = 30_000;

interface Connected {
  /** Reads a stream until it ends, which throws. Calls `onOpen` when the stream has begun. */
  read: (onOpen: () => void) => Promise<void>;
  /** Called when a stream has begun; `isAgain` after the first one. */
  onConnected: (isAgain: boolean) => void;
  onTrouble: (message: string) => void;
  stop: AbortSignal;
}

/** Reads a stream, and begins it again when it breaks, until `stop`. Throws StartupError when that cannot help. */
export async function keepConnected({ read, onConnected, onTrouble, stop }: Connected): Promise<void> {
  let wasOpen = false;
  let failures = 0;
  const onOpen = (): void => {
    onConnected(wasOpen);
    wasOpen = true;
    failures = 0;
  };
  while (!stop.aborted) {
    try {
      await read(onOpen);
    } catch (error) {
      if (stop.aborted) return;
      if (!(error instanceof ConnectionError)) throw error;
      if (error.isFinal || !wasOpen) throw new StartupError(error.message);
      failures += 1;
      const pause = Math.min(backOffMs(failures, Math.random), LONGEST_PAUSE_MS);
      onTrouble(`${error.message} Retrying in ${(pause / 1000).toFixed(1)} s.`);
      await delay(pause, undefined, { signal: stop }).catch(() => undefined);
    }
  }
}
