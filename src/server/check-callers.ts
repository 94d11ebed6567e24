import type { FastifyInstance } from 'fastify';
import { type Authenticator, type FindKey, requireScope } from '../auth.ts';
import type { Config } from '../config.ts';
import type { Principal } from '../contract/scope.ts';
import { headOf } from '../ingest/http-head.ts';
import type { AuthenticateSender } from '../ingest/intake.ts';
import { findKey } from '../resources/api-keys/calls.ts';
import { isLoopback } from '../runtime/loopback.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { OpenCalls, type WatchCall } from '../runtime/open-calls.ts';
import type { Organisations } from '../runtime/organisations.ts';
import type { Storage } from '../storage/storage.ts';
import type { AuthenticateCaller } from './add-route.ts';
import { RateLimit } from './rate-limit.ts';
import { shareRateLimit } from './shared-rate-limit.ts';
import type { SignIn } from './sign-in.ts';
import type { watchCredentials } from './watch-credentials.ts';

/** Requests per minute and API key, unless the server listens on loopback only or a setting says otherwise. */
const DEFAULT_RATE_LIMIT = 6_000;

/** Returns the look-up of keys, which notes the organisation of each. */
export const keyLookup =
  ({ storage, organisations }: { storage: Pick<Storage, 'read'>; organisations: Organisations }): FindKey =>
  async (keyId) => {
    const key = await storage.read(findKey, { keyId });
    if (key) organisations.assign(key.application, key.orgId);
    return key;
  };

/** Returns the check of senders, whose rejected credentials are kept for the diagnosis. */
export const senderCheck =
  (
    authenticator: Authenticator,
    watch: ReturnType<typeof watchCredentials>,
    watchCall: WatchCall,
  ): AuthenticateSender =>
  async (head) => {
    const check = (): Promise<Principal> =>
      watch(head, async () => requireScope(await authenticator.authenticate(head.headers), 'ingest'));
    const { application, actor } = await check();
    return { sender: { application, keyId: actor.id }, call: watchCall(check) };
  };

/** Returns the check of callers of the API, whose calls count against the rate limit when they begin. */
export function callerCheck(
  limit: RateLimit | null,
  { authenticate, check }: Pick<SignIn, 'authenticate' | 'check'>,
  { watch, watchCall }: { watch: ReturnType<typeof watchCredentials>; watchCall: WatchCall },
): AuthenticateCaller {
  return async (request, needed) => {
    const head = headOf(request);
    const principal = await watch(head, async () => {
      const caller = await authenticate(request.headers);
      limit?.take(caller.actor.id);
      return requireScope(caller, needed);
    });
    const again = async (): Promise<Principal> => requireScope(await check(request.headers), needed);
    return { principal, call: watchCall(() => watch(head, again)) };
  };
}

/** Checks calls in progress until the server closes. */
export function watchCalls(app: FastifyInstance, metrics: Metrics): WatchCall {
  const calls = new OpenCalls(() => metrics.revokedCalls.inc());
  app.addHook('onClose', (_app, done) => {
    calls.close();
    done();
  });
  return calls.watch;
}

interface RateLimitParts {
  config: Pick<Config, 'rateLimit' | 'host'>;
  storage: Pick<Storage, 'isShared' | 'replicas'>;
  metrics: Metrics;
}

/** Opens the rate limit of API keys, which holds for all processes that share the store; null if there is none. */
export function openRateLimit(
  app: FastifyInstance,
  { config: { rateLimit, host }, storage: { isShared, replicas }, metrics }: RateLimitParts,
): RateLimit | null {
  const perMinute = rateLimit ?? (isLoopback(host) ? 0 : DEFAULT_RATE_LIMIT);
  if (perMinute === 0) return null;
  const limit = new RateLimit(perMinute, () => performance.now());
  if (isShared) {
    const sharing = shareRateLimit({ limit, replicas, metrics });
    app.addHook('onClose', () => sharing.stop());
  }
  return limit;
}
