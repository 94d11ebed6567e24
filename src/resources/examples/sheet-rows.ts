import { readSheet } from 'read-excel-file/universal';
import { DocumentFault, type DocumentRows } from './document-fault.ts';
import { isTooLarge } from './exact-numbers.ts';
import { MAX_IMPORT_ROWS } from './input-limits.ts';

/** Most bytes of all parts of the file without their compression, and most parts. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_PARTS = 1_000;
const MAX_COLUMNS = 200;

/**
 * Reads the first sheet of an Excel file (`.xlsx`): a header, then a row for each example. The line is the number of the row in the
 * sheet. Numbers become texts, as they are in CSV; formulas are what Excel calculated last.
 */
export async function sheetRows(bytes: Uint8Array): Promise<DocumentRows> {
  checkSizes(bytes);
  const data = await readSheet(new Uint8Array(bytes).buffer, 1, {
    trim: false,
    parseNumber: numberText,
  } as never);
  const cells = (data as unknown[][]).map((row) => row.map(cellText));
  const first = cells.findIndex((row) => row.some((cell) => cell !== ''));
  if (first === -1) throw new DocumentFault('must have a header row in its first sheet');
  const columns = (cells[first] ?? []).map((cell) => cell.trim());
  if (columns.length > MAX_COLUMNS) throw new DocumentFault(`must have at most ${MAX_COLUMNS} columns`);
  const names = columns.filter((name) => name !== '');
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined)
    throw new DocumentFault(
      `must have columns with different names; got ${JSON.stringify(twice.slice(0, 100))} twice`,
    );
  const rows = cells
    .map((row, index): [number, string[]] => [index + 1, row])
    .slice(first + 1)
    .filter(([, row]) => row.some((cell) => cell !== ''))
    .slice(0, MAX_IMPORT_ROWS + 1);
  return {
    rows: rows.map(([line, row]) => [
      line,
      Object.fromEntries(columns.flatMap((name, index) => (name === '' ? [] : [[name, row[index] ?? '']]))),
    ]),
  };
}

/** Returns a number as Excel shows it: 15 digits, except whole numbers, which are complete. */
function numberText(text: string): string {
  const value = Number(text);
  return /^-?\d+$/.test(text) || isTooLarge(value) ? text : String(Number(value.toPrecision(15)));
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return cell.toISOString().replace(/T00:00:00\.000Z$/, '');
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  return typeof cell === 'string' ? cell : JSON.stringify(cell);
}

const END_OF_DIRECTORY = 0x06054b50;
const ENTRY = 0x02014b50;

/** Throws DocumentFault for a zip file whose parts are larger than the limit; reading allocates what they declare, and no more. */
function checkSizes(given: Uint8Array): void {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.length);
  let end = bytes.length - 22;
  while (end >= 0 && bytes.length - end < 65_557 && bytes.readUInt32LE(end) !== END_OF_DIRECTORY) end -= 1;
  if (end < 0 || bytes.readUInt32LE(end) !== END_OF_DIRECTORY)
    throw new DocumentFault('must be a valid .xlsx file');
  const count = bytes.readUInt16LE(end + 10);
  if (count > MAX_PARTS) throw new DocumentFault(`must have at most ${MAX_PARTS} parts`);
  let [at, sum] = [bytes.readUInt32LE(end + 16), 0];
  for (let entry = 0; entry < count; entry += 1) {
    if (bytes.readUInt32LE(at) !== ENTRY) throw new DocumentFault('must be a valid .xlsx file');
    sum += bytes.readUInt32LE(at + 24);
    if (sum > MAX_BYTES) throw new DocumentFault('must have at most 64 MiB without its compression; use CSV');
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
}
