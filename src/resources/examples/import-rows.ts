import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { invalid } from '../../contract/errors.ts';
import type { UploadedFile } from '../../contract/upload.ts';
import type { AppError } from '../../errors.ts';
import { readCsvRows } from '../documents/csv-rows.ts';
import { withoutGuard } from '../exports/csv-line.ts';
import { type DocumentRows, parquetRows, withDefaultTests, yamlRows } from './document-rows.ts';
import { type JsonPart, MAX_ROW_MEMBERS, membersIn, splitJson } from './json-rows.ts';
import { isObject } from '../../contract/is-object.ts';

const MIB = 1024 * 1024;
const MAX_LINE_CHARACTERS = MIB;
const MAX_JSON_BYTES = 8 * MIB;
/** Most columns of a row. */
const MAX_COLUMNS = 200;
/** Bytes of rows after which other work of the thread has its turn. */
const BYTES_A_TURN = 64 * 1024;
const ROWS_A_TURN = 100;
const TOO_MANY_MEMBERS = `has more than ${MAX_ROW_MEMBERS} members`;

export const EXAMPLE_EXTENSIONS = [
  '.csv',
  '.tsv',
  '.jsonl',
  '.ndjson',
  '.json',
  '.yaml',
  '.yml',
  '.parquet',
] as const;

/** Media types of a body that is the file, with the ending of its name. */
export const FILE_TYPES: Readonly<Record<string, (typeof EXAMPLE_EXTENSIONS)[number]>> = {
  'text/csv': '.csv',
  'text/tab-separated-values': '.tsv',
  'application/jsonl': '.jsonl',
  'application/x-ndjson': '.ndjson',
  'application/json': '.json',
  'application/yaml': '.yaml',
  'application/vnd.apache.parquet': '.parquet',
};

/** A row by the names of its columns, or its fault. */
export type ExampleRow =
  | { line: number; row: Readonly<Record<string, unknown>> }
  | { line: number; error: string };

/**
 * Reads the rows of a file by the ending of its name; the caller stops after `maxRows` (default: no limit) and one more. Throws AppError
 * `invalid` for an unusable file.
 */
export function readRows(file: UploadedFile, maxRows = Number.POSITIVE_INFINITY): AsyncIterable<ExampleRow> {
  const name = file.name.toLowerCase();
  if (name.endsWith('.json')) return jsonRows(file, maxRows);
  if (name.endsWith('.yaml') || name.endsWith('.yml')) return documentRows(yamlRows(file));
  if (name.endsWith('.parquet')) return documentRows(parquetRows(file));
  return name.endsWith('.jsonl') || name.endsWith('.ndjson') ? lineRows(file) : csvRows(file);
}

/** Reads a file that is parsed at once. The line is the number of the row. */
async function* documentRows(read: Promise<DocumentRows>): AsyncGenerator<ExampleRow> {
  const found = await read;
  if ('fault' in found) throw unusable(found.fault);
  for (const [index, row] of found.rows.entries()) {
    const text = JSON.stringify(row) ?? 'null';
    const line = index + 1;
    yield membersIn(text) > MAX_ROW_MEMBERS ? { line, error: TOO_MANY_MEMBERS } : rowOf(line, text);
    if (index % ROWS_A_TURN === ROWS_A_TURN - 1) await setImmediate();
  }
}

/** Reads CSV. An apostrophe that an export put in front of a formula is removed. */
async function* csvRows({ stream }: UploadedFile): AsyncGenerator<ExampleRow> {
  for await (const entry of readCsvRows(stream)) {
    if ('error' in entry) yield entry;
    else {
      const cells = Object.entries(entry.row).map(([column, text]) => [column, withoutGuard(text)]);
      yield { ...entry, row: Object.fromEntries(cells) as Record<string, string> };
    }
  }
}

/** Reads JSONL: one object per line. */
async function* lineRows({ stream }: UploadedFile): AsyncGenerator<ExampleRow> {
  let line = 0;
  for await (const text of linesOf(stream)) {
    line += 1;
    if (text === null) yield { line, error: `has more than ${MAX_LINE_CHARACTERS} characters` };
    else if (text.trim() !== '')
      yield membersIn(text) > MAX_ROW_MEMBERS ? { line, error: TOO_MANY_MEMBERS } : rowOf(line, text);
  }
}

