import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { Config } from '../config.ts';
import { hostName } from '../runtime/host-name.ts';
import { isLoopback } from '../runtime/loopback.ts';
import { isInNetwork, parseAddress, readNetwork } from '../runtime/networks.ts';

/** Data of a request that shows who sent it. Header names are in lower case. */
export interface Caller {
  headers: IncomingHttpHeaders;
  /** Address of the other end of the connection. */
  peer: string;
}

const FORWARDING_HEADER = /^(?:forwarded|via|x-real-ip|x-forwarded-.+)$/;

/**
 * Returns a function that reports whether a request comes from this machine, from the user who runs the service; only
 * such a request may omit the key. Only trusted proxies can speak for others: a forwarding header from any other
 * sender, or an unknown `Host` (a web page whose host name was pointed at this machine), makes a request remote.
 */
export function createLocalCheck({
  host,
  publicUrl,
  trustedProxies,
  knownHosts,
}: Pick<Config, 'host' | 'publicUrl' | 'trustedProxies' | 'knownHosts'>): (caller: Caller) => boolean {
  if (!isLoopback(host)) return () => false;
  const isProxy = proxyCheck(trustedProxies);
  const known = new Set([host.toLowerCase(), ...knownHosts]);
  const knownToProxies = new Set([...known, publicUrl === null ? host : hostName(new URL(publicUrl).host)]);
  const isKnown = (name: string | null, names: ReadonlySet<string | null>): boolean =>
    name !== null && (isLoopback(name) || names.has(name));

  return ({ headers, peer }) => {
    if (!isProxy(peer)) {
      const isForwarded = Object.keys(headers).some((name) => FORWARDING_HEADER.test(name));
      return isLoopback(peer) && !isForwarded && isKnown(hostName(headers.host), known);
    }
    const { addresses, asked } = forwardedBy(headers);
    // Entries further to the left were written by the sender of the request, unless a trusted proxy wrote them too.
    const client = addresses.findLast((address) => !isProxy(address)) ?? addresses[0];
    return (
      client !== undefined && isLoopback(client) && isKnown(hostName(asked ?? headers.host), knownToProxies)
    );
  };
}

/**
 * Returns a function that finds the address of the client: of the connection, or behind trusted proxies the one that they
 * name.
 */
export function createClientAddress({
  trustedProxies,
}: Pick<Config, 'trustedProxies'>): (caller: Caller) => string {
  const isProxy = proxyCheck(trustedProxies);
  return ({ headers, peer }) => {
    if (!isProxy(peer)) return peer;
    const { addresses } = forwardedBy(headers);
    return addresses.findLast((address) => !isProxy(address)) ?? addresses[0] ?? peer;
  };
}

/** Returns a function that reports whether an address is one of a trusted proxy. */
function proxyCheck(trustedProxies: readonly string[]): (text: string) => boolean {
  const networks = trustedProxies.map(readNetwork);
  return (text) => {
    const address = parseAddress(text);
    return address !== null && networks.some((network) => isInNetwork(address, network));
  };
}

interface Forwarded {
  /** Addresses of the client and of the proxies it passed, in order; empty when no header names one. */
  addresses: string[];
  /** `Host` of the original request, if a header contains it. */
  asked: string | undefined;
}

/** Reads `Forwarded` (RFC 7239) if present, else the `X-Forwarded-` headers. */
function forwardedBy(headers: IncomingHttpHeaders): Forwarded {
  if (headers.forwarded !== undefined) {
    const hops = headers.forwarded.split(',').map(pairsOf);
    return {
      addresses: hops.map((hop) => addressOf(hop.get('for') ?? 'unknown')),
      asked: hops.findLast((hop) => hop.has('host'))?.get('host'),
    };
  }
  const list = (name: string): string[] =>
    [headers[name] ?? []]
      .flat()
      .flatMap((value) => value.split(','))
      .map((part) => part.trim());
  return { addresses: list('x-forwarded-for').map(addressOf), asked: list('x-forwarded-host').at(-1) };
}

/** Parses the parameters of one hop of `Forwarded`: `for=192.0.2.60;host="a.example"`. */
const pairsOf = (hop: string): Map<string, string> =>
  new Map(
    hop.split(';').map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [
        name.trim().toLowerCase(),
        value
          .join('=')
          .trim()
          .replace(/^"(.*)"$/, '$1'),
      ] as const;
    }),
  );

/** Returns the address in `192.0.2.60`, `192.0.2.60:4711`, `[2001:db8::1]:4711` or `2001:db8::1`. */
const addressOf = (node: string): string =>
  /^\[([^\]]*)\]/.exec(node)?.[1] ?? (isIP(node) === 0 ? node.replace(/:\d+$/, '') : node);
