import { describe, expect, it } from 'vitest';
import { createLog, type LogLevel } from '../../src/runtime/log.ts';

const KEY_ID = 'sk_abcdefABCDEF_';
const SECRET = 'x'.repeat(43);

function logTo(
  lines: string[],
  { level = 'debug', forPeople = false }: { level?: LogLevel; forPeople?: boolean } = {},
) {
  const now = () => new Date('2026-01-31T12:34:56.789Z');
  return createLog({ level, forPeople, write: (line) => lines.push(line), now });
}

const logged = (fields: Record<string, unknown>, message = 'm'): Record<string, unknown> => {
  const lines: string[] = [];
  logTo(lines).info(message, fields);
  return JSON.parse(lines.join('')) as Record<string, unknown>;
};

describe('a log line', () => {
  it('is one JSON object with time, level and message first', () => {
    const lines: string[] = [];
    logTo(lines).warn('two\nlines', { count: 1, message: 'not this', time: 0 });
    expect(lines).toEqual([
      '{"time":"2026-01-31T12:34:56.789Z","level":"warn","message":"two\\nlines","count":1}\n',
    ]);
  });

  it.each<[LogLevel, number]>([
    ['debug', 4],
    ['info', 3],
    ['warn', 2],
    ['error', 1],
  ])('is left out below %s', (level, count) => {
    const lines: string[] = [];
    const log = logTo(lines, { level });
    for (const name of ['debug', 'info', 'warn', 'error'] as const) log[name](name);
    expect(lines).toHaveLength(count);
  });

  it('holds the stack of an error and of its causes', () => {
    const { error } = logged({ error: new Error('outer', { cause: new TypeError('inner') }) });
    expect(error).toMatch(/^Error: outer\n\s+at .*\ncaused by TypeError: inner\n\s+at /s);
  });

  it('hides fields with the names of secrets, however deep', () => {
    const headers = { 'X-Api-Key': 's', Authorization: 'Bearer s', cookie: 's', 'x-application-id': 'a' };
    expect(
      logged({
        headers,
        key: 's',
        apiKey: 's',
        webhookSecret: 's',
        keyId: 'k',
        keys: 3,
        none: { secret: null },
      }),
    ).toMatchObject({
      headers: { 'X-Api-Key': '***', Authorization: '***', cookie: '***', 'x-application-id': 'a' },
      key: '***',
      apiKey: '***',
      webhookSecret: '***',
      keyId: 'k',
      keys: 3,
      none: { secret: null },
    });
  });

  it('hides the secret of a key in any text, and keeps its id', () => {
    const text = `got ${KEY_ID}${SECRET}!`;
    const line = logged({ list: [text], error: new Error(text) }, text);
    expect(JSON.stringify(line)).not.toContain(SECRET);
    expect(line['message']).toBe(`got ${KEY_ID}***!`);
    expect(line['list']).toEqual([`got ${KEY_ID}***!`]);
  });

  it('takes whatever it is given', () => {
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    const line = logged({
      big: 10n,
      nan: Number.NaN,
      bytes: new Uint8Array(3),
      when: new Date(0),
      fn: () => 1,
      loop,
      missing: undefined,
    });
    expect(line).toMatchObject({
      big: '10',
      nan: 'NaN',
      bytes: '<3 bytes>',
      when: '1970-01-01T00:00:00.000Z',
    });
  });

  it('is short for people, and cannot steer their terminal', () => {
    const lines: string[] = [];
    const log = logTo(lines, { forPeople: true });
    log.info('listening', { url: 'http://127.0.0.1:1', note: 'a b' });
    log.error('bad \u001b[2J\nthing', { error: `trace\n${KEY_ID}${SECRET}\u0007` });
    expect(lines).toEqual([
      '12:34:56 info  listening url=http://127.0.0.1:1 note="a b"\n',
      `12:34:56 error bad \uFFFD[2J thing\ntrace\n${KEY_ID}***\uFFFD\n`,
    ]);
  });
});
