import type { SqlType, SetRow, SqlValue } from '../database.ts';
import { withoutNul } from '../without-nul.ts';

/** Types of columns by their number in `pg_type`, and their names. */
export const ELEMENTS: Readonly<Record<SqlType, { type: number; name: string }>> = {
  integer: { type: 20, name: 'int8' },
  real: { type: 701, name: 'float8' },
  text: { type: 25, name: 'text' },
  blob: { type: 17, name: 'bytea' },
};

const NULL_LENGTH = -1;
const HEADER_BYTES = 20;

/** Returns the columns of a set of rows, each as an array in the binary format of PostgreSQL. */
export const encodeColumns = (columns: readonly SqlType[], rows: readonly SetRow[]): Buffer[] =>
  columns.map((column, at) =>
    encodeArray(
      column,
      rows.map((row) => row[at] ?? null),
    ),
  );

/** Returns values as an array in the binary format of PostgreSQL: a header, then the length and the bytes of each. */
function encodeArray(column: SqlType, values: readonly SqlValue[]): Buffer {
  const elements = values.map((value) => (value === null ? null : encodeValue(column, value)));
  const size = elements.reduce((sum, bytes) => sum + 4 + (bytes?.length ?? 0), HEADER_BYTES);
  const array = Buffer.allocUnsafe(size);
  array.writeInt32BE(1, 0);
  array.writeInt32BE(Number(elements.includes(null)), 4);
  array.writeInt32BE(ELEMENTS[column].type, 8);
  array.writeInt32BE(values.length, 12);
  array.writeInt32BE(1, 16);
  let at = HEADER_BYTES;
  for (const bytes of elements) {
    at = array.writeInt32BE(bytes?.length ?? NULL_LENGTH, at);
    if (bytes === null) continue;
    array.set(bytes, at);
    at += bytes.length;
  }
  return array;
}

function encodeValue(column: SqlType, value: string | number | bigint | Uint8Array): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (column === 'text') return Buffer.from(withoutNul(String(value)), 'utf8');
  const bytes = Buffer.allocUnsafe(8);
  if (column === 'integer') bytes.writeBigInt64BE(BigInt(value));
  else bytes.writeDoubleBE(Number(value));
  return bytes;
}
