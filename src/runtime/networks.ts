import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Network = readonly [base: Address, bits: number];

/**
 * Parses an address; null when the text is not an address, or is one with a zone (`fe80::1%eth0`). An IPv4 address
 * mapped to IPv6 is reached over IPv4, so it is returned as IPv4.
 */
export function parseAddress(text: string): Address | null {
  if (isIP(text) === 4) return ipaddr.IPv4.parse(text);
  // Uses the form in hexadecimal digits, because ipaddr.js mistakes `::10.0.0.1` for a mapped address.
  const digits = isIP(text) === 6 ? URL.parse(`http://[${text}]`)?.hostname.slice(1, -1) : undefined;
  return digits === undefined ? null : ipaddr.process(digits);
}

/** Reads a network (`10.0.0.0/8`) or a single address; throws when the text is neither. */
export function readNetwork(text: string): Network {
  const [address = '', bits] = text.split('/');
  const base = parseAddress(address);
  if (base === null) throw new Error(`${text} is not a network or an address`);
  const size = base.toByteArray().length * 8;
  const outside = isIP(address) === 6 ? 128 - size : 0;
  return [base, bits === undefined ? size : Math.max(0, Number(bits) - outside)];
}

export const isInNetwork = (address: Address, [base, bits]: Network): boolean =>
  address.kind() === base.kind() && address.match(base, bits);
