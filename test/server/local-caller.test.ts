import { describe, expect, it } from 'vitest';
import type { Config } from '../../src/config.ts';
import { createLocalCheck } from '../../src/server/local-caller.ts';

type Settings = Pick<Config, 'host' | 'publicUrl' | 'trustedProxies' | 'knownHosts'>;
const LOCAL: Settings = { host: '127.0.0.1', publicUrl: null, trustedProxies: [], knownHosts: [] };
const HOST = { host: '127.0.0.1:4318' };
const PROXIED: Partial<Settings> = {
  trustedProxies: ['127.0.0.1', '10.1.0.0/16'],
  publicUrl: 'https://touchstone.example.com',
};

type Case = [
  what: string,
  isLocal: boolean,
  headers: Record<string, string>,
  settings?: Partial<Settings>,
  peer?: string,
];

describe('a request', () => {
  it.each<Case>([
    ['to an address of loopback', true, HOST],
    ['to localhost', true, { host: 'localhost:4318' }],
    ['to localhost in other letters', true, { host: 'LOCALHOST.' }],
    ['to IPv6 loopback', true, { host: '[::1]:4318' }, { host: '::1' }, '::1'],
    ['to a name the server listens on', true, { host: 'localhost' }, { host: 'localhost' }],
    [
      'to a host that is configured',
      true,
      { host: 'touchstone.internal:4318' },
      { knownHosts: ['touchstone.internal'] },
    ],
    ['from a mapped IPv6 address', true, HOST, {}, '::ffff:127.0.0.1'],
    ['to any other host', false, { host: 'attacker.example' }],
    ['to a host that only begins as a known one', false, { host: '127.0.0.1.attacker.example' }],
    ['to a host after credentials', false, { host: 'localhost@attacker.example' }],
    ['to an empty host', false, { host: '' }],
    ['without a host', false, {}],
    [
      'to the public address without a proxy',
      false,
      { host: 'touchstone.example.com' },
      { publicUrl: 'https://touchstone.example.com' },
    ],
    ['from elsewhere', false, HOST, {}, '192.0.2.7'],
    ['to a server that listens on the network', false, HOST, { host: '0.0.0.0' }],
    ...['via', 'forwarded', 'x-real-ip', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'].map(
      (name): Case => [`with ${name} from a peer that is no proxy`, false, { ...HOST, [name]: '127.0.0.1' }],
    ),
    ['from a proxy that adds no header', false, HOST, PROXIED],
    ['that a proxy passed on for loopback', true, { ...HOST, 'x-forwarded-for': '127.0.0.1' }, PROXIED],
    [
      'that a proxy passed on for loopback, to the public host',
      true,
      { ...HOST, 'x-forwarded-for': '::1', 'x-forwarded-host': 'touchstone.example.com' },
      PROXIED,
    ],
    [
      'that a proxy passed on to a foreign host',
      false,
      { ...HOST, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': 'attacker.example' },
      PROXIED,
    ],
    [
      'that a proxy passed on for another machine',
      false,
      { ...HOST, 'x-forwarded-for': '203.0.113.9' },
      PROXIED,
    ],
    [
      'whose sender claims to be loopback',
      false,
      { ...HOST, 'x-forwarded-for': '127.0.0.1, 203.0.113.9' },
      PROXIED,
    ],
    ['through two proxies', true, { ...HOST, 'x-forwarded-for': '127.0.0.2, 10.1.2.3' }, PROXIED],
    [
      'through two proxies from another machine',
      false,
      { ...HOST, 'x-forwarded-for': '203.0.113.9, 10.1.2.3' },
      PROXIED,
    ],
    [
      'with Forwarded',
      true,
      { ...HOST, forwarded: 'for="[::1]:4711";proto=https;host=touchstone.example.com' },
      PROXIED,
    ],
    [
      'with Forwarded of another machine',
      false,
      { ...HOST, forwarded: 'for=127.0.0.1, for=203.0.113.9:80' },
      PROXIED,
    ],
    ['with Forwarded that names nobody', false, { ...HOST, forwarded: 'proto=https' }, PROXIED],
    [
      'with Forwarded and a claim beside it',
      false,
      { ...HOST, forwarded: 'for=203.0.113.9', 'x-forwarded-for': '127.0.0.1' },
      PROXIED,
    ],
  ])('%s is local: %j', (_what, isLocal, headers, settings = {}, peer = '127.0.0.1') => {
    expect(createLocalCheck({ ...LOCAL, ...settings })({ headers, peer })).toBe(isLocal);
  });
});
