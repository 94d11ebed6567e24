import { parseAddress } from '../runtime/networks.ts';

/** Bits of an IPv6 address that its owner does not choose. */
const NETWORK_BITS = 64;

/**
 * Returns the name of the network that counts as one sender: an IPv4 address, or the /64 of an IPv6 address, of which one host
 * may use any address.
 */
export function networkOf(address: string): string {
  // The zone of a link-local address names an interface of this machine.
  const parsed = parseAddress(address.replace(/%.*$/, ''));
  if (parsed === null) return 'unknown';
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const bytes = parsed.toByteArray().slice(0, NETWORK_BITS / 8);
  return `${Buffer.from(bytes)
    .toString('hex')
    .replaceAll(/(.{4})(?=.)/g, '$1:')}::/${NETWORK_BITS}`;
}
