import type { Database, RowStatement } from '../storage/database.ts';
import { inKeyOrder } from '../storage/row-set.ts';
import type { SpanBatch } from './batch.ts';

interface Referenced {
  application: number;
  hash: Buffer;
  bytes: Buffer;
  count: number;
}

const ADD_REFERENCES: RowStatement = {
  sql: `INSERT INTO resource (application, hash, refs, bytes) VALUES (?, ?, ?, ?)
         ON CONFLICT (application, hash) DO UPDATE SET refs = resource.refs + excluded.refs`,
  columns: ['integer', 'blob', 'integer', 'blob'],
};

/** Resources that new blocks refer to. Each is stored once, with the number of blocks that refer to it. */
export class ResourceReferences {
  private readonly resources = new Map<string, Referenced>();

  /** Records one more block that refers to these resources of its batch. */
  add(
    application: number,
    { byteBuffer, resources }: Pick<SpanBatch, 'byteBuffer' | 'resources'>,
    indexes: readonly number[],
  ): void {
    for (const index of indexes) {
      const resource = resources[index];
      if (!resource) throw new Error(`a block names resource ${index}, which its batch does not hold`);
      const hash = bytesOf(byteBuffer, resource.hash);
      const key = `${application} ${hash.toString('latin1')}`;
      const known = this.resources.get(key);
      if (known) known.count += 1;
      else
        this.resources.set(key, { application, hash, bytes: bytesOf(byteBuffer, resource.bytes), count: 1 });
    }
  }

  write(database: Database): void {
    const rows = inKeyOrder(this.resources).map(({ application, hash, count, bytes }) => [
      application,
      hash,
      count,
      bytes,
    ]);
    database.runMany(ADD_REFERENCES, rows);
    this.resources.clear();
  }
}

function bytesOf(byteBuffer: Uint8Array, [start, end]: readonly [start: number, end: number]): Buffer {
  return Buffer.from(byteBuffer.buffer, byteBuffer.byteOffset + start, end - start);
}
