import type { ServerResponse } from 'node:http';

/** Calls `release` once a response has ended: at once if its client has left, since its `close` was emitted then. */
export function onceResponded(response: ServerResponse, release: () => void): void {
  if (response.destroyed) release();
  else response.once('close', release);
}
