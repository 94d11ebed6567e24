/** Counts again how many blocks refer to each resource: one that counts too few is deleted while blocks still need it. */
import type { Database } from '../storage/database.ts';
import { skeletonResources } from './skeleton.ts';
import type { TraceKey } from './trace-keys.ts';

/** Most resources that are counted, because the counts are kept in memory. */
const MAX_RESOURCES = 200_000;

/** A resource whose row counts other blocks than refer to it. */
export interface WrongReferences {
  application: number;
  hash: Buffer;
  stored: number;
  counted: number;
}

/** Key of a block. */
export interface BlockKey extends TraceKey {
  seq: number;
}

/** Number of blocks that refer to each resource, by application and hash. */
export class ReferenceCounts {
  private readonly counts = new Map<string, number>();
  /** False if there are too many resources, or a block cannot be read: then none is compared. */
  private isComplete = true;

  /** Counts the references of a page of blocks after one; returns the last one, null if there is none. */
  addPage(database: Database, { after, limit }: { after: BlockKey | null; limit: number }): BlockKey | null {
    const page = database.all<BlockKey & { skeleton: Buffer }>(
      `SELECT application, tkey, seq, skeleton FROM chunk
       WHERE (application, tkey, seq) > (:application, :tkey, :seq) ORDER BY application, tkey, seq LIMIT :limit`,
      { application: -1, tkey: 0, seq: 0, ...after, limit },
    );
    for (const { application, skeleton } of page) {
      const hashes = resourcesOf(skeleton);
      if (hashes === null) this.isComplete = false;
      for (const hash of hashes ?? []) this.add(`${application} ${hash.toString('hex')}`);
    }
    const last = page.at(-1);
    return last ? { application: last.application, tkey: last.tkey, seq: last.seq } : null;
  }

  /** Returns resources with another count than their blocks, at most `limit`. Those without a block are left to deletion. */
  wrong(database: Database, limit: number): WrongReferences[] {
    if (!this.isComplete) return [];
    const found: WrongReferences[] = [];
    for (const [key, counted] of this.counts) {
      const [application = '', hash = ''] = key.split(' ');
      const of = { application: Number(application), hash: Buffer.from(hash, 'hex') };
      const row = database.get<{ refs: number }>(
        'SELECT refs FROM resource WHERE application = :application AND hash = :hash',
        of,
      );
      if (row && row.refs !== counted) found.push({ ...of, stored: row.refs, counted });
      if (found.length === limit) break;
    }
    return found;
  }

  private add(key: string): void {
    const known = this.counts.get(key);
    if (known === undefined && this.counts.size >= MAX_RESOURCES) this.isComplete = false;
    else this.counts.set(key, (known ?? 0) + 1);
  }
}

/** Stores the number of blocks that refer to a resource. */
export const repairReferences = (database: Database, { application, hash, counted }: WrongReferences): void =>
  void database.run('UPDATE resource SET refs = :counted WHERE application = :application AND hash = :hash', {
    counted,
    application,
    hash,
  });

/** Returns the resources of a block; null if it cannot be read. */
function resourcesOf(skeleton: Buffer): Buffer[] | null {
  try {
    return skeletonResources(skeleton);
  } catch {
    return null;
  }
}
