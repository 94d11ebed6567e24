import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import type { ExportColumn, ExportTable } from './export-table.ts';

/**
 * Rows and characters after which a row group is written, so that a file of any size needs little memory, and the thread that
 * serves all connections is never held for long.
 */
const GROUP_ROWS = 1_000;
const GROUP_CHARACTERS = 1024 * 1024;

type Cell = string | number | bigint | null;

const TIMES = 'TIMESTAMP_MICROS';

/** Makes a Parquet file, row group by row group. Columns may be null and have no compression (ADR 17). */
export class ParquetFile<Row> {
  private readonly bytes = new ByteWriter();
  private readonly writer: ParquetWriter;
  private readonly columns: readonly { name: string; column: ExportColumn<Row>; cells: Cell[] }[];
  private rows = 0;
  private characters = 0;

  constructor({ columns }: ExportTable<Row>) {
    this.columns = Object.entries(columns).map(([name, column]) => ({ name, column, cells: [] }));
    this.writer = new ParquetWriter({
      writer: this.bytes,
      codec: 'UNCOMPRESSED',
      createdBy: 'touchstone',
      schema: schemaFromColumnData({
        columnData: this.columns.map(({ name, column: { type } }) => ({
          name,
          type: type === 'TIME' ? 'TIMESTAMP' : type,
          data: [],
          nullable: true,
        })),
      }).map((element) =>
        element.converted_type === 'TIMESTAMP_MILLIS' ? { ...element, converted_type: TIMES } : element,
      ),
    });
  }

  /** Adds rows; returns the bytes of the row groups that became complete. */
  add(rows: readonly Row[]): Uint8Array {
    for (const row of rows) {
      for (const { column, cells } of this.columns) {
        const cell = column.of(row);
        cells.push(column.type === 'TIME' && typeof cell === 'string' ? microsecondsOf(cell) : cell);
        this.characters += typeof cell === 'string' ? cell.length : 1;
      }
      this.rows += 1;
      if (this.rows >= GROUP_ROWS || this.characters >= GROUP_CHARACTERS) this.writeGroup();
    }
    return this.take();
  }

  /** Returns the rest of the file. */
  end(): Uint8Array {
    if (this.rows > 0) this.writeGroup();
    void this.writer.finish();
    return this.take();
  }

  private writeGroup(): void {
    const columnData = this.columns.map(({ name, cells }) => ({ name, data: cells.splice(0) }));
    void this.writer.write({ columnData, rowGroupSize: GROUP_ROWS });
    [this.rows, this.characters] = [0, 0];
  }

  /** Removes the bytes written so far from the buffer; offsets in the file continue. */
  private take(): Uint8Array {
    const taken = new Uint8Array(this.bytes.getBuffer());
    this.bytes.index = 0;
    return taken;
  }
}

/** Returns the microseconds since 1970 of a time in ISO 8601 with `Z`. */
function microsecondsOf(time: string): bigint {
  const [, seconds = '', fraction = ''] = /^([^.Z]+)(?:\.(\d+))?Z$/.exec(time) ?? [];
  return BigInt(Date.parse(`${seconds}Z`)) * 1_000n + BigInt(fraction.padEnd(6, '0').slice(0, 6));
}
