import { hash } from 'node:crypto';
import type { SqlType, SqlValue } from '../database.ts';
import { withoutNul } from '../without-nul.ts';
import type { CopiedRow, CopiedTable } from './copied-table.ts';

const WORDS = 8;
const NULL = Buffer.of(0);
const LENGTH_BYTES = 5;

/**
 * Hash of the rows of a table, whatever their order: the sum of the SHA-256 of each row. It is the same on both engines: a text is
 * hashed with U+FFFD in place of U+0000, as PostgreSQL stores it, and −0 as 0, as SQLite does.
 */
export class TableHash {
  readonly #columns: CopiedTable['columns'];
  readonly #sum = new Uint32Array(WORDS);
  rows = 0;

  constructor({ columns }: CopiedTable) {
    this.#columns = columns;
  }

  add(row: CopiedRow): void {
    const parts: Buffer[] = [];
    for (const { name, type } of this.#columns) appendValue(parts, type, row[name] ?? null);
    const digest = hash('sha256', Buffer.concat(parts), 'buffer');
    for (let word = 0; word < WORDS; word += 1)
      this.#sum[word] = (this.#sum[word] as number) + digest.readUInt32BE(4 * word);
    this.rows += 1;
  }

  digest(): string {
    return [...this.#sum].map((word) => word.toString(16).padStart(8, '0')).join('');
  }
}

function appendValue(parts: Buffer[], type: SqlType, value: SqlValue): void {
  if (value === null) {
    parts.push(NULL);
    return;
  }
  const bytes = bytesOf(type, value);
  const head = Buffer.allocUnsafe(LENGTH_BYTES);
  head[0] = 1;
  head.writeUInt32BE(bytes.length, 1);
  parts.push(head, bytes);
}

function bytesOf(type: SqlType, value: Exclude<SqlValue, null>): Buffer {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (type === 'text') return Buffer.from(withoutNul(String(value)), 'utf8');
  const bytes = Buffer.allocUnsafe(8);
  if (type === 'integer') bytes.writeBigInt64BE(BigInt(value));
  // The sum of −0 and 0 is 0.
  else bytes.writeDoubleBE(Number(value) + 0);
  return bytes;
}
