import { rmSync } from 'node:fs';
import { SETUP_MS } from '../people/setup-store.ts';

/** Time in milliseconds after which it is looked again whether there is a user. */
const LOOK_MS = 2_000;

/** Deletes the file with the link for the first user once there is a user, or once the link has expired. */
export function removeAfterUse(file: string, hasUsers: () => Promise<boolean>): { stop: () => void } {
  const until = performance.now() + SETUP_MS;
  let timer: NodeJS.Timeout;
  const look = async (): Promise<void> => {
    // A store that does not respond now may respond later; the time limit holds in any case.
    const isUsed = await hasUsers().catch(() => false);
    if (isUsed || performance.now() >= until) rmSync(file, { force: true });
    else wait();
  };
  const wait = (): void => {
    timer = setTimeout(() => void look(), LOOK_MS).unref();
  };
  wait();
  return {
    stop: () => {
      clearTimeout(timer);
      rmSync(file, { force: true });
    },
  };
}
