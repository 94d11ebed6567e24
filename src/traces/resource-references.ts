import type { Database } from '../storage/database.ts';
import type { SpanBatch } from './batch.ts';

interface Referenced {
  application: number;
  hash: Buffer;
  bytes: Buffer;
  count: number;
}

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
    for (const { application, hash, count, bytes } of this.resources.values()) {
      database.run(
        `INSERT INTO resource (application, hash, refs, bytes) VALUES (?, ?, ?, ?)
         ON CONFLICT (application, hash) DO UPDATE SET refs = resource.refs + excluded.refs`,
        application,
        hash,
        count,
        bytes,
      );
    }
    this.resources.clear();
  }
}

function bytesOf(byteBuffer: Uint8Array, [start, end]: readonly [start: number, end: number]): Buffer {
  return Buffer.from(byteBuffer.buffer, byteBuffer.byteOffset + start, end - start);
}
