import { isIP } from 'node:net';
import { isLoopbackAddress } from '../runtime/loopback.ts';
import { type Address, isInNetwork, type Network, parseAddress, readNetwork } from '../runtime/networks.ts';

export type WebProtocol = 'http:' | 'https:';

/** `reason` completes "<address> …"; `hint` says what opens the address. */
export type AddressVerdict = { allowed: true } | { allowed: false; reason: string; hint: string };

export type UrlVerdict =
  | { allowed: true; url: URL }
  | { allowed: false; cause: 'invalid_url' | 'blocked'; reason: string; hint: string };

/** Decides which addresses the service may call on behalf of a customer. */
export interface AddressGuard {
  /** Judges an IP address that is about to be connected to. */
  check: (address: string, protocol: WebProtocol) => AddressVerdict;
  /** Judges a URL before its host is resolved: its form, and its address when it names one instead of a host. */
  checkUrl: (text: string) => UrlVerdict;
}

const ALLOWED: AddressVerdict = { allowed: true };
const SETTING = 'TOUCHSTONE_OUTBOUND_ALLOW';

/** Addresses at which clouds hand out credentials to any caller. */
const METADATA = new Set(['169.254.169.254', '169.254.170.2', '100.100.100.200', 'fd00:ec2::254']);

/** All that the registries have given out for the public internet. */
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
 * Creates the guard from the configuration; no request can change it. `allow` lists networks (`10.0.0.0/8`) and single
 * addresses opened by the operator; throws when an entry is neither.
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
    if (ip === null) return blocked('is no IP address', 'Look at what its name resolves to.');
    if (isMetadata(ip)) {
      return isListedAlone(ip)
        ? ALLOWED
        : blocked(
            'is the metadata address of a cloud',
            `It can be opened only by naming exactly this address in ${SETTING}.`,
          );
    }
    if (isListed(ip) || (isLoopbackOpen && isLoopbackAddress(ip))) return ALLOWED;
    if (!isPublic(ip)) {
      return blocked(
        SPECIAL_USE[ip.range()] ?? 'is reserved for special use',
        `If the service may call it, the operator adds the address or its network to ${SETTING}.`,
      );
    }
    return protocol === 'https:'
      ? ALLOWED
      : blocked(
          'may be called by https: only',
          `Use https:, or let the operator add the address to ${SETTING}.`,
        );
  };

  const checkUrl = (text: string): UrlVerdict => {
    const url = URL.parse(text);
    if (url === null) return invalid('The URL cannot be read', 'Write it as https://host/path.');
    const { protocol, port } = url;
    if (!isWebProtocol(protocol)) {
      return invalid('The URL begins with neither https: nor http:', 'Write it as https://host/path.');
    }
    if (url.username !== '' || url.password !== '') {
      return invalid('The URL carries a user name or a password', 'Send credentials as a header instead.');
    }
    if (port === '0') return invalid('The URL names port 0', 'Use a port from 1 to 65535.');
    const host = hostOf(url);
    if (isIP(host) === 0) return { allowed: true, url };
    const verdict = check(host, protocol);
    return verdict.allowed
      ? { allowed: true, url }
      : { ...verdict, cause: 'blocked', reason: `${host} ${verdict.reason}` };
  };

  return { check, checkUrl };
}

/** The name or the address of a URL, an IPv6 address without its brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

const isWebProtocol = (protocol: string): protocol is WebProtocol =>
  protocol === 'http:' || protocol === 'https:';

const isPublic = (ip: Address): boolean =>
  ip.range() === 'unicast' && (ip.kind() === 'ipv4' || isInNetwork(ip, GLOBAL_IPV6));

/**
 * Reports whether an address is one of these, also when a translator (NAT64 in the last 32 bits, 6to4 after the first
 * 16) would turn it into one.
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
