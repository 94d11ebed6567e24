import type { GuardedClient } from './guarded-client.ts';
import type { Outcome } from './outcome.ts';

const PROBE_MS = 5_000;
const MAX_RESPONSE_BYTES = 1024;

/** Finds out whether the endpoint of an application responds; null while a listener receives its requests. */
export type ProbeEndpoint = (application: number, url: string) => Promise<Outcome | null>;

/** Creates a probe that sends OPTIONS, with which no app begins to work, without any header or secret of the webhook. */
export const createProbe =
  (client: GuardedClient, hasListener: (application: number) => boolean): ProbeEndpoint =>
  async (application, url) =>
    hasListener(application)
      ? null
      : client.request({
          url,
          method: 'OPTIONS',
          headers: {},
          body: Buffer.alloc(0),
          timeoutMs: PROBE_MS,
          maxResponseBytes: MAX_RESPONSE_BYTES,
        });
