import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readJudges } from '../../../src/cli/judges-file.ts';
import { readConfig } from '../../../src/config.ts';
import { StartupError } from '../../../src/errors.ts';
import { type JudgesSettings, NO_JUDGES } from '../../../src/evaluate/judge/settings.ts';
import { createPriceList } from '../../../src/traces/prices/price-list.ts';
import { type Folder, temporaryFolder } from '../../support/storage.ts';

const SECRET = 'sk-very-secret';

let folder: Folder;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = folder.file('judges.json');
});
afterEach(() => folder[Symbol.dispose]());

type Variables = Record<string, string>;

const read = (variables: Variables): JudgesSettings =>
  readJudges(readConfig(new Map(), variables).config, variables, createPriceList());

function readFile(content: unknown, variables: Variables = {}): JudgesSettings {
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return read({ ...variables, TOUCHSTONE_JUDGES_FILE: path });
}

const judge = { provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:11434/v1/', model: 'qwen3:32b' };
const DEFAULTS = {
  apiKey: null,
  temperature: 0,
  seed: null,
  timeoutMs: 60_000,
  maxWaitMs: 3_600_000,
  concurrency: 4,
  maxOutputTokens: 4096,
  embeddingModel: null,
  embeddingPrice: null,
  headers: {},
  query: {},
  body: {},
  prices: null,
  structuredOutput: 'json_schema',
};

describe('judges', () => {
  it('are none where nothing is set', () => {
    expect(read({})).toEqual(NO_JUDGES);
  });

  it('are one by plain settings', () => {
    expect(
      read({
        TOUCHSTONE_JUDGE_BASE_URL: 'http://127.0.0.1:11434/v1',
        TOUCHSTONE_JUDGE_API_KEY: SECRET,
        TOUCHSTONE_JUDGE_MODEL: 'qwen3:32b',
      }),
    ).toEqual({
      ...NO_JUDGES,
      judges: [
        { ...DEFAULTS, ...judge, baseUrl: 'http://127.0.0.1:11434/v1', name: 'default', apiKey: SECRET },
      ],
      default: 'default',
    });
    expect(
      read({ TOUCHSTONE_JUDGE_PROVIDER: 'anthropic', TOUCHSTONE_JUDGE_MODEL: 'claude-sonnet-4-5' }).judges[0],
    ).toMatchObject({ baseUrl: 'https://api.anthropic.com/v1', prices: { input: 3, output: 15 } });
  });

  it('come from a file, by name', () => {
    const full = {
      ...DEFAULTS,
      provider: 'anthropic',
      baseUrl: 'https://judges.example.com/v1',
      model: 'claude-sonnet-4-5',
      temperature: null,
      seed: 7,
      timeoutMs: 100,
      concurrency: 32,
      maxOutputTokens: 64,
      prices: { input: 0.1, output: 0 },
      structuredOutput: 'text',
    };
    const { apiKey: _, ...given } = full;
    const content = {
      judges: { local: judge, 'far.1': { ...given, apiKeyEnv: 'FAR_KEY' } },
      default: 'far.1',
    };
    expect(readFile(content, { FAR_KEY: SECRET })).toEqual({
      ...NO_JUDGES,
      judges: [
        { ...DEFAULTS, ...judge, baseUrl: 'http://127.0.0.1:11434/v1', name: 'local' },
        { ...full, name: 'far.1', apiKey: SECRET },
      ],
      default: 'far.1',
    });
  });

  it('are as docs/judges.md shows', () => {
    const page = readFileSync('docs/judges.md', 'utf8');
    const [, example = ''] = /```json\n([^`]*)```/.exec(page) ?? [];
    expect(readFile(example, { ANTHROPIC_API_KEY: SECRET })).toMatchObject({
      judges: [{ name: 'local' }, { name: 'claude', apiKey: SECRET }],
      default: 'local',
      dailyCostLimit: 20,
    });
  });

  it('have limits, and the only one is the default', () => {
    const priced = { ...judge, prices: { input: 1, output: 1 } };
    expect(readFile({ judges: { a: priced }, dailyCostLimit: 5, runCostLimit: 0.5 })).toMatchObject({
      default: 'a',
      dailyCostLimit: 5,
      runCostLimit: 0.5,
    });
  });

  it('take prices from the table, but not for a model on the own machine', () => {
    const prices = (baseUrl: string): unknown =>
      readFile({ judges: { a: { ...judge, model: 'gpt-4o', baseUrl } } }).judges[0]?.prices;
    expect(prices('https://api.openai.com/v1')).toEqual({ input: 2.5, output: 10 });
    expect(prices('http://127.0.0.1:8000/v1')).toBeNull();
  });

  it.each(['record', 'replay'])('can %s', (mode) => {
    const variables = { TOUCHSTONE_JUDGE_MODE: mode, TOUCHSTONE_JUDGE_RECORDINGS: folder.path };
    expect(readFile({ judges: { a: judge } }, variables)).toMatchObject({ mode, folder: folder.path });
  });
});

describe('a wrong file of judges', () => {
  it.each<[content: unknown, problem: string]>([
    ['', 'it is not JSON'],
    [`{ "judges": "${SECRET}`, 'it is not JSON'],
    [' '.repeat(2 ** 20 + 1), 'it is larger than 1048576 bytes'],
    [[], 'Invalid input: expected object, received array'],
    [{}, 'judges: Invalid input: expected record, received undefined'],
    [{ judges: {} }, 'judges: must name a judge'],
    [{ judges: { a: judge }, limit: 1 }, 'Unrecognized key: "limit"'],
    [{ judges: { a: judge }, default: 'b' }, 'default: must be the name of one of the judges'],
    [{ judges: { a: judge, b: judge } }, 'default is required with several judges'],
    [{ judges: { a: judge }, dailyCostLimit: 1 }, 'judges.a.prices is required with a cost limit'],
    [{ judges: { a: judge }, runCostLimit: -1 }, 'runCostLimit: Too small: expected number to be >=0'],
    [
      { judges: { 'a b': judge } },
      'judges.a b: must be 1 to 64 letters, digits, dots, hyphens or underscores',
    ],
    [{ judges: { a: { ...judge, baseUrl: undefined } } }, 'judges.a.baseUrl: is required'],
    [
      { judges: { a: { ...judge, baseUrl: `http://me:${SECRET}@localhost` } } },
      'judges.a.baseUrl: must begin with http:// or https:// and have no user, password, query or fragment; parameters of the query belong to `query`',
    ],
    [
      { judges: { a: { ...judge, apiKey: SECRET, apiKeyEnv: 'A' } } },
      'judges.a.apiKeyEnv: must not be given together with apiKey',
    ],
    [
      { judges: { a: { ...judge, apiKeyEnv: 'NOT_SET' } } },
      'judges.a.apiKeyEnv names a variable that is not set',
    ],
    [
      { judges: { a: { ...judge, apiKey: 1 } } },
      'judges.a.apiKey: Invalid input: expected string, received number',
    ],
    ...['', 'two words', 'two\nlines', 'clé'].map((key): [unknown, string] => [
      { judges: { a: { ...judge, apiKey: key } } },
      'judges.a.apiKey: must be visible ASCII characters without spaces',
    ]),
    [
      { judges: { a: { ...judge, provider: 'openai' } } },
      'judges.a.provider: Invalid option: expected one of "openai-compatible"|"anthropic"',
    ],
    [
      { judges: { a: { ...judge, temperature: 3 } } },
      'judges.a.temperature: Too big: expected number to be <=2',
    ],
    [
      { judges: { a: { ...judge, prices: { input: 1 } } } },
      'judges.a.prices.output: Invalid input: expected number, received undefined',
    ],
    [{ judges: { a: { ...judge, timeout: 1 } } }, 'judges.a: Unrecognized key: "timeout"'],
  ])('%j is reported in a sentence', (content, problem) => {
    expect(() => readFile(content)).toThrow(new StartupError(`The judges file ${path}: ${problem}.`));
  });

  it('with a variable that has no key is reported without it', () => {
    const content = { judges: { a: { ...judge, apiKeyEnv: 'A_KEY' } } };
    expect(readFile(content, { A_KEY: `${SECRET}\n` }).judges[0]?.apiKey).toBe(SECRET);
    expect(() => readFile(content, { A_KEY: `${SECRET}\n${SECRET}` })).toThrow(
      new StartupError(
        `The judges file ${path}: judges.a.apiKeyEnv names a variable whose value must be visible ASCII characters without spaces.`,
      ),
    );
  });

  it('that is no file is reported too', () => {
    const variables = { TOUCHSTONE_JUDGES_FILE: path };
    expect(() => read(variables)).toThrow(`The judges file ${path}: it does not exist.`);
    mkdirSync(path);
    expect(() => read(variables)).toThrow(`The judges file ${path}: it is not a file.`);
  });
});

