import { parquetReadObjects } from 'hyparquet';
import { parse } from 'yaml';
import type { UploadedFile } from '../../contract/upload.ts';
import { isObject } from '../../contract/is-object.ts';

/** Most bytes of a file that is parsed at once. */
const MAX_YAML_BYTES = 1024 * 1024;
const MAX_PARQUET_BYTES = 8 * 1024 * 1024;

/** Rows of a file that is parsed at once, or the fault of the file. */
export type DocumentRows = { rows: readonly unknown[] } | { fault: string };

/** Reads YAML, such as a configuration of promptfoo. */
export async function yamlRows({ size, stream }: UploadedFile): Promise<DocumentRows> {
  if (size > MAX_YAML_BYTES) return { fault: 'must have at most 1 MiB as YAML; use JSONL' };
  const text = (await bytesOf(stream)).toString('utf8');
  try {
    const value: unknown = parse(text, { maxAliasCount: 100, logLevel: 'silent' });
    const rows = listOf(value);
    return rows
      ? { rows }
      : { fault: 'must be a list of objects, or have one as tests, items, data or examples' };
  } catch {
    return { fault: 'must be valid YAML' };
  }
}

/** Reads Parquet whose pages are not compressed, or by Snappy. Numbers of 64 bits that others round become texts, and times texts. */
export async function parquetRows({ size, stream }: UploadedFile): Promise<DocumentRows> {
  if (size > MAX_PARQUET_BYTES) return { fault: 'must have at most 8 MiB as Parquet; use JSONL' };
  const bytes = await bytesOf(stream);
  const file = new Uint8Array(bytes).buffer;
  try {
    const rows = await parquetReadObjects({ file });
    return { rows: rows.map(plain) };
  } catch (error) {
    const why =
      error instanceof Error && /compression/i.test(error.message)
        ? '; compress it by Snappy or not at all'
        : '';
    return { fault: `must be valid Parquet${why}` };
  }
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}

async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}

const LISTS = ['tests', 'items', 'data', 'examples'] as const;

/** Returns the rows of a document; null if it has none. */
function listOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value as unknown[];
  if (!isObject(value)) return null;
  const list = LISTS.map((name) => value[name]).find((one) => Array.isArray(one));
  return list === undefined ? null : withDefaultTests(list as unknown[], value['defaultTest']);
}

/** Adds the variables and assertions that a configuration of promptfoo has for all of its tests. */
export function withDefaultTests(rows: readonly unknown[], defaults: unknown): readonly unknown[] {
  if (!isObject(defaults)) return rows;
  return rows.map((row) => (isObject(row) ? withDefaultTest(row, defaults) : row));
}

function withDefaultTest(
  row: Record<string, unknown>,
  defaults: Record<string, unknown>,
): Record<string, unknown> {
  const assertions: unknown[] = [defaults['assert'] ?? [], row['assert'] ?? []].flat();
  return {
    ...row,
    ...(isObject(defaults['vars']) && {
      vars: { ...defaults['vars'], ...(row['vars'] as object | undefined) },
    }),
    ...(assertions.length > 0 && { assert: assertions }),
  };
}
