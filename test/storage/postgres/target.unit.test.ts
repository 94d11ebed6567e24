import { describe, expect, it } from 'vitest';
import { moveDatabaseFlags } from '../../../src/config/database-flags.ts';
import { StartupError } from '../../../src/errors.ts';
import { describeTarget, parseTarget } from '../../../src/storage/postgres/target.ts';

const parse = (text: string) => parseTarget(text, 'TOUCHSTONE_DATABASE_URL');

describe('the address of a database', () => {
  it('has defaults for all but the user and the database', () => {
    expect(parse('postgres://ada@db.example.com/touchstone')).toEqual({
      hosts: [{ host: 'db.example.com', port: 5432 }],
      database: 'touchstone',
      user: 'ada',
      password: null,
      sslMode: 'prefer',
      sslRootCert: null,
      sslCert: null,
      sslKey: null,
      sessions: 'any',
      connectTimeoutMs: 5_000,
      keepAliveMs: 5_000,
    });
  });

  it('names several hosts, each with its port, and what a connection must be able to do', () => {
    const target = parse(
      'postgresql://ada:p%40s%2Fs@one:5433,[::1]:5434,three/db?sslmode=verify-full&target_session_attrs=read-write&connect_timeout=2&keepalives_idle=9',
    );
    expect(target).toMatchObject({
      hosts: [
        { host: 'one', port: 5433 },
        { host: '::1', port: 5434 },
        { host: 'three', port: 5432 },
      ],
      password: 'p@s/s',
      sslMode: 'verify-full',
      sessions: 'read-write',
      connectTimeoutMs: 2_000,
      keepAliveMs: 9_000,
    });
    expect(describeTarget(target)).toBe('the database db at one:5433, [::1]:5434, three:5432');
  });

  it.each([
    'postgres://ada@%2Fvar%2Frun%2Fpostgresql/db',
    'postgres://ada@/db?host=/var/run/postgresql',
    'postgres:///?host=%2Fvar%2Frun%2Fpostgresql&user=ada&dbname=db',
  ])('may be the folder of a Unix socket: %s', (text) => {
    expect(parse(text)).toMatchObject({
      hosts: [{ host: '/var/run/postgresql', port: 5432 }],
      user: 'ada',
      database: 'db',
    });
  });

  it.each<[what: string, text: string, words: string]>([
    ['another protocol', 'mysql://ada:hunter2@h/db', 'must be an address such as'],
    ['no user', 'postgres://h/db', 'no user'],
    ['no database', 'postgres://ada:hunter2@h', 'no name of a database'],
    ['an unknown parameter', 'postgres://ada:hunter2@h/db?sslmod=require', 'unknown here'],
    ['a parameter twice', 'postgres://ada:hunter2@h/db?sslmode=require&sslmode=prefer', 'more than once'],
    ['an unknown sslmode', 'postgres://ada:hunter2@h/db?sslmode=allow', 'must be one of disable, prefer'],
    [
      'sessions that only read',
      'postgres://ada:hunter2@h/db?target_session_attrs=standby',
      'any, read-write',
    ],
    ['a port that is none', 'postgres://ada:hunter2@h:70000/db', 'from 1 to 65535'],
    ['a host that is none', 'postgres://ada:hunter2@a:b:c/db', 'host that is none'],
    [
      'a time limit that is none',
      'postgres://ada:hunter2@h/db?connect_timeout=soon',
      'whole number from 0 to 60',
    ],
    ['a password with a bare %', 'postgres://ada:hunter2%@h/db', 'write % as %25'],
    [
      'a certificate without key',
      'postgres://ada:hunter2@h/db?sslcert=a.pem',
      'only one of sslcert and sslkey',
    ],
    ['too many hosts', `postgres://ada:hunter2@${'h,'.repeat(9)}h/db`, 'more than 8 hosts'],
  ])('with %s is rejected by a sentence without the password', (_what, text, words) => {
    expect(() => parse(text)).toThrow(StartupError);
    expect(() => parse(text)).toThrow(words);
    expect(() => parse(text)).not.toThrow('hunter2');
    expect(() => parse(text)).toThrow(/^TOUCHSTONE_DATABASE_URL .*\.$/s);
  });
});

describe('the flags of a database', () => {
  it('become variables, take precedence over both, and are no arguments', () => {
    const env = { TOUCHSTONE_DATABASE_URL_FILE: '/run/url', HOME: '/root' };
    expect(moveDatabaseFlags(['keys', 'list', '--database-url', 'postgres://a@h/d', '--json'], env)).toEqual({
      args: ['keys', 'list', '--json'],
      hasMoved: true,
    });
    expect(env).toEqual({ TOUCHSTONE_DATABASE_URL: 'postgres://a@h/d', HOME: '/root' });
    expect(moveDatabaseFlags(['--database-url-file=/x'], env).args).toEqual([]);
    expect(env).toEqual({ TOUCHSTONE_DATABASE_URL_FILE: '/x', HOME: '/root' });
  });

  it('are left alone where there are none', () => {
    const env = { TOUCHSTONE_DATABASE_URL: 'postgres://a@h/d' };
    expect(moveDatabaseFlags(['serve', '--port=1', '--database-url'], env)).toEqual({
      args: ['serve', '--port=1', '--database-url'],
      hasMoved: false,
    });
    expect(env).toEqual({ TOUCHSTONE_DATABASE_URL: 'postgres://a@h/d' });
  });
});
