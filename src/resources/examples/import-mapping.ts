import {
  type GivenMapping,
  type ImportField,
  type ImportMapping,
  IMPORT_FIELDS,
  type ImportSource,
} from './import-contract.ts';
import type { Recognised } from './import-formats.ts';
import { foldedName, NAMES } from './import-names.ts';
import { columnsTaken } from './import-value.ts';

/**
 * Completes the mapping: by the format of the rows, else by guessing columns of fields that it does not name; a guessed column has
 * one field at most.
 */
export function guessMapping(
  columns: readonly string[],
  given: GivenMapping,
  recognised: Recognised | null = null,
): ImportMapping {
  const chosen = Object.entries(given).filter(
    (pair): pair is [ImportField, string | string[]] => pair[1] !== null,
  );
  const mapping: ImportMapping = Object.fromEntries(chosen);
  if (recognised) {
    for (const [field, source] of Object.entries(recognised.sources) as [
      ImportField,
      ImportSource | undefined,
    ][])
      if (given[field] === undefined && source !== undefined && source.length > 0) mapping[field] = source;
    return mapping;
  }
  const taken = new Set(Object.values(mapping).flatMap((source) => columnsTaken(columns, source)));
  for (const field of IMPORT_FIELDS) {
    if (given[field] !== undefined) continue;
    const free = columns.filter((column) => !taken.has(column));
    const [column] = NAMES[field].flatMap((name) => free.find((one) => foldedName(one) === name) ?? []);
    if (column === undefined) continue;
    mapping[field] = column;
    taken.add(column);
  }
  return mapping;
}
