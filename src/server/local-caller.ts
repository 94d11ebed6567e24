import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { Config } from '../config.ts';
import { isLoopback } from '../runtime/loopback.ts';
import { isInNetwork, parseAddress, readNetwork } from '../runtime/networks.ts';

/** The parts of a request that show who sent it. Header names are in lower case. */
export interface Caller {
  headers: IncomingHttpHeaders;
  /** Address of the other end of the connection. */
  peer: string;
}

const FORWARDING_HEADER = /^(?:forwarded|via|x-real-ip|x-forwarded-.+)$/;

/**
 * Returns a function that reports whether a request was made on this machine, by whoever runs the service; only such a
 * request may do without a key. Only trusted proxies can speak for others: a forwarding header from anyone else, and a
 * `Host` that is not known (a web page whose name was pointed at this machine), make a request foreign.
 */
export function createLocalCheck({
  host,
  publicUrl,
  trustedProxies,
  knownHosts,
}: Pick<Config, 'host' | 'publicUrl' | 'trustedProxies' | 'knownHosts'>): (caller: Caller) => boolean {
  if (!isLoopback(host)) return () => false;
  const networks = trustedProxies.map(readNetwork);
  const isProxy = (text: string): boolean => {
    const address = parseAddress(text);
    return address !== null && networks.some((network) => isInNetwork(address, network));
  };
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
    // Entries further to the left were written by whoever sent the request, unless a proxy of ours wrote them too.
    const client = addresses.findLast((address) => !isProxy(address)) ?? addresses[0];
    return (
      client !== undefined && isLoopback(client) && isKnown(hostName(asked ?? headers.host), knownToProxies)
    );
  };
}

interface Forwarded {
  /** Addresses of the client and of the proxies it passed, in order; empty when no header names one. */
  addresses: string[];
  /** The `Host` of the first request, when a header names it. */
  asked: string | undefined;
}

/** Reads `Forwarded` (RFC 7239) where there is one, else the `X-Forwarded-` headers. */
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

/** Parameters of one hop of `Forwarded`: `for=192.0.2.60;host="a.example"`. */
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

/** The address of `192.0.2.60`, `192.0.2.60:4711`, `[2001:db8::1]:4711` or `2001:db8::1`. */
const addressOf = (node: string): string =>
  /^\[([^\]]*)\]/.exec(node)?.[1] ?? (isIP(node) === 0 ? node.replace(/:\d+$/, '') : node);

/** The name in a `Host` header, in lower case and without its port; null when there is none. */
function hostName(header: string | undefined): string | null {
  const name = URL.parse(`http://${header ?? ''}`)
    ?.hostname.replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  return name === undefined || name === '' ? null : name;
}
