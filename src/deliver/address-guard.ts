import { isIP } from 'node:net';
import { isLoopbackAddress } from '../runtime/loopback.ts';
import { type Address, isInNetwork, type Network, parseAddress, readNetwork } from '../runtime/networks.ts';

export type WebProtocol = 'http:' | 'https:';

/** Verdict on an address. `reason` completes "<address> …"; `hint` says how to allow the address. */
export type AddressVerdict = { allowed: true } | { allowed: false; reason: string; hint: string };

export type UrlVerdict =
  | { allowed: true; url: URL }
  | { allowed: false; cause: 'invalid_url' | 'blocked'; reason: string; hint: string };

/** Decides which addresses the service may connect to on behalf of a customer. */
export interface AddressGuard {
  /** Checks an IP address before a connection to it is opened. */
  check: (address: string, protocol: WebProtocol) => AddressVerdict;
  /** Checks a URL before its host is resolved: its form, and its address if the host is an IP address. */
  checkUrl: (text: string) => UrlVerdict;
}

const ALLOWED: AddressVerdict = { allowed: true };
const SETTING = 'TOUCHSTONE_OUTBOUND_ALLOW';

/** Addresses at which cloud providers return credentials to any caller. */
const METADATA = new Set(['169.254.169.254', '169.254.170.2', '100.100.100.200', 'fd00:ec2::254']);

/** Range of addresses that the registries have assigned to the public internet. */
const GLOBAL_IPV6: Network = readNetwork('2000::/3');

const SPECIAL_USE: Readonly<Record<string, string>> = {
  loopback: 'is a loopback address',
  private: 'is in a private network',
  uniqueLocal: 'is in a private network',
  linkLocal: 'is a link-local address',
  carrierGradeNat: "is in a carrier's private network",
  multicast: 'is a multicast address',
};

/**
 * Creates the guard from the configuration; no request can change it. `allow` lists networks (`10.0.0.0/8`) and
 * single addresses that the operator allows. Throws when an entry is neither.
 */
export function createAddressGuard({
  allow,
  isLoopbackOpen,
}: {
  allow: readonly string[];
  isLoopbackOpen: boolean;
}): AddressGuard {
  const networks = allow.map(readNetwork);
  const isListed = (ip: Address): boolean => networks.some((network) => isInNetwork(ip, network));
  const isListedAlone = (ip: Address): boolean =>
    networks.some((network) => network[1] === ip.toByteArray().length * 8 && isInNetwork(ip, network));

  const check = (address: string, protocol: WebProtocol): AddressVerdict => {
    const ip = parseAddress(address);
    if (ip === null) return blocked('is not an IP address', 'Check which address its name resolves to.');
    if (isMetadata(ip)) {
      return isListedAlone(ip)
        ? ALLOWED
        : blocked(
            'is the metadata address of a cloud',
            `To allow it, add exactly this address to ${SETTING}.`,
          );
    }
    if (isListed(ip) || (isLoopbackOpen && isLoopbackAddress(ip))) return ALLOWED;
    if (!isPublic(ip)) {
      return blocked(
        SPECIAL_USE[ip.range()] ?? 'is reserved for special use',
        `To allow it, the operator adds the address or its network to ${SETTING}.`,
      );
    }
    return protocol === 'https:'
      ? ALLOWED
      : blocked(
          'may be called with https: only',
          `Use https:, or have the operator add the address to ${SETTING}.`,
        );
  };

  const checkUrl = (text: string): UrlVerdict => {
    const url = URL.parse(text);
    if (url === null) return invalid('The URL is not valid', 'Write it as https://host/path.');
    const { protocol, port } = url;
    if (!isWebProtocol(protocol)) {
      return invalid('The URL begins with neither https: nor http:', 'Write it as https://host/path.');
    }
    if (url.username !== '' || url.password !== '') {
      return invalid('The URL contains a user name or a password', 'Send credentials as a header instead.');
    }
    if (port === '0') return invalid('The URL has port 0', 'Use a port from 1 to 65535.');
    const host = hostOf(url);
    if (isIP(host) === 0) return { allowed: true, url };
    const verdict = check(host, protocol);
    return verdict.allowed
      ? { allowed: true, url }
      : { ...verdict, cause: 'blocked', reason: `${host} ${verdict.reason}` };
  };

  return { check, checkUrl };
}

/** Returns the host name or address of a URL; an IPv6 address without its brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

const isWebProtocol = (protocol: string): protocol is WebProtocol =>
  protocol === 'http:' || protocol === 'https:';

const isPublic = (ip: Address): boolean =>
  ip.range() === 'unicast' && (ip.kind() === 'ipv4' || isInNetwork(ip, GLOBAL_IPV6));

/**
 * Reports whether an address is a metadata address, or is translated to one by NAT64 (last 32 bits) or 6to4 (after
 * the first 16).
 */
function isMetadata(ip: Address): boolean {
  if (METADATA.has(ip.toString())) return true;
  const bytes = ip.toByteArray();
  const carried = bytes[0] === 0x20 && bytes[1] === 0x02 ? bytes.slice(2, 6) : bytes.slice(-4);
  return METADATA.has(carried.join('.'));
}

function blocked(reason: string, hint: string): AddressVerdict & { allowed: false } {
  return { allowed: false, reason, hint };
}

function invalid(reason: string, hint: string): UrlVerdict {
  return { allowed: false, cause: 'invalid_url', reason, hint };
}
