import { isObject } from '../contract/is-object.ts';
import { StartupError } from '../errors.ts';
import { MAX_NAME } from '../traces/prices/model-names.ts';
import type { ModelPrice, PriceTable } from '../traces/prices/model-price.ts';
import { readJsonFile } from './read-json-file.ts';

const MAX_BYTES = 2 ** 20;
const MAX_MODELS = 10_000;
const MAX_PRICE = 1_000_000;
const FIELDS: readonly string[] = [
  'input',
  'output',
  'cacheRead',
  'cacheWrite',
  'audioInput',
  'audioOutput',
  'audioCacheRead',
] satisfies (keyof ModelPrice)[];

/**
 * Reads the prices in a file `{ "<model>": { "input": 2.5, "output": 10, "cacheRead"?: 1.25, "cacheWrite"?: 0, "audioInput"?: 32, … }, …
 * }`, in US dollars per million tokens. Throws StartupError when the file cannot be read or is invalid.
 */
export function readPricesFile(path: string): PriceTable {
  const table = readJsonFile(path, MAX_BYTES, (problem) => wrong(path, problem));
  if (!isObject(table)) return wrong(path, 'does not contain a JSON object');
  const models = Object.entries(table);
  if (models.length > MAX_MODELS)
    wrong(path, `has ${models.length} models; at most ${MAX_MODELS} are allowed`);
  return Object.fromEntries(models.map(([name, price]) => [name, checkPrice(path, name, price)]));
}

function checkPrice(path: string, model: string, value: unknown): ModelPrice {
  const label = JSON.stringify(model.length > 80 ? `${model.slice(0, 80)}…` : model);
  if (model.trim() === '' || model.length > MAX_NAME) {
    wrong(path, `contains a model ${label}, whose name must have 1 to ${MAX_NAME} characters`);
  }
  if (!isObject(value)) return wrong(path, `has no object with prices for ${label}`);
  const price: Readonly<Record<string, unknown>> = value;
  const unknown = Object.keys(price).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined) {
    wrong(
      path,
      `has an unknown field ${JSON.stringify(unknown.slice(0, 80))} in ${label}; known fields are ${FIELDS.join(', ')}`,
    );
  }
  for (const field of FIELDS) {
    const amount = price[field];
    if (amount === undefined && field !== 'input' && field !== 'output') continue;
    if (typeof amount !== 'number' || amount < 0 || amount > MAX_PRICE) {
      wrong(path, `must give ${label} a price ${field} that is a number from 0 to ${MAX_PRICE}`);
    }
  }
  return price as unknown as ModelPrice;
}

function wrong(path: string, problem: string): never {
  throw new StartupError(`The prices file ${path} ${problem}.`);
}
