import { describe, expect, it } from 'vitest';
import { isLoopback } from '../../src/runtime/loopback.ts';

describe('a host', () => {
  it.each([
    ['localhost', true],
    ['LocalHost', true],
    ['127.0.0.1', true],
    ['127.8.9.1', true],
    ['::1', true],
    ['0:0:0:0:0:0:0:1', true],
    ['::ffff:127.0.0.1', true],
    // An IPv6 address that only looks like a mapped one.
    ['::127.0.0.1', false],
    ['64:ff9b::127.0.0.1', false],
    ['0.0.0.0', false],
    ['::', false],
    ['10.1.2.3', false],
    ['localhost.example.com', false],
    ['', false],
  ])('%s is loopback: %s', (host, expected) => {
    expect(isLoopback(host)).toBe(expected);
  });
});
