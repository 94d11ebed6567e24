import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { type AddressGuard, createAddressGuard } from '../deliver/address-guard.ts';
import { createGuardedClient, type GuardedClient } from '../deliver/guarded-client.ts';
import type { Log } from '../runtime/log.ts';
import { isLoopback } from '../runtime/loopback.ts';
import { isForwarded } from '../runtime/proxy-signs.ts';
import { SecretBox, secretKeyFromFile, secretKeyFromText } from '../runtime/secrets.ts';

/** What webhooks are kept and called with. */
export interface Outbound {
  secretBox: SecretBox;
  guard: AddressGuard;
  client: GuardedClient;
  /** Watches for signs of a proxy, behind which loopback is not ours alone: it is closed from then on. */
  watch: (app: FastifyInstance) => void;
}

/** Throws StartupError when there is no usable secret key. */
export function openOutbound(config: Config, log: Log): Outbound {
  let hasProxy = false;
  const isPrivate = isLoopback(config.host) && config.publicUrl === null;
  const guard = createAddressGuard({
    allow: config.outboundAllow,
    isLoopbackOpen: () => isPrivate && !hasProxy,
  });
  return {
    secretBox: new SecretBox(secretKey(config, log)),
    guard,
    client: createGuardedClient({ guard }),
    watch: (app) => {
      app.addHook('onRequest', ({ headers }, _reply, done) => {
        hasProxy ||= isForwarded(headers);
        done();
      });
    },
  };
}

function secretKey({ secretKey: text, dataDir }: Config, log: Log): Buffer {
  if (text !== null) return secretKeyFromText(text);
  const { key, warning } = secretKeyFromFile(join(dataDir, 'secret.key'));
  if (warning !== null) log.warn(warning);
  return key;
}