function rowOf(line: number, text: string): ExampleRow {
  try {
    const value = exactJson(text);
    if (!isObject(value)) return { line, error: 'is not a JSON object' };
    const columns = Object.keys(value).length;
    return columns > MAX_COLUMNS
      ? { line, error: `has ${columns} columns, more than ${MAX_COLUMNS}` }
      : { line, row: value };
  } catch {
    return { line, error: 'is not valid JSON' };
  }
}

const LONG_NUMBER = /\d{16}/;

/** Parses JSON in which whole numbers that a number would round, such as long ids, become texts. */
function exactJson(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  return JSON.parse(text, exactNumber as (key: string, value: unknown) => unknown);
}

const exactNumber = (_key: string, value: unknown, { source }: { source?: string }): unknown =>
  typeof value === 'number' && source !== undefined && /^-?\d+$/.test(source) && !Number.isSafeInteger(value)
    ? source
    : value;

/** Yields the lines of a text in UTF-8; null for one that is too long. */
async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string | null> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let [rest, isTooLong] = ['', false];
  try {
    for await (const piece of stream) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const one of lines) {
        yield isTooLong || one.length > MAX_LINE_CHARACTERS ? null : one;
        isTooLong = false;
      }
      if (rest.length > MAX_LINE_CHARACTERS) [rest, isTooLong] = ['', true];
    }
    rest += decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw unusable('must be text in UTF-8');
    throw error;
  }
  if (isTooLong || rest !== '') yield isTooLong ? null : rest;
}

/** Lists in the JSON files of other tools: `tests` of promptfoo; `items` and `data` of Langfuse; `examples`. */
const LISTS = ['tests', 'items', 'data', 'examples'] as const;

/**
 * Reads a JSON array of objects, or such an array in one of LISTS. The line is the number of the entry. Rows are parsed
 * one by one, so that a large file occupies the thread only briefly.
 */
async function* jsonRows({ size, stream }: UploadedFile, maxRows: number): AsyncGenerator<ExampleRow> {
  if (size > MAX_JSON_BYTES)
    throw unusable(`must have at most ${MAX_JSON_BYTES / MIB} MiB as JSON; use JSONL`);
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  if (!isUtf8(bytes)) throw notJson();
  const split = await splitJson(bytes, maxRows);
  if (split === null) throw notJson();
  if (split.frameMembers > MAX_ROW_MEMBERS)
    throw unusable(`must have at most ${MAX_ROW_MEMBERS} members besides those of its rows`);
  let sinceTurn = 0;
  const frame = parsed(split.frame);
  const defaults = isObject(frame) ? frame['defaultTest'] : undefined;
  for (const [index, entry] of entriesOf(frame, split.isCut ? maxRows : null).entries()) {
    const line = index + 1;
    const part = Array.isArray(entry) ? split.parts[entry[0] as number] : undefined;
    if (part === undefined) yield { line, error: 'is not a JSON object' };
    else yield withDefaultsOf(partRow(line, bytes, part), defaults);
    sinceTurn += part === undefined ? 1 : part.end - part.start;
    if (sinceTurn < BYTES_A_TURN) continue;
    await setImmediate();
    sinceTurn = 0;
  }
}

function withDefaultsOf(entry: ExampleRow, defaults: unknown): ExampleRow {
  if ('error' in entry || defaults === undefined) return entry;
  const [row] = withDefaultTests([entry.row], defaults) as [Readonly<Record<string, unknown>>];
  return { ...entry, row };
}

function partRow(line: number, bytes: Buffer, { start, end, members }: JsonPart): ExampleRow {
  if (members > MAX_ROW_MEMBERS) return { line, error: TOO_MANY_MEMBERS };
  return rowOf(line, bytes.toString('utf8', start, end));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw notJson();
  }
}

/** `cutAfter` is the number of objects and arrays after which the file was not read; null if it was read to its end. */
function entriesOf(value: unknown, cutAfter: number | null): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const lists = isObject(value) ? LISTS.map((name) => value[name]) : [];
  const list = lists.find((one) => Array.isArray(one));
  if (!list && cutAfter !== null)
    throw unusable(`must have at most ${cutAfter} objects and arrays besides its rows`);
  if (!list) throw unusable(`must be a JSON array of objects, or have one as ${LISTS.join(', ')}`);
  return list as readonly unknown[];
}

export const unusable = (message: string): AppError => invalid([{ code: 'custom', message, path: ['file'] }]);
const notJson = (): AppError => unusable('must be valid JSON in UTF-8');
