import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Whether a host name or an address is this machine itself, reached by no other. */
export const isLoopback = (host: string): boolean =>
  isIP(host) === 0 ? host.toLowerCase() === 'localhost' : ipaddr.process(host).range() === 'loopback';
