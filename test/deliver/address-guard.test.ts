import { isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAddressGuard, type WebProtocol } from '../../src/deliver/address-guard.ts';
import { effort } from '../support/effort.ts';

const guardWith = (allow: string[] = [], isLoopbackOpen = false) =>
  createAddressGuard({ allow, isLoopbackOpen });

describe('an address', () => {
  it.each<[address: string, allow: string[], isLoopbackOpen: boolean, opened: WebProtocol[]]>([
    ['93.184.216.34', [], false, ['https:']],
    ['2606:2800:220:1::1', [], false, ['https:']],
    ['::ffff:93.184.216.34', [], false, ['https:']],
    ['93.184.216.34', ['93.184.216.0/24'], false, ['http:', 'https:']],

    ['127.0.0.1', [], false, []],
    ['127.0.0.1', [], true, ['http:', 'https:']],
    ['127.8.9.1', [], true, ['http:', 'https:']],
    ['::1', [], true, ['http:', 'https:']],
    ['::ffff:127.0.0.1', [], true, ['http:', 'https:']],
    ['127.0.0.1', ['127.0.0.1'], false, ['http:', 'https:']],
    ['127.0.0.2', ['127.0.0.1'], false, []],
    ['0.0.0.0', [], true, []],
    ['::', [], true, []],
    ['::127.0.0.1', [], true, []],
    ['64:ff9b::127.0.0.1', [], true, []],

    ['10.1.2.3', [], true, []],
    ['10.1.2.3', ['192.168.0.0/16', '10.0.0.0/8'], false, ['http:', 'https:']],
    ['11.1.2.3', ['10.0.0.0/8'], false, ['https:']],
    ['::ffff:10.1.2.3', ['10.0.0.0/8'], false, ['http:', 'https:']],
    ['10.1.2.3', ['::ffff:10.0.0.0/104'], false, ['http:', 'https:']],
    ['::10.1.2.3', ['10.0.0.0/8'], false, []],
    ['::93.184.216.34', [], false, []],
    ['::10.1.2.3', ['::10.1.0.0/112'], false, ['http:', 'https:']],
    ['10.1.2.3', ['::10.1.0.0/112'], false, []],
    ['fe80::1%eth0', ['fe80::/10'], false, []],
    ['fe80::1', ['fe80::/10'], false, ['http:', 'https:']],
    ['fd12::1', ['fd00::/8'], false, ['http:', 'https:']],
    ['fd12::1', ['0.0.0.0/0'], false, []],
    ['10.1.2.3', ['::/0'], false, []],
    ['64:ff9b::808:808', [], false, []],
    ['64:ff9b::808:808', ['64:ff9b::/96'], false, ['http:', 'https:']],

    ...['169.254.169.254', '169.254.170.2', '100.100.100.200', 'fd00:ec2::254'].flatMap(
      (address): [string, string[], boolean, WebProtocol[]][] => [
        [address, [], true, []],
        [address, ['0.0.0.0/0', '::/0', '169.254.169.0/24', '100.100.100.0/24'], true, []],
        [address, ['0.0.0.0/0', address], false, ['http:', 'https:']],
        [address, [`${address}/${isIPv6(address) ? 128 : 32}`], false, ['http:', 'https:']],
      ],
    ),
    ['::ffff:169.254.169.254', ['0.0.0.0/0', '::/0'], true, []],
    ['::169.254.169.254', ['::/0'], false, []],
    ['64:ff9b::169.254.169.254', ['64:ff9b::/96'], false, []],
    ['2002:a9fe:a9fe::1', ['2002::/16'], false, []],

    ['app.internal', [], true, []],
    ['', [], true, []],
  ])('%s, with %j allowed and loopback open: %j, may be called by %j', (address, allow, open, opened) => {
    const { check } = guardWith(allow, open);
    const protocols: WebProtocol[] = ['http:', 'https:'];
    expect(protocols.filter((protocol) => check(address, protocol).allowed)).toEqual(opened);
  });

  it('that is not allowed says how it can be opened', () => {
    const { check } = guardWith();
    expect(check('10.0.0.1', 'https:')).toEqual({
      allowed: false,
      reason: 'is in a private network',
      hint: 'To allow it, the operator adds the address or its network to TOUCHSTONE_OUTBOUND_ALLOW.',
    });
    expect(check('169.254.169.254', 'https:')).toMatchObject({
      hint: 'To allow it, add exactly this address to TOUCHSTONE_OUTBOUND_ALLOW.',
    });
    expect(check('93.184.216.34', 'http:')).toMatchObject({ reason: 'may be called with https: only' });
  });
});

