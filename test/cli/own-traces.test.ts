import { describe, expect, it } from 'vitest';
import { openOwnTraces } from '../../src/cli/own-traces.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/runtime/log.ts';

const log = createLog({ level: 'error', write: () => undefined, forPeople: false });
const configOf = (...flags: [string, string][]): ReturnType<typeof readConfig>['config'] =>
  readConfig(new Map(flags), {}).config;

describe('the endpoint of own traces', () => {
  it.each<[what: string, flags: [string, string][]]>([
    ['the listen address', [['--own-traces-endpoint', 'http://127.0.0.1:4318/v1/traces']]],
    ['a name of it', [['--own-traces-endpoint', 'http://localhost:4318']]],
    [
      'an address of this machine, on all of which it listens',
      [
        ['--host', '0.0.0.0'],
        ['--own-traces-endpoint', 'http://127.0.0.1:4318'],
      ],
    ],
    [
      'its public URL',
      [
        ['--public-url', 'https://touchstone.example.com/'],
        ['--own-traces-endpoint', 'https://touchstone.example.com/v1/traces'],
      ],
    ],
  ])('is rejected if it is the server itself: %s', async (_what, flags) => {
    await expect(openOwnTraces(configOf(...flags), log)).rejects.toThrow(
      'TOUCHSTONE_OWN_TRACES_ENDPOINT must not be the address of this server',
    );
    const allowed = await openOwnTraces(configOf(...flags, ['--own-traces-to-self', 'allow']), log);
    expect(allowed.traces.isOn).toBe(true);
    await allowed.close();
  });

  it.each([
    ['another port', 'http://127.0.0.1:4319/v1/traces'],
    ['another address', 'http://192.0.2.1:4318/v1/traces'],
  ])('is accepted if it is %s', async (_what, endpoint) => {
    const opened = await openOwnTraces(configOf(['--own-traces-endpoint', endpoint]), log);
    expect(opened.traces.isOn).toBe(true);
    await opened.close();
  });

  it('is none by default', async () => {
    expect((await openOwnTraces(configOf(), log)).traces.isOn).toBe(false);
  });

  it.each([
    ['http://collector:4318', 'http://collector:4318/v1/traces'],
    ['http://collector:4318/', 'http://collector:4318/v1/traces'],
    ['https://collector/otlp/traces', 'https://collector/otlp/traces'],
  ])('%s means %s', (given, meant) => {
    expect(configOf(['--own-traces-endpoint', given]).ownTracesEndpoint?.href).toBe(meant);
  });
});

describe('the headers of own traces', () => {
  it('are names and percent-encoded values, separated by commas', () => {
    const { ownTracesHeaders } = configOf([
      '--own-traces-headers',
      'X-Api-Key=sk_1, authorization=Bearer%20a%3Db',
    ]);
    expect(ownTracesHeaders).toEqual({ 'x-api-key': 'sk_1', authorization: 'Bearer a=b' });
  });

  it.each(['x-api-key', '=value', 'name=', 'a name=value', 'name=%', 'name=a%0Ab'])(
    'are rejected without being shown: %s',
    (text) => {
      const read = (): unknown => configOf(['--own-traces-headers', text]);
      expect(read).toThrow('--own-traces-headers must be a list such as name=value,other=value.');
    },
  );
});

it.each(['-1', '1.1', '5%', ''])('a ratio of %j is rejected', (ratio) => {
  expect(() => configOf(['--own-traces-ratio', ratio])).toThrow(
    '--own-traces-ratio must be a number from 0 to 1',
  );
});
