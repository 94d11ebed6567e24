import { isObject } from '../../contract/is-object.ts';

/** Adds what a configuration of promptfoo has for all of its tests: variables, assertions, metadata and the threshold. */
export function withDefaultTests(rows: readonly unknown[], defaults: unknown): readonly unknown[] {
  if (!isObject(defaults)) return rows;
  return rows.map((row) => (isObject(row) ? withDefaultTest(row, defaults) : row));
}

function withDefaultTest(
  row: Record<string, unknown>,
  defaults: Record<string, unknown>,
): Record<string, unknown> {
  const isAlone = isObject(row['options']) && row['options']['disableDefaultAsserts'] === true;
  const assertions: unknown[] = [isAlone ? [] : (defaults['assert'] ?? []), row['assert'] ?? []].flat();
  const merged = (name: string): object =>
    isObject(defaults[name]) ? { [name]: { ...defaults[name], ...(row[name] as object | undefined) } } : {};
  return {
    ...(defaults['threshold'] !== undefined && { threshold: defaults['threshold'] }),
    ...(defaults['description'] !== undefined && { description: defaults['description'] }),
    ...row,
    ...merged('vars'),
    ...merged('metadata'),
    ...(assertions.length > 0 && { assert: assertions }),
  };
}
