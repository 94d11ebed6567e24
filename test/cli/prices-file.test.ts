import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readPricesFile } from '../../src/cli/prices-file.ts';
import { StartupError } from '../../src/errors.ts';
import { createPriceList } from '../../src/traces/prices/price-list.ts';
import { type Folder, temporaryFolder } from '../support/storage.ts';

let folder: Folder;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = folder.file('prices.json');
});
afterEach(() => folder[Symbol.dispose]());

const models = (count: number): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}`, { input: 1, output: 1 }]));

describe('a file of prices', () => {
  it('is read', () => {
    const prices = {
      'gpt-4o': { input: 2.5, output: 10, cacheRead: 1.25, cacheWrite: 0 },
      'acme/chat': { input: 0, output: 1_000_000 },
      'acme/dated': [
        { input: 1, output: 2 },
        {
          from: '2026-09-01',
          input: 3,
          output: 4,
          cacheWriteHour: 5,
          long: [{ above: 1000, input: 6, output: 8 }],
          tiers: { flex: 0.5, priority: { input: 9, output: 9 } },
        },
      ],
    };
    writeFileSync(path, JSON.stringify(prices));

    expect(readPricesFile(path)).toEqual(prices);
    expect(createPriceList({ file: readPricesFile(path) }).find('gpt-4o-2024-08-06')?.price).toEqual(
      prices['gpt-4o'],
    );
  });

  it('can be passed to a worker, whatever its names are', () => {
    writeFileSync(path, '{ "__proto__": { "input": 1, "output": 2 } }');

    const table = structuredClone(readPricesFile(path));
    expect(Object.entries(table)).toEqual([['__proto__', { input: 1, output: 2 }]]);
    expect(createPriceList({ file: table }).find('__proto__')?.price).toEqual({ input: 1, output: 2 });
  });

  it('may be empty, and may have ten thousand models', () => {
    writeFileSync(path, '{}');
    expect(readPricesFile(path)).toEqual({});
    writeFileSync(path, JSON.stringify(models(10_000)));
    expect(Object.keys(readPricesFile(path))).toHaveLength(10_000);
  });

  const long = 'x'.repeat(257);
  it.each<[text: string, problem: string]>([
    ['', 'is not JSON'],
    ['sk_secret', 'is not JSON'],
    ['{ "a": { "input": 1, "output": 1 }, }', 'is not JSON'],
    ['[]', 'does not contain a JSON object'],
    ['null', 'does not contain a JSON object'],
    ['"gpt-4o"', 'does not contain a JSON object'],
    [JSON.stringify(models(10_001)), 'has 10001 models; at most 10000 are allowed'],
    [' '.repeat(2 ** 20 + 1), 'is larger than 1048576 bytes'],
    ['{ "a": 1 }', 'has no object with prices for "a"'],
    ['{ "a": null }', 'has no object with prices for "a"'],
    ['{ "a": [1, 2] }', 'has no object with prices for "a"'],
    ['{ "a": [] }', 'must give "a" 1 to 50 periods'],
    [
      '{ "a": [{ "input": 1, "output": 1 }, { "input": 2, "output": 2 }] }',
      'has two prices of "a" from the same day',
    ],
    [
      '{ "a": { "input": 1, "output": 1 }, "A": { "input": 2, "output": 2 } }',
      'has prices for both "a" and "A", which are the same model',
    ],
    [
      '{ "a": { "input": 1, "output": 1, "long": [{ "above": 9, "input": 2, "output": 2 }, { "above": 9, "input": 3, "output": 3 }] } }',
      'has two prices of "a" above the same threshold',
    ],
    [
      '{ "a": { "input": 1, "output": 1, "from": "2026-02-30" } }',
      'must give "a" a day from as YYYY-MM-DD; got "2026-02-30"',
    ],
    [
      '{ "a": { "input": 1, "output": 1, "long": { "input": 2, "output": 2 } } }',
      'must give "a" a threshold above that is a number of tokens from 1 to 1000000000',
    ],
    [
      '{ "a": { "input": 1, "output": 1, "tiers": { "flex": { "input": 1 } } } }',
      'must give "a" flex a price output that is a number from 0 to 1000000',
    ],
    [
      '{ "a": { "input": 1, "output": 1, "tiers": { "flex": -1 } } }',
      'must give "a" a factor flex that is from 0 to 100',
    ],
    [
      '{ " ": { "input": 1, "output": 1 } }',
      'contains a model " ", whose name must have 1 to 256 characters',
    ],
    [
      JSON.stringify({ [long]: { input: 1, output: 1 } }),
      `contains a model "${long.slice(0, 80)}…", whose name must have 1 to 256 characters`,
    ],
    [
      '{ "a": { "input": 1, "output": 1, "cache_read": 1 } }',
      'has an unknown field "cache_read" in "a"; known fields are input, output, cacheRead, cacheWrite, cacheWriteHour, audioInput, audioOutput, audioCacheRead, long, tiers, from',
    ],
    [
      '{ "a": { "input": 1, "output": 1, "__proto__": { "cacheRead": -1 } } }',
      'has an unknown field "__proto__" in "a"; known fields are input, output, cacheRead, cacheWrite, cacheWriteHour, audioInput, audioOutput, audioCacheRead, long, tiers, from',
    ],
    ['{ "a": { "output": 1 } }', 'must give "a" a price input that is a number from 0 to 1000000'],
    ['{ "a": { "input": 1 } }', 'must give "a" a price output that is a number from 0 to 1000000'],
    [
      '{ "a": { "input": -1, "output": 1 } }',
      'must give "a" a price input that is a number from 0 to 1000000',
    ],
    [
      '{ "a": { "input": "1", "output": 1 } }',
      'must give "a" a price input that is a number from 0 to 1000000',
    ],
    [
      '{ "a": { "input": 1e999, "output": 1 } }',
      'must give "a" a price input that is a number from 0 to 1000000',
    ],
    [
      '{ "a": { "input": 1, "output": 1, "cacheRead": null } }',
      'must give "a" a price cacheRead that is a number from 0 to 1000000',
    ],
    [
      '{ "a": { "input": 1, "output": 1, "cacheWrite": -0.1 } }',
      'must give "a" a price cacheWrite that is a number from 0 to 1000000',
    ],
  ])('%# is rejected in one sentence', (text, problem) => {
    writeFileSync(path, text);
    expect(() => readPricesFile(path)).toThrow(new StartupError(`The prices file ${path} ${problem}.`));
  });

  it('must be there, and be a file', () => {
    expect(() => readPricesFile(path)).toThrow(new StartupError(`The prices file ${path} does not exist.`));
    mkdirSync(path);
    expect(() => readPricesFile(path)).toThrow(new StartupError(`The prices file ${path} is not a file.`));
    const inside = `${path}/x\0`;
    expect(() => readPricesFile(inside)).toThrow(StartupError);
  });
});
