import { randomUUID } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import type { Config } from '../config.ts';
import { StartupError } from '../errors.ts';
import type { Log } from '../runtime/log.ts';
import type { SpanNumbers } from '../runtime/own-traces/numbers.ts';
import { NO_TRACES, type OwnTraces } from '../runtime/own-traces/traces.ts';
import { isLoopback } from '../runtime/loopback.ts';
import { programVersion } from './version.ts';

type Settings = Pick<
  Config,
  | 'host'
  | 'port'
  | 'publicUrl'
  | 'ownTracesEndpoint'
  | 'ownTracesHeaders'
  | 'ownTracesRatio'
  | 'ownTracesServiceName'
  | 'ownTracesToSelf'
>;

export interface OpenedTraces {
  traces: OwnTraces;
  /** Finished spans by outcome; null if no endpoint is configured. */
  numbers: SpanNumbers | null;
  close: () => Promise<void>;
}

/**
 * Opens the traces of the server's own work. The SDK is loaded only if an endpoint is configured. Throws StartupError
 * if the endpoint is the server itself.
 */
export async function openOwnTraces(settings: Settings, log: Log): Promise<OpenedTraces> {
  const { ownTracesEndpoint: endpoint } = settings;
  if (endpoint === null) return { traces: NO_TRACES, numbers: null, close: async () => undefined };
  if (settings.ownTracesToSelf === 'reject' && (await isServer(endpoint, settings))) {
    throw new StartupError(
      'TOUCHSTONE_OWN_TRACES_ENDPOINT must not be the address of this server: its traces would be stored among those of your applications. Name another server, or set TOUCHSTONE_OWN_TRACES_TO_SELF=allow.',
    );
  }
  const { openSdkTraces } = await import('../runtime/own-traces/sdk.ts');
  return openSdkTraces({
    endpoint,
    headers: settings.ownTracesHeaders,
    ratio: settings.ownTracesRatio,
    serviceName: settings.ownTracesServiceName,
    serviceVersion: programVersion(),
    instanceId: randomUUID(),
    log,
    elapsed: () => performance.now(),
  });
}

/** Reports whether an address leads to this server: by its public URL, or by its port at an address of this machine. */
async function isServer(endpoint: URL, { host, port, publicUrl }: Settings): Promise<boolean> {
  if (publicUrl !== null && `${endpoint.origin}${endpoint.pathname}/`.startsWith(`${publicUrl}/`))
    return true;
  const defaultPort = endpoint.protocol === 'https:' ? 443 : 80;
  if (port === 0 || Number(endpoint.port || defaultPort) !== port) return false;
  const targets = await addressesOf(endpoint.hostname.replace(/^\[|\]$/g, ''));
  const own = Object.values(networkInterfaces()).flatMap((found = []) => found.map(({ address }) => address));
  if (host === '0.0.0.0' || host === '::')
    return targets.some((address) => isLoopback(address) || own.includes(address));
  const listening = await addressesOf(host);
  return targets.some((address) => listening.includes(address));
}

/** Returns the addresses of a host; none if it is unknown, in which case its requests fail later. */
async function addressesOf(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}