describe('a URL', () => {
  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://127.1/',
    'http://127.0.0.1./',
    'http://127.0.0.%31/',
    'http://１２７.０.０.１/',
    'http:\\\\127.0.0.1\\',
    'http:127.0.0.1',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[0:0:0:0:0:ffff:127.0.0.1]:8080/',
  ])('%s is of loopback', (text) => {
    expect(guardWith().checkUrl(text)).toMatchObject({
      allowed: false,
      cause: 'blocked',
      reason: expect.stringMatching(/^[\d.:a-f]+ is a loopback address$/) as string,
    });
    expect(guardWith([], true).checkUrl(text)).toMatchObject({ allowed: true });
  });

  it.each([
    'https://2852039166/',
    'https://0xa9fea9fe/',
    'https://0251.0376.0251.0376/',
    'https://169.254.43518/',
    'https://[::ffff:169.254.169.254]/',
    'https://[fd00:ec2::254]/',
  ])('%s is of metadata', (text) => {
    expect(guardWith(['0.0.0.0/0', '::/0'], true).checkUrl(text)).toMatchObject({
      cause: 'blocked',
      reason: expect.stringMatching(/ is the metadata address of a cloud$/) as string,
    });
  });

  it.each([
    'https://app.example.com/hook?x=1',
    'http://localhost:3000/',
    'https://app.example.com:65535/',
    'https://93.184.216.34/',
    'https://xn--bcher-kva.example/',
  ])('%s may be tried', (text) => {
    expect(guardWith().checkUrl(text)).toEqual({ allowed: true, url: new URL(text) });
  });

  it.each([
    '',
    'app.example.com/hook',
    '/hook',
    'https://',
    'https://:443/',
    'https://a b/',
    'https://app.example.com:65536/',
    'https://app.example.com:0/',
    'https://[::1/',
    'https://1.2.3.4.5/',
    'https://256.256.256.256/',
    'ftp://app.example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://me@app.example.com/',
    'https://:secret@app.example.com/',
  ])('%j is none to send to', (text) => {
    const verdict = guardWith().checkUrl(text);
    expect(verdict).toMatchObject({ allowed: false, cause: 'invalid_url' });
    expect(JSON.stringify(verdict)).not.toContain('secret');
  });
});

/** From the registries of special-purpose addresses; of IPv6, all that is not given out for the public internet. */
const BLOCKED: readonly [base: string, bits: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  ['0:0:0:0:0:0:0:0', 3],
  ['4000:0:0:0:0:0:0:0', 2],
  ['8000:0:0:0:0:0:0:0', 1],
  ['2001:0:0:0:0:0:0:0', 23],
  ['2001:db8:0:0:0:0:0:0', 32],
  ['2002:0:0:0:0:0:0:0', 16],
  ['2620:4f:8000:0:0:0:0:0', 48],
  ['3fff:0:0:0:0:0:0:0', 20],
];

describe('any address at all', () => {
  const bitsOf = (family: 4 | 6): number => (family === 4 ? 32 : 128);
  const numberOf = (text: string): bigint =>
    text.includes(':')
      ? text.split(':').reduce((sum, part) => (sum << 16n) | BigInt(Number.parseInt(part, 16)), 0n)
      : text.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
  const textOf = (value: bigint, family: 4 | 6): string => {
    const size = family === 4 ? 8n : 16n;
    const parts = Array.from(
      { length: family === 4 ? 4 : 8 },
      (_, i) => (value >> (BigInt(i) * size)) & ((1n << size) - 1n),
    );
    return parts
      .reverse()
      .map((part) => part.toString(family === 4 ? 10 : 16))
      .join(family === 4 ? '.' : ':');
  };
  const networks = BLOCKED.map(([base, bits]) => {
    const family = base.includes(':') ? 6 : 4;
    const start = numberOf(base);
    return { family, start, end: start + (1n << BigInt(bitsOf(family) - bits)) - 1n } as const;
  });
  const isBlocked = (value: bigint, family: 4 | 6): boolean =>
    networks.some((network) => network.family === family && value >= network.start && value <= network.end);

  const anywhere = fc
    .constantFrom(4 as const, 6 as const)
    .chain((family) =>
      fc.record({ family: fc.constant(family), value: fc.bigInt(0n, (1n << BigInt(bitsOf(family))) - 1n) }),
    );
  /** Within a network of the list, or right beside it. */
  const near = fc.constantFrom(...networks).chain(({ family, start, end }) =>
    fc.record({
      family: fc.constant(family),
      value: fc
        .oneof(fc.constantFrom(start - 1n, start, end, end + 1n), fc.bigInt(start, end))
        .filter((value) => value >= 0n && value < 1n << BigInt(bitsOf(family))),
    }),
  );
  const mapped = fc.oneof(anywhere, near).filter(({ family }) => family === 4);

  it('is blocked when the registries give it another use', () => {
    const { check } = guardWith();
    fc.assert(
      fc.property(fc.oneof(anywhere, near), ({ value, family }) => {
        const isMapped = family === 6 && value >> 32n === 0xffffn;
        const expected = isMapped ? isBlocked(value & 0xffffffffn, 4) : isBlocked(value, family);
        expect(check(textOf(value, family), 'https:').allowed).toBe(!expected);
        expect(check(textOf(value, family), 'http:').allowed).toBe(false);
      }),
      { numRuns: effort(1667) },
    );
  });

  it('of IPv4 is judged alike when it is written as IPv6', () => {
    const { check } = guardWith();
    fc.assert(
      fc.property(mapped, ({ value }) => {
        const plain = textOf(value, 4);
        for (const text of [`::ffff:${plain}`, textOf((0xffffn << 32n) | value, 6)]) {
          expect(check(text, 'https:')).toEqual(check(plain, 'https:'));
        }
      }),
      { numRuns: effort(333) },
    );
  });

  it('is open when its network is allowed, and one bit aside is not', () => {
    fc.assert(
      fc.property(anywhere, fc.nat(128), ({ value, family }, nat) => {
        const bits = 1 + (nat % bitsOf(family));
        const outside = value ^ (1n << BigInt(bitsOf(family) - bits));
        const { check } = guardWith([`${textOf(value, family)}/${bits}`]);
        expect(check(textOf(value, family), 'http:')).toEqual({ allowed: true });
        expect(check(textOf(outside, family), 'http:').allowed).toBe(false);
      }),
      { numRuns: effort(333) },
    );
  });
});
