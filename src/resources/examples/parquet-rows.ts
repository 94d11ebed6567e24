import { parquetMetadata, parquetReadObjects, snappyUncompress } from 'hyparquet';
import { isObject } from '../../contract/is-object.ts';
import { DocumentFault, type DocumentRows } from './document-fault.ts';
import { isTooLarge } from './exact-numbers.ts';
import { MAX_IMPORT_ROWS } from './input-limits.ts';

/** Most bytes of all pages without their compression. */
const MAX_BYTES = 64 * 1024 * 1024;
const TOO_LARGE = 'must have at most 64 MiB without its compression; use JSONL';
/** Digits of a decimal number that a number has in any case. */
const EXACT_DIGITS = 15;

type Metadata = ReturnType<typeof parquetMetadata>;

/**
 * Reads Parquet whose pages are not compressed, or by Snappy. Integers and decimal numbers that others round become texts, and times
 * texts. The line is the number of the row.
 */
export async function parquetRows(bytes: Uint8Array): Promise<DocumentRows> {
  const file = new Uint8Array(bytes).buffer;
  const metadata = parquetMetadata(file);
  const declared = metadata.row_groups.reduce((sum, { total_byte_size: size }) => sum + Number(size), 0);
  if (declared > MAX_BYTES) throw new DocumentFault(TOO_LARGE);
  let left = MAX_BYTES;
  const uncompress = (input: Uint8Array, length: number): Uint8Array => {
    left -= length;
    if (left < 0) throw new DocumentFault(TOO_LARGE);
    const output = new Uint8Array(length);
    snappyUncompress(input, output);
    return output;
  };
  const scales = takeDecimals(metadata);
  try {
    const rows = await parquetReadObjects({
      file,
      metadata,
      rowEnd: Math.min(Number(metadata.num_rows), MAX_IMPORT_ROWS + 1),
      compressors: { SNAPPY: uncompress },
    });
    return { rows: rows.map((row, index) => [index + 1, exactRow(row, scales)]) };
  } catch (error) {
    if (error instanceof Error && /compression/i.test(error.message))
      throw new DocumentFault('must be valid Parquet; compress it by Snappy or not at all');
    throw error;
  }
}

/** Removes the type of long decimal numbers from columns, so that they are read as they are stored; returns their scales. */
function takeDecimals({ schema }: Metadata): Map<string, number> {
  const scales = new Map<string, number>();
  let children = schema[0]?.num_children ?? 0;
  for (let index = 1; index < schema.length; index += 1) {
    const element = schema[index] as Metadata['schema'][number];
    const isTop = children > 0;
    children -= 1;
    // The members of a column follow it; none of them is a column.
    const end = endOf(schema, index);
    for (const nested of schema.slice(index, end)) {
      if (nested.converted_type !== 'DECIMAL' && nested.logical_type?.type !== 'DECIMAL') continue;
      if ((nested.precision ?? 38) <= EXACT_DIGITS) continue;
      if (nested !== element || !isTop)
        throw new DocumentFault(
          `must have no decimal numbers of more than ${EXACT_DIGITS} digits in lists and objects; got ${nested.name}`,
        );
      scales.set(element.name, element.scale ?? 0);
      delete element.converted_type;
      delete element.logical_type;
    }
    index = end - 1;
  }
  return scales;
}

/** Returns the index after the last member of an element of the schema. */
function endOf(schema: Metadata['schema'], index: number): number {
  let end = index + 1;
  for (let left = schema[index]?.num_children ?? 0; left > 0; left -= 1) end = endOf(schema, end);
  return end;
}

const exactRow = (row: Record<string, unknown>, scales: ReadonlyMap<string, number>): unknown =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const scale = scales.get(name);
      return [name, scale === undefined || value === null ? plain(value) : decimalText(value, scale)];
    }),
  );

/** Formats a decimal number that is stored as a whole number or as bytes. */
function decimalText(value: unknown, scale: number): string {
  const whole =
    value instanceof Uint8Array
      ? BigInt.asIntN(8 * value.length, BigInt(`0x${Buffer.from(value).toString('hex') || '0'}`))
      : BigInt(value as bigint | number);
  const digits = (whole < 0n ? -whole : whole).toString().padStart(scale + 1, '0');
  const [integer, fraction] = [digits.slice(0, digits.length - scale), digits.slice(digits.length - scale)];
  return `${whole < 0n ? '-' : ''}${integer}${scale > 0 ? `.${fraction}` : ''}`;
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return isTooLarge(Number(value)) ? String(value) : Number(value);
  if (typeof value === 'number' && isTooLarge(value)) return String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}
