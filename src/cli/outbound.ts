import type { Config } from '../config.ts';
import { type AddressGuard, createAddressGuard } from '../deliver/address-guard.ts';
import { createGuardedClient, type GuardedClient } from '../deliver/guarded-client.ts';
import type { Log } from '../runtime/log.ts';
import { isLoopback } from '../runtime/loopback.ts';
import { SecretBox, secretKeyFromFile, secretKeyFromText } from '../runtime/secrets.ts';
import { secretKeyFile } from './data-folder.ts';

/** Parts that store webhooks and call them. */
export interface Outbound {
  secretBox: SecretBox;
  guard: AddressGuard;
  client: GuardedClient;
}

/** Opens the outbound parts. Throws StartupError when there is no usable secret key. */
export function openOutbound(config: Config, log: Log): Outbound {
  const guard = createAddressGuard({ allow: config.outboundAllow, isLoopbackOpen: isLocalOnly(config) });
  return { secretBox: new SecretBox(secretKey(config, log)), guard, client: createGuardedClient({ guard }) };
}

/**
 * Reports whether the service is configured to be reachable from this machine only. If so, webhooks may call this
 * machine.
 */
const isLocalOnly = ({ host, publicUrl, trustedProxies }: Config): boolean =>
  isLoopback(host) && publicUrl === null && trustedProxies.length === 0;

function secretKey({ secretKey: text, dataDir }: Config, log: Log): Buffer {
  if (text !== null) return secretKeyFromText(text);
  const { key, warning } = secretKeyFromFile(secretKeyFile(dataDir));
  if (warning !== null) log.warn(warning);
  return key;
}
