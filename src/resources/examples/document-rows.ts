import { isUtf8 } from 'node:buffer';
import { isObject } from '../../contract/is-object.ts';
import { absentTests, LISTS, lostMembers } from './configuration.ts';
import { DocumentFault, type DocumentRows } from './document-fault.ts';
import { parquetRows } from './parquet-rows.ts';
import { withDefaultTests } from './promptfoo-defaults.ts';
import { sheetRows } from './sheet-rows.ts';
import { yamlValue } from './yaml-value.ts';

export type DocumentKind = 'yaml' | 'parquet' | 'xlsx';

/** Message of the thread that reads a file: some rows as JSON with their lines, or its end, or its fault. */
export type DocumentMessage =
  | { rows: [line: number, json: string][] }
  | { fault: string }
  | { ends: true; lost: string[] };

/** Most characters of all rows, and of those that are sent at once. */
const MAX_CHARACTERS = 64 * 1024 * 1024;
const CHARACTERS_A_MESSAGE = 256 * 1024;

/** Reads a file completely, and sends its rows. Runs in a thread of its own (`parseDocument`). */
export async function readImportDocument(
  kind: DocumentKind,
  bytes: Uint8Array,
  send: (message: DocumentMessage) => void,
): Promise<void> {
  try {
    const { rows, lost = [] } = await READ[kind](bytes);
    let [batch, characters, sum]: [[number, string][], number, number] = [[], 0, 0];
    for (const [line, row] of rows) {
      const json = JSON.stringify(row) ?? 'null';
      batch.push([line, json]);
      characters += json.length;
      sum += json.length;
      if (sum > MAX_CHARACTERS)
        throw new DocumentFault(
          `must have at most ${MAX_CHARACTERS / 1024 / 1024} million characters; use JSONL`,
        );
      if (characters < CHARACTERS_A_MESSAGE) continue;
      send({ rows: batch });
      [batch, characters] = [[], 0];
    }
    send({ rows: batch });
    send({ ends: true, lost });
  } catch (error) {
    send({ fault: error instanceof DocumentFault ? error.message : FAULTS[kind] });
  }
}

const FAULTS: Readonly<Record<DocumentKind, string>> = {
  yaml: 'must be valid YAML in UTF-8',
  parquet: 'must be valid Parquet',
  xlsx: 'must be a valid .xlsx file',
};

const READ: Readonly<Record<DocumentKind, (bytes: Uint8Array) => DocumentRows | Promise<DocumentRows>>> = {
  yaml: yamlRows,
  parquet: parquetRows,
  xlsx: sheetRows,
};

/** Reads YAML, such as a configuration of promptfoo. The line is the number of the entry. */
function yamlRows(bytes: Uint8Array): DocumentRows {
  if (!isUtf8(bytes)) throw new DocumentFault(FAULTS.yaml);
  const value = yamlValue(Buffer.from(bytes).toString('utf8'));
  const rows = listOf(value);
  if (rows === null)
    throw new DocumentFault(
      absentTests(value) ?? 'must be a list of objects, or have one as tests, items, data or examples',
    );
  return { rows: rows.map((row, index) => [index + 1, row]), lost: lostMembers(value) };
}

/** Returns the rows of a document; null if it has none. */
function listOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value as unknown[];
  if (!isObject(value)) return null;
  const list = LISTS.map((name) => value[name]).find((one) => Array.isArray(one));
  return list === undefined ? null : withDefaultTests(list as unknown[], value['defaultTest']);
}