describe('settings that do not go together are reported in a sentence', () => {
  it.each<[Variables, sentence: string]>([
    [
      { TOUCHSTONE_JUDGES_FILE: '/judges.json', TOUCHSTONE_JUDGE_MODEL: 'm' },
      'TOUCHSTONE_JUDGES_FILE and TOUCHSTONE_JUDGE_MODEL must not both be set.',
    ],
    [
      { TOUCHSTONE_JUDGE_API_KEY: SECRET },
      'TOUCHSTONE_JUDGE_MODEL must be set too, because a judge needs a model.',
    ],
    [
      { TOUCHSTONE_JUDGE_BASE_URL: 'http://a' },
      'TOUCHSTONE_JUDGE_MODEL must be set too, because a judge needs a model.',
    ],
    [{ TOUCHSTONE_JUDGE_MODEL: 'm' }, 'The settings of the judge: judges.default.baseUrl: is required.'],
    [
      { TOUCHSTONE_JUDGE_MODE: 'replay' },
      'TOUCHSTONE_JUDGE_RECORDINGS must be set with the judge mode replay.',
    ],
    [
      { TOUCHSTONE_JUDGE_MODEL: 'm', TOUCHSTONE_JUDGE_BASE_URL: `ftp://${SECRET}` },
      'TOUCHSTONE_JUDGE_BASE_URL must be an address that begins with http:// or https://.',
    ],
  ])('%j', (variables, sentence) => {
    expect(() => read(variables)).toThrow(new StartupError(sentence));
  });
});

