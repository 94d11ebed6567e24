import { StartupError } from '../errors.ts';
import { checkPrices, type WrongPrice } from '../traces/prices/check-prices.ts';
import type { PriceTable } from '../traces/prices/model-price.ts';
import { readJsonFile } from './read-json-file.ts';

const MAX_BYTES = 2 ** 20;

/**
 * Reads the prices in a file `{ "<model>": { "input": 2.5, "output": 10, "cacheRead"?: 1.25, … }, … }`, in US dollars per million
 * tokens. A model may have a list of them, each from another day on. Throws StartupError when the file cannot be read or is
 * invalid.
 */
export function readPricesFile(path: string): PriceTable {
  const wrong: WrongPrice = (problem) => {
    throw new StartupError(`The prices file ${path} ${problem}.`);
  };
  return checkPrices(readJsonFile(path, MAX_BYTES, wrong), wrong);
}
