import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { invalid } from '../../contract/errors.ts';
import type { UploadedFile } from '../../contract/upload.ts';
import type { AppError } from '../../errors.ts';
import { readCsvRows } from '../documents/csv-rows.ts';
import { withoutGuard } from '../exports/csv-line.ts';
import { absentTests, LISTS, lostMembers } from './configuration.ts';
import type { DocumentKind } from './document-rows.ts';
import { exactJson } from './exact-numbers.ts';
import { rowOfTable } from './import-formats.ts';
import { parseDocument } from './parsed-documents.ts';
import { combinationsOf, MAX_COMBINATIONS, withDefaultTests } from './promptfoo-defaults.ts';
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
  '.xlsx',
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
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': '.xlsx',
};

/** A row by the names of its columns, or its fault. */
export type ExampleRow =
  | { line: number; row: Readonly<Record<string, unknown>> }
  | { line: number; error: string };

interface ReadRows {
  /** Rows after which the caller stops, with one more. Default: no limit. */
  maxRows?: number;
  /** Receives the parts of the file that no row has. */
  onLost?: (parts: readonly string[]) => void;
}

/**
 * Reads the rows of a file by the ending of its name; a test of promptfoo is a row for each combination of its variables. Throws
 * AppError `invalid` for an unusable file.
 */
export const readRows = (
  file: UploadedFile,
  { maxRows = Number.POSITIVE_INFINITY, onLost = () => undefined }: ReadRows = {},
): AsyncIterable<ExampleRow> => withCombinations(rowsIn(file, { maxRows, onLost }));

function rowsIn(file: UploadedFile, { maxRows, onLost }: Required<ReadRows>): AsyncIterable<ExampleRow> {
  const name = file.name.toLowerCase();
  if (name.endsWith('.json')) return jsonRows(file, { maxRows, onLost });
  const kind = DOCUMENTS.find(([ending]) => name.endsWith(ending))?.[1];
  if (kind !== undefined) {
    const rows = documentRows(kind, file, onLost);
    return kind === 'yaml' ? rows : tableRows(rows);
  }
  return name.endsWith('.jsonl') || name.endsWith('.ndjson') ? lineRows(file) : tableRows(csvRows(file));
}

/** Reads the values that cells contain in the tables of some tools. */
async function* tableRows(rows: AsyncIterable<ExampleRow>): AsyncGenerator<ExampleRow> {
  for await (const entry of rows) yield 'row' in entry ? { ...entry, row: rowOfTable(entry.row) } : entry;
}

/** Replaces tests of promptfoo by their combinations; one with too many is a fault. */
async function* withCombinations(rows: AsyncIterable<ExampleRow>): AsyncGenerator<ExampleRow> {
  for await (const entry of rows) {
    const found = 'row' in entry ? combinationsOf(entry.row) : null;
    if (found === null) yield entry;
    else if (typeof found === 'number')
      yield { line: entry.line, error: `vars: has ${found} combinations, more than ${MAX_COMBINATIONS}` };
    else for (const row of found) yield { line: entry.line, row };
  }
}

/** Kinds of files that are parsed as one, by the endings of their names. */
const DOCUMENTS: readonly (readonly [ending: string, kind: DocumentKind])[] = [
  ['.yaml', 'yaml'],
  ['.yml', 'yaml'],
  ['.parquet', 'parquet'],
  ['.xlsx', 'xlsx'],
];

const MAX_BYTES: Readonly<Record<DocumentKind, { bytes: number; fault: string }>> = {
  yaml: { bytes: MIB, fault: 'must have at most 1 MiB as YAML; use JSONL' },
  parquet: { bytes: 8 * MIB, fault: 'must have at most 8 MiB as Parquet; use JSONL' },
  xlsx: { bytes: 8 * MIB, fault: 'must have at most 8 MiB as .xlsx; use CSV' },
};

/** Reads a file that is parsed as one, in a thread of its own. */
async function* documentRows(
  kind: DocumentKind,
  { size, stream }: UploadedFile,
  onLost: NonNullable<ReadRows['onLost']>,
): AsyncGenerator<ExampleRow> {
  if (size > MAX_BYTES[kind].bytes) throw unusable(MAX_BYTES[kind].fault);
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  const found = await parseDocument(kind, Buffer.concat(pieces));
  if ('fault' in found) throw unusable(found.fault);
  onLost(found.lost);
  for (const [index, [line, text]] of found.rows.entries()) {
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

/**
 * Reads a JSON array of objects, or such an array in one of LISTS. The line is the number of the entry. Rows are parsed
 * one by one, so that a large file occupies the thread only briefly.
 */
async function* jsonRows(
  { size, stream }: UploadedFile,
  { maxRows, onLost }: Required<ReadRows>,
): AsyncGenerator<ExampleRow> {
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
  onLost(lostMembers(frame));
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
    return exactJson(text.replace(/^\ufeff/, ''));
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
  if (!list)
    throw unusable(
      absentTests(value) ?? `must be a JSON array of objects, or have one as ${LISTS.join(', ')}`,
    );
  return list as readonly unknown[];
}

export const unusable = (message: string): AppError => invalid([{ code: 'custom', message, path: ['file'] }]);
const notJson = (): AppError => unusable('must be valid JSON in UTF-8');
