import { inflateRawSync } from 'node:zlib';
import { Parser } from 'htmlparser2';
import { readSheet } from 'read-excel-file/universal';
import { DocumentFault, type DocumentRows } from './document-fault.ts';
import { isTooLarge } from './exact-numbers.ts';
import { MAX_IMPORT_ROWS } from './input-limits.ts';

/** Most bytes of all parts of the file without their compression, and most parts. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_PARTS = 1_000;
const MAX_COLUMNS = 200;

/**
 * Reads the first sheet of an Excel file (`.xlsx`) that is not hidden: a header, then a row for each example. The line is the number
 * of the row in the sheet. Numbers become texts, as they are in CSV; formulas are what Excel calculated last.
 */
export async function sheetRows(bytes: Uint8Array): Promise<DocumentRows> {
  const sheets = sheetsIn(partIn(bytes, 'xl/workbook.xml'));
  const shown = Math.max(
    0,
    sheets.findIndex(({ isHidden }) => !isHidden),
  );
  const data = await readSheet(new Uint8Array(bytes).buffer, shown + 1, {
    trim: false,
    parseNumber: numberText,
  } as never);
  const cells = (data as unknown[][]).map((row) => row.map(cellText));
  const first = cells.findIndex((row) => row.some((cell) => cell !== ''));
  if (first === -1) throw new DocumentFault('must have a header row in its first sheet that is not hidden');
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
    lost: sheets
      .filter((_sheet, index) => index !== shown)
      .slice(0, MAX_NAMED)
      .map(({ name }) => `file: the sheet ${name.slice(0, 100)}`),
  };
}

/** Most sheets that are named as not read. */
const MAX_NAMED = 20;

interface Sheet {
  name: string;
  isHidden: boolean;
}

/** Returns the sheets that a workbook lists, in the order of their tabs. */
function sheetsIn(workbook: string): Sheet[] {
  const sheets: Sheet[] = [];
  const parser = new Parser(
    {
      onopentag: (tag, { name = '', state = 'visible' }) => {
        if (tag.replace(/^\w+:/, '') === 'sheet') sheets.push({ name, isHidden: state !== 'visible' });
      },
    },
    { xmlMode: true },
  );
  parser.end(workbook);
  return sheets;
}

/** Returns a number as Excel shows it: 15 digits, except whole numbers, which are complete. */
function numberText(text: string): string {
  const value = Number(text);
  return /^-?\d+$/.test(text) || isTooLarge(value) ? text : String(Number(value.toPrecision(15)));
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return timeText(cell);
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  return typeof cell === 'string' ? cell : JSON.stringify(cell);
}

/** Returns a date, a time, or both. A sheet has no time zone, so none is added; a time without a date is on the day 0 of Excel. */
function timeText(time: Date): string {
  const text = time.toISOString().replace(/(?:\.000)?Z$/, '');
  return time.getTime() < FIRST_DAY_MS ? text.slice(text.indexOf('T') + 1) : text.replace(/T00:00:00$/, '');
}

/** Day 1 of Excel. */
const FIRST_DAY_MS = Date.UTC(1899, 11, 31);

const END_OF_DIRECTORY = 0x06054b50;
const ENTRY = 0x02014b50;

/**
 * Returns a part of a zip file as text; empty if it has none. Throws DocumentFault for a file whose parts are larger than the limit;
 * reading allocates what they declare, and no more.
 */
function partIn(given: Uint8Array, name: string): string {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.length);
  let end = bytes.length - 22;
  while (end >= 0 && bytes.length - end < 65_557 && bytes.readUInt32LE(end) !== END_OF_DIRECTORY) end -= 1;
  if (end < 0 || bytes.readUInt32LE(end) !== END_OF_DIRECTORY)
    throw new DocumentFault('must be a valid .xlsx file');
  const count = bytes.readUInt16LE(end + 10);
  if (count > MAX_PARTS) throw new DocumentFault(`must have at most ${MAX_PARTS} parts`);
  let [at, sum, part] = [bytes.readUInt32LE(end + 16), 0, ''];
  for (let entry = 0; entry < count; entry += 1) {
    if (bytes.readUInt32LE(at) !== ENTRY) throw new DocumentFault('must be a valid .xlsx file');
    sum += bytes.readUInt32LE(at + 24);
    if (sum > MAX_BYTES) throw new DocumentFault('must have at most 64 MiB without its compression; use CSV');
    const nameLength = bytes.readUInt16LE(at + 28);
    if (bytes.toString('utf8', at + 46, at + 46 + nameLength) === name) part = contentAt(bytes, at);
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return part;
}

/** Returns the text of the part that an entry of the directory describes. */
function contentAt(bytes: Buffer, entry: number): string {
  const [size, declared, start] = [20, 24, 42].map((offset) => bytes.readUInt32LE(entry + offset)) as [
    number,
    number,
    number,
  ];
  const from = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28);
  const content = bytes.subarray(from, from + size);
  const isStored = bytes.readUInt16LE(entry + 10) === 0;
  return (isStored ? content : inflateRawSync(content, { maxOutputLength: declared + 1 })).toString('utf8');
}