describe('headers, query and body of a judge', () => {
  const fileOf = (more: object) => ({ judges: { azure: { ...judge, ...more } } });

  it('are read, and headers from variables too', () => {
    const query = { 'api-version': '2024-10-21' };
    const body = { reasoning_effort: 'low' };
    const given = { headers: { 'x-team': 'a' }, headersEnv: { 'api-key': 'AZURE_KEY' }, query, body };
    const { judges } = readFile(fileOf(given), { AZURE_KEY: SECRET });
    expect(judges[0]).toMatchObject({ headers: { 'x-team': 'a', 'api-key': SECRET }, query, body });
  });

  it.each([
    [{ headers: { Host: 'a' } }, 'is a header that the service sets itself'],
    [{ headers: { 'a b': 'a' } }, 'must be the name of a header'],
    [{ headers: { a: 'a\nb' } }, 'must be visible ASCII characters'],
    [{ headersEnv: { a: 'NOT_SET' } }, 'judges.azure.headersEnv.a names a variable that is not set'],
    [{ query: { key: 'a' } }, 'must not name a secret'],
    [{ query: { 'api-key': 'a' } }, 'must not name a secret'],
    [{ query: { access_token: 'a' } }, 'must not name a secret'],
    [{ body: { messages: [] } }, 'is a field that the service sets itself'],
  ])('are rejected: %j', (more, problem) => {
    expect(() => readFile(fileOf(more))).toThrow(problem);
  });
});
