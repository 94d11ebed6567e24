import { isIP } from 'node:net';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { hostName } from '../runtime/host-name.ts';
import { isLoopback } from '../runtime/loopback.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Throws `misdirected` or `forbidden` unless a page of this server could have sent a request with these headers. */
export type BrowserCheck = (headers: Headers) => void;

type HostSettings = Pick<Config, 'host' | 'publicUrl' | 'knownHosts'>;

/**
 * Keeps pages of other origins from acting for people. A page whose name was pointed at this machine (DNS rebinding) has
 * the origin that it asks, so that only the `Host` tells it from ours.
 */
export function createBrowserCheck(settings: HostSettings): BrowserCheck {
  const isKnown = knownHosts(settings);
  const publicOrigin = settings.publicUrl === null ? null : new URL(settings.publicUrl).origin;
  const publicHost = publicOrigin === null ? null : new URL(publicOrigin).host;
  // A page that reached the same name without encryption may be anyone's.
  const isSame = (origin: string, host: string | undefined, headers: Headers): boolean => {
    const url = URL.parse(origin);
    if (url === null || url.host !== host?.toLowerCase() || url.host === publicHost) return false;
    return url.protocol === `${schemeOf(headers)}:`;
  };
  return (headers) => {
    const host = single(headers['host']);
    if (!isKnown(hostName(host)))
      throw new AppError(
        'misdirected',
        `The host ${JSON.stringify((host ?? '').slice(0, 100))} is unknown. Open the server at its own address, or list the host in TOUCHSTONE_KNOWN_HOSTS.`,
      );
    const origin = single(headers['origin']);
    if (origin !== undefined && origin !== publicOrigin && !isSame(origin, host, headers))
      throw new AppError('forbidden', 'The request was sent by a page of another origin');
    const site = single(headers['sec-fetch-site']);
    if (site !== undefined && site !== 'same-origin')
      throw new AppError('forbidden', `Sec-Fetch-Site must be same-origin; got ${site.slice(0, 40)}`);
  };
}

/** Returns a function that reports whether a host name is one of this server. */
function knownHosts({ host, publicUrl, knownHosts: more }: HostSettings): (name: string | null) => boolean {
  const names = new Set([host.toLowerCase(), ...more]);
  if (publicUrl !== null) names.add(hostName(new URL(publicUrl).host) ?? '');
  const isWildcard = host === '0.0.0.0' || host === '::';
  // No name was pointed anywhere when the host is an address.
  return (name) => name !== null && (isLoopback(name) || names.has(name) || (isWildcard && isIP(name) !== 0));
}

/** Returns the scheme of the browser's own connection, which the first proxy names before all others; `http` without a proxy. */
const schemeOf = (headers: Headers): string =>
  (single(headers['x-forwarded-proto']) ?? 'http').replace(/,.*/s, '').trim().toLowerCase();

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;
