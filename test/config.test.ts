import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig, SETTING_FLAGS, settingTexts } from '../src/config.ts';
import { readFlags } from '../src/config/flags.ts';
import { StartupError } from '../src/errors.ts';
import { PRICES_DATE } from '../src/traces/prices/table.ts';

const KEY = `sk_${'a'.repeat(12)}_${'B'.repeat(43)}`;
const config = (args: string[], env: Record<string, string> = {}, cores = 2) =>
  readConfig(readFlags(args, { values: SETTING_FLAGS }).flags, env, undefined, cores);

describe('the settings', () => {
  it('have defaults', () => {
    expect(config([]).config).toEqual({
      host: '127.0.0.1',
      port: 4318,
      grpcPort: null,
      grpcHost: null,
      dataDir: resolve('data'),
      databaseUrl: null,
      databaseUrlFile: null,
      logLevel: 'info',
      publicUrl: null,
      bootstrapOrgId: null,
      bootstrapApplicationId: null,
      bootstrapApiKey: null,
      maxBodyBytes: 64 * 2 ** 20,
      memoryBudgetBytes: 192 * 2 ** 20,
      prepareThreads: 2,
      corsOrigins: [],
      outboundAllow: [],
      trustedProxies: [],
      knownHosts: [],
      auditDays: 365,
      pricesFile: null,
      judgesFile: null,
      judgeProvider: 'openai-compatible',
      judgeBaseUrl: null,
      judgeApiKey: null,
      judgeModel: null,
      promptProvider: 'openai-compatible',
      promptBaseUrl: null,
      promptApiKey: null,
      promptModel: null,
      judgeMode: 'live',
      judgeRecordings: null,
      secretKey: null,
      stopDelayMs: null,
      webhookTimeoutMs: 120_000,
      webhookToleranceMs: 300_000,
      quietMs: 2_000,
      newOrganisations: 'no',
      organisationApplications: 1_000,
      organisationDecodingSeconds: null,
      operatorOrganisation: null,
      organisationStoredBytes: null,
      organisationJudgeDollarsPerDay: null,
      organisationJudgeDollarsPerMonth: null,
      organisationStreams: null,
      organisationUploads: null,
      orphanQuietMs: 15_000,
      traceDeadlineMs: 600_000,
      rateLimit: null,
      maxConnections: 4096,
      ownTracesEndpoint: null,
      ownTracesHeaders: {},
      ownTracesRatio: 0.05,
      ownTracesServiceName: 'touchstone',
      ownTracesToSelf: 'reject',
    });
  });

  it.each([
    [1, 2],
    [4, 2],
    [6, 3],
    [8, 4],
    [64, 4],
  ])('with %d cores, %d threads decode by default', (cores, threads) => {
    expect(config([], {}, cores).config.prepareThreads).toBe(threads);
    expect(config(['--prepare-threads', '7'], {}, cores).config.prepareThreads).toBe(7);
  });

  it('cannot be changed', () => {
    expect(Object.isFrozen(config([]).config)).toBe(true);
    expect(Object.isFrozen(config([]).config.corsOrigins)).toBe(true);
    expect(Object.isFrozen(config([]).config.outboundAllow)).toBe(true);
  });

  it.each([
    ['a flag and its value', ['--port', '80'], {}, { port: 80 }],
    ['a flag with =', ['--port=80'], {}, { port: 80 }],
    ['the last of two', ['--port=80', '--port', '81'], {}, { port: 81 }],
    ['a variable', [], { TOUCHSTONE_PORT: '80' }, { port: 80 }],
    ['the flag over the variable', ['--port', '81'], { TOUCHSTONE_PORT: '80' }, { port: 81 }],
    [
      'an empty variable as none',
      [],
      { TOUCHSTONE_PORT: '', TOUCHSTONE_BOOTSTRAP_API_KEY: '' },
      { port: 4318, bootstrapApiKey: null },
    ],
    ['a size in bytes', ['--max-body-bytes', '4096'], {}, { maxBodyBytes: 4096 }],
    ['a size in MiB', ['--memory-budget-bytes', '512mib'], {}, { memoryBudgetBytes: 512 * 2 ** 20 }],
    [
      'an id in upper case',
      ['--bootstrap-application-id', '7F1D8A52-6C1B-4F0E-9A43-2D5B8C7E1F60'],
      {},
      { bootstrapApplicationId: '7f1d8a52-6c1b-4f0e-9a43-2d5b8c7e1f60' },
    ],
    [
      'a public address with a slash',
      ['--public-url', 'https://a.example/'],
      {},
      { publicUrl: 'https://a.example' },
    ],
    [
      'origins',
      ['--cors-origins', 'https://a.example, http://localhost:5173'],
      {},
      { corsOrigins: ['https://a.example', 'http://localhost:5173'] },
    ],
    [
      'no origins',
      ['--cors-origins='],
      { TOUCHSTONE_CORS_ORIGINS: 'https://a.example' },
      { corsOrigins: [] },
    ],
    [
      'networks and addresses',
      ['--outbound-allow', '10.0.0.0/8, fd00::/8,127.0.0.1,::1,0.0.0.0/0'],
      {},
      { outboundAllow: ['10.0.0.0/8', 'fd00::/8', '127.0.0.1', '::1', '0.0.0.0/0'] },
    ],
    ['a file of prices', ['--prices-file', 'p.json'], {}, { pricesFile: resolve('p.json') }],
    ['a preset key', [], { TOUCHSTONE_BOOTSTRAP_API_KEY: KEY }, { bootstrapApiKey: KEY }],
  ])('take %s', (_name, args, env, expected) => {
    expect(config(args, env as Record<string, string>).config).toMatchObject(expected);
  });

  it.each<[args: string[], env: Record<string, string>, message: string]>([
    [['--port', 'http'], {}, '--port must be a whole number from 0 to 65535, not "http".'],
    [
      [],
      { TOUCHSTONE_PORT: '65536' },
      'TOUCHSTONE_PORT must be a whole number from 0 to 65535, not "65536".',
    ],
    [['--port', '-1'], {}, '--port must be a whole number from 0 to 65535, not "-1".'],
    [['--port', '8e1'], {}, '--port must be a whole number from 0 to 65535, not "8e1".'],
    [['--port='], {}, '--port must be a whole number from 0 to 65535, not "".'],
    [['--port'], {}, '--port needs a value.'],
    [['--port', '--host', 'x'], {}, '--port needs a value.'],
    [['--prot', '80'], {}, 'Unknown flag --prot; did you mean --port?'],
    [['--data-dri=x'], {}, 'Unknown flag --data-dri; did you mean --data-dir?'],
    [['--colour'], {}, 'Unknown flag --colour.'],
    [
      ['--host', 'http://x'],
      {},
      '--host must be an IP address or a host name, without scheme and port, not "http://x".',
    ],
    [['--log-level', 'loud'], {}, '--log-level must be one of debug, info, warn, error, not "loud".'],
    [['--data-dir='], {}, '--data-dir must be the path of a folder, not "".'],
    [
      ['--public-url', 'ftp://x'],
      {},
      '--public-url must be an address that begins with http:// or https://, without a user, a query or a path of the server such as /v0, not "ftp://x".',
    ],
    [
      [],
      { TOUCHSTONE_PUBLIC_URL: 'https://example.com/v0/touchstone' },
      'TOUCHSTONE_PUBLIC_URL must be an address that begins with http:// or https://, without a user, a query or a path of the server such as /v0, not "https://example.com/v0/touchstone".',
    ],
    [
      ['--public-url', 'https://ada:password@touchstone.example.com'],
      {},
      '--public-url must be an address that begins with http:// or https://, without a user, a query or a path of the server such as /v0, not "https://…@touchstone.example.com".',
    ],
    [
      ['--bootstrap-org-id', 'a b'],
      {},
      '--bootstrap-org-id must be 1 to 64 letters, digits, dots, hyphens or underscores, not "a b".',
    ],
    [['--bootstrap-application-id', 'x'], {}, '--bootstrap-application-id must be a UUID, not "x".'],
    [
      ['--max-body-bytes', '64 MB'],
      {},
      '--max-body-bytes must be a size from 1 KiB to 512 MiB, such as 16777216 or 16MiB, not "64 MB".',
    ],
    [
      ['--cors-origins', '*'],
      {},
      '--cors-origins must be a comma-separated list of origins such as https://app.example.com, not "*".',
    ],
    [
      ['--cors-origins', 'https://a.example/x'],
      {},
      '--cors-origins must be a comma-separated list of origins such as https://app.example.com, not "https://a.example/x".',
    ],
    ...['10.0.0.0/33', '::/129', '10.0.0/8', '10.0.0.0/', 'app.internal', 'fe80::1%eth0', '10.0.0.1/8/8'].map(
      (wrong): [string[], Record<string, string>, string] => [
        ['--outbound-allow', wrong],
        {},
        `--outbound-allow must be a comma-separated list of networks or addresses such as 10.0.0.0/8,192.168.1.20, not "${wrong}".`,
      ],
    ),
    [['--prices-file='], {}, '--prices-file must be the path of a file, not "".'],
    [['--max-connections', '0'], {}, '--max-connections must be a whole number from 1 to 1000000, not "0".'],
    [
      ['--max-body-bytes', '100MiB'],
      {},
      'TOUCHSTONE_MEMORY_BUDGET_BYTES (192 MiB) must be at least twice TOUCHSTONE_MAX_BODY_BYTES (100 MiB): a body needs memory both as sent and decompressed.',
    ],
  ])('reject %j %j in one sentence', (args, env, message) => {
    expect(() => config(args, env)).toThrow(new StartupError(message));
  });

  it('never show a wrong secret', () => {
    const wrong = `${KEY.slice(0, -1)}!`;
    expect(() => config([], { TOUCHSTONE_BOOTSTRAP_API_KEY: wrong })).toThrow(
      new StartupError(
        'TOUCHSTONE_BOOTSTRAP_API_KEY must be `sk_`, 12 letters or digits, `_` and 43 letters or digits.',
      ),
    );
  });

  it('warn of a variable that is none', () => {
    const { warnings } = config([], {
      TOUCHSTONE_PROT: '1',
      TOUCHSTONE_COLOUR: 'red',
      TOUCHSTONE_API_KEY: 'of a client',
      OTHER: 'x',
    });
    expect(warnings).toEqual([
      'The variable TOUCHSTONE_COLOUR is not a setting.',
      'The variable TOUCHSTONE_PROT is not a setting; did you mean TOUCHSTONE_PORT?',
    ]);
  });

  it('say of which day the built-in prices are', () => {
    const { meaning } = settingTexts().find(({ flag }) => flag === '--prices-file') ?? {};
    expect(meaning).toContain(`of ${PRICES_DATE}.`);
  });

  it.each(settingTexts())(
    'take the example of $flag, and its default',
    ({ flag, variable, default: fallback, example }) => {
      expect(variable).toBe(`TOUCHSTONE_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`);
      expect(() => config([`${flag}=${example}`])).not.toThrow();
      if (fallback !== null) expect(config([`${flag}=${fallback}`]).config).toEqual(config([]).config);
    },
  );

  it('are listed in docs/settings.md; after a change: vitest -u', async () => {
    const rows = settingTexts().map(
      ({ flag, variable, meaning, default: fallback, example }) =>
        `| \`${flag}\` | \`${variable}\` | ${meaning} | ${fallback ? `\`${fallback}\`` : ''} | \`${example}\` |`,
    );
    const text = `# Settings

Every setting is a flag of \`serve\` (\`--port 8080\` or \`--port=8080\`) and a variable; the flag wins. An empty variable counts as
not set. Sizes are bytes, or a number with \`KiB\`, \`MiB\` or \`GiB\`. Flags can be seen by every user of a machine: hand the preset
key over as a variable. The commands on keys, applications and users need \`--data-dir\` only.

| Flag | Variable | Meaning | Default | Example |
|---|---|---|---|---|
${rows.join('\n')}

An invalid value stops the start with one sentence and exit code 1. A \`TOUCHSTONE_\` variable that is not a setting is named in a warning.
`;
    await expect(text).toMatchFileSnapshot('../docs/settings.md');
  });
});

