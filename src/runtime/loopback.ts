import { type Address, parseAddress } from './networks.ts';

export const isLoopbackAddress = (address: Address): boolean => address.range() === 'loopback';

/** Reports whether a host name or an address always refers to this machine. */
export function isLoopback(host: string): boolean {
  const address = parseAddress(host);
  return address === null ? host.toLowerCase() === 'localhost' : isLoopbackAddress(address);
}
