import { CsvError, parse } from 'csv-parse';
import { invalid } from '../../contract/errors.ts';
import type { AppError } from '../../errors.ts';

const MIB = 1024 * 1024;
const MAX_CELL_BYTES = MIB;
const MAX_ROW_BYTES = 8 * MIB;
const MAX_HEADER_BYTES = 64 * 1024;
const MAX_COLUMNS = 200;
const DELIMITERS = [',', ';', '\t'] as const;

/** A row by the names of its columns, or its fault. `line` is its first line; the header is on line 1. */
export type CsvRow = { line: number; row: Record<string, string> } | { line: number; error: string };

/**
 * Reads CSV in UTF-8 piece by piece. The delimiter is comma, semicolon or tab, whichever is most frequent in the
 * header, unless a first line such as `sep=;` names it. Quotes follow RFC 4180, and a misplaced quote is text. Accepts any line
 * ends; skips blank lines, rows of empty cells and columns without a name. Throws AppError `invalid` for `file` without a usable header.
 */
export async function* readCsvRows(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow> {
  const source = bytes[Symbol.asyncIterator]();
  const complete = await readHead(source);
  // The first line by which Excel names the delimiter.
  const named = /^sep=([^\r\n])(?:\r\n|\n|\r)/i.exec(complete.toString('latin1'));
  const head = complete.subarray(named?.[0].length ?? 0);
  const records = recordsOf(withHead(head, source), named?.[1] ?? delimiterOf(head.toString('latin1')));
  let columns: string[] | null = null;
  let line = named ? 2 : 1;
  try {
    for await (const record of records) {
      const at = line;
      line += 1 + record.reduce((sum, cell) => sum + lineBreaksIn(cell), 0);
      if (record.every((cell) => cell.trim() === '')) continue;
      if (columns === null) columns = columnsOf(record);
      else yield rowOf(columns, record, at);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (columns === null) throw unusable('has a header row without an end');
    yield { line, error: BROKEN[error.code] ?? 'cannot be read, nor can the rows after it' };
  }
  if (columns === null) throw unusable('has no header row');
}

/**
 * Yields rows as arrays of cells. The cells are bytes in latin1 texts, so that each can be checked separately. Throws
 * CsvError.
 */
async function* recordsOf(pieces: AsyncIterable<Uint8Array>, delimiter: string): AsyncGenerator<string[]> {
  const found: string[][] = [];
  const parser = parse({
    encoding: 'latin1',
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: MAX_ROW_BYTES,
    // One cell beyond the limit takes the rest of the row.
    ignore_last_delimiters: MAX_COLUMNS + 2,
    // As a stream it would discard unread rows before a failure.
    on_record: (record: string[]) => void found.push(record),
  });
  parser.on('error', () => undefined).resume();
  const call = (run: (done: (error?: Error | null) => void) => void): Promise<Error | null> =>
    new Promise((resolve) => run((error) => resolve(error ?? null)));
  for await (const piece of pieces) {
    const failure = await call((done) => parser.write(piece, done));
    yield* found.splice(0);
    if (failure) throw failure;
  }
  const failure = await call((done) => parser.end(done));
  yield* found;
  if (failure) throw failure;
}

const BROKEN: Partial<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'has an unclosed quote',
  CSV_MAX_RECORD_SIZE: `is larger than ${MAX_ROW_BYTES / MIB} MiB, or has an unclosed quote; nothing after it was read`,
};

/**
 * Returns the beginning of the file without a byte order mark, including the complete header unless that is too long.
 */
async function readHead(source: AsyncIterator<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let head = Buffer.alloc(0);
  while (head.length < MAX_HEADER_BYTES && !headerOf(head.toString('latin1')).isWhole) {
    const next = await source.next();
    if (next.done === true) break;
    pieces.push(next.value);
    head = Buffer.concat(pieces);
  }
  return head.subarray(0, 3).equals(BOM) ? head.subarray(3) : head;
}
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

async function* withHead(head: Buffer, source: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head;
  yield* { [Symbol.asyncIterator]: () => source };
}

/** Counts each delimiter outside quotes in the first row. */
function headerOf(text: string): { counts: Map<string, number>; isWhole: boolean } {
  const counts = new Map<string, number>();
  const start = /[^\r\n]/.exec(text)?.index ?? text.length;
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '\n' || character === '\r') return { counts, isWhole: true };
    else counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  return { counts, isWhole: false };
}

function delimiterOf(head: string): string {
  const { counts } = headerOf(head);
  const count = (delimiter: string): number => counts.get(delimiter) ?? 0;
  return DELIMITERS.reduce((best, next) => (count(next) > count(best) ? next : best));
}

function columnsOf(record: readonly string[]): string[] {
  if (record.length > MAX_COLUMNS) throw unusable(`has more than ${MAX_COLUMNS} columns`);
  const columns = record.map((cell) => {
    const text = textOf(cell);
    if (text === null) throw unusable('is not text in UTF-8');
    return text.trim();
  });
  const names = columns.filter((name) => name !== '');
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw unusable(`has two columns named ${JSON.stringify(twice.slice(0, 100))}`);
  return columns;
}

function rowOf(columns: readonly string[], record: readonly string[], line: number): CsvRow {
  if (record.length !== columns.length) {
    const found = record.length > MAX_COLUMNS ? `more than ${MAX_COLUMNS}` : record.length;
    return { line, error: `has ${found} cells where the header has ${columns.length}` };
  }
  const cells: [string, string][] = [];
  for (const [index, cell] of record.entries()) {
    const name = columns[index] ?? '';
    if (cell.length > MAX_CELL_BYTES)
      return { line, error: `has more than ${MAX_CELL_BYTES / MIB} MiB in column ${index + 1}` };
    const text = textOf(cell);
    if (text === null) return { line, error: `is not text in UTF-8 in column ${index + 1}` };
    if (name !== '') cells.push([name, text]);
  }
  return { line, row: Object.fromEntries(cells) };
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes a cell; null when its bytes are not UTF-8. */
function textOf(cell: string): string | null {
  if (cell.includes('\0')) return null;
  try {
    return decoder.decode(Buffer.from(cell, 'latin1'));
  } catch {
    return null;
  }
}

const lineBreaksIn = (cell: string): number => cell.match(/\r\n|\n|\r/g)?.length ?? 0;

const unusable = (message: string): AppError =>
  invalid([{ code: 'custom', message: `the file ${message}`, path: ['file'] }]);
