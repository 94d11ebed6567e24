import { sha256Hex } from '../../runtime/sha256.ts';
import type { UsableRow } from './import-example.ts';

/** Keys of the rows so far. A row must not replace another one of its file, which only the report would tell. */
export class RepeatedKeys {
  private readonly known = new Map<string, { line: number; digest: string }>();

  /** Returns the earlier row with the same key, and whether all of its values are the same; null if there is none. */
  find({ line, fields }: UsableRow): { line: number; isSame: boolean } | null {
    const digest = sha256Hex(JSON.stringify(fields)).slice(0, 16);
    const before = this.known.get(fields.key);
    if (before === undefined) this.known.set(fields.key, { line, digest });
    return before === undefined ? null : { line: before.line, isSame: before.digest === digest };
  }
}

/** Returns the fault of a row that has the key or the input of an earlier one, and other values. */
export function repeatedFault({ given }: UsableRow, line: number): string {
  const what = given.includes('key') ? 'key' : 'input';
  return `${what}: is that of line ${line} too, with other values`;
}
