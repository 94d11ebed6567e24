import { isObject } from '../../contract/is-object.ts';

/** Most tests that one of promptfoo stands for. */
export const MAX_COMBINATIONS = 1_000;

/**
 * Returns a test for each combination of the texts in its variables, as promptfoo runs it; a list that does not begin with a text is
 * one value. Returns the number of combinations if there are too many.
 */
export function combinationsOf(
  row: Readonly<Record<string, unknown>>,
): readonly Readonly<Record<string, unknown>>[] | number {
  const { vars } = row;
  if (!isObject(vars) || Object.hasOwn(row, 'input') || optionOf(row, 'disableVarExpansion')) return [row];
  const lists = Object.entries(vars).filter((entry): entry is [string, unknown[]] => isListOfTexts(entry[1]));
  const count = lists.reduce((product, [, list]) => product * list.length, 1);
  if (lists.length === 0) return [row];
  if (count > MAX_COMBINATIONS) return count;
  let combinations: Record<string, unknown>[] = [vars];
  for (const [name, list] of lists)
    combinations = combinations.flatMap((one) => list.map((value) => ({ ...one, [name]: value })));
  return combinations.map((one) => ({ ...row, vars: one }));
}

const isListOfTexts = (value: unknown): boolean => Array.isArray(value) && typeof value[0] === 'string';

const optionOf = ({ options }: Readonly<Record<string, unknown>>, name: string): boolean =>
  isObject(options) && options[name] === true;

/** Adds what a configuration of promptfoo has for all of its tests: variables, assertions, metadata and the threshold. */
export function withDefaultTests(rows: readonly unknown[], defaults: unknown): readonly unknown[] {
  if (!isObject(defaults)) return rows;
  return rows.map((row) => (isObject(row) ? withDefaultTest(row, defaults) : row));
}

function withDefaultTest(
  row: Record<string, unknown>,
  defaults: Record<string, unknown>,
): Record<string, unknown> {
  const isAlone = optionOf(row, 'disableDefaultAsserts');
  const assertions: unknown[] = [isAlone ? [] : (defaults['assert'] ?? []), row['assert'] ?? []].flat();
  const merged = (name: string): object =>
    isObject(defaults[name]) ? { [name]: { ...defaults[name], ...(row[name] as object | undefined) } } : {};
  return {
    ...(defaults['threshold'] !== undefined && { threshold: defaults['threshold'] }),
    ...(defaults['description'] !== undefined && { description: defaults['description'] }),
    ...row,
    ...merged('vars'),
    ...merged('metadata'),
    ...merged('options'),
    ...(assertions.length > 0 && { assert: assertions }),
  };
}