describe('a value with the end of its line', () => {
  it.each([
    ['TOUCHSTONE_PORT', '4318\r'],
    ['TOUCHSTONE_DATA_DIR', './data\r'],
    ['TOUCHSTONE_SECRET_KEY', 'a long random text\r\n'],
    ['TOUCHSTONE_BOOTSTRAP_ORG_ID', 'acme\n'],
  ])('is rejected with the name of its variable: %s', (name, value) => {
    const reading = () => readConfig(new Map(), { [name]: value });
    expect(reading).toThrow(StartupError);
    expect(reading).toThrow(`${name} ends in a line break (CR or LF), which is not part of its value`);
  });
});

describe('a command line', () => {
  it('is flags, switches and words', () => {
    const { flags, words } = readFlags(['a', '--name', 'x', '--on', 'b', '--name=y=z'], {
      values: ['--name'],
      switches: ['--on'],
    });
    expect([...flags]).toEqual([
      ['--name', 'y=z'],
      ['--on', ''],
    ]);
    expect(words).toEqual(['a', 'b']);
  });

  it('is words after --', () => {
    expect(readFlags(['--on', '--', '--name'], { values: [], switches: ['--on'] }).words).toEqual(['--name']);
  });

  it('names an unknown flag as it was written', () => {
    expect(() => readFlags(['-port', '1'], { values: ['--port'] })).toThrow(
      'Unknown flag -port; did you mean --port?',
    );
  });

  it('gives a switch no value', () => {
    expect(() => readFlags(['--on=1'], { values: [], switches: ['--on'] })).toThrow('--on takes no value.');
  });
});
