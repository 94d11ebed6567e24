import { randomBytes } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolders } from './make-folders.ts';
import { monotonicMillis } from './runtime.ts';
import type { SpoolSettings } from './settings.ts';
import type { Batch, SpoolFile, SpoolFolder } from './spool.ts';
import { batchOf, contentOf } from './spool-content.ts';
import { isExpired, renewLease } from './spool-lease.ts';

/** Owner, number, spans and bytes of a file, in its name: so the size of the folder is known by its list. */
const FILE_NAME = /^([0-9a-f]{16})-\d+-(\d+)-(\d+)\.(batch|tmp|damaged)$/;
const LEASE_NAME = /^([0-9a-f]{16})\.lease$/;
/** Smallest size that a file takes on a disk. */
const BLOCK_BYTES = 4_096;
/** Shortest time between two lines about problems, between which the folder could be written. */
const SAY_INTERVAL_MILLIS = 60_000;

const FULL = {
  reason: 'the spool is full',
  remedy: 'Raise maxSpoolBytes to keep more.',
};

/** Folders of this process that are in use. */
const inUse = new Set<NodeSpoolFolder>();

/** A folder of an application, which several processes may share. Each has files of its own and a lease that shows that it lives. */
export class NodeSpoolFolder implements SpoolFolder {
  readonly path: string;
  readonly #maxBytes: number;
  readonly #notice: (text: string) => void;
  readonly #owner = randomBytes(8).toString('hex');
  readonly #lease: string;
  #number = 0;
  #latest: Promise<unknown> = Promise.resolve();
  #hasSaidProblem = false;
  #saidAt = -Infinity;
  #isClosed = false;
  #report: () => void = () => {};

  constructor({ dir, maxBytes, application }: SpoolSettings, notice: (text: string) => void) {
    this.path = join(dir, application);
    this.#maxBytes = maxBytes;
    this.#notice = notice;
    this.#lease = join(this.path, `${this.#owner}.lease`);
    // One listener for all: Node warns of more than ten.
    if (inUse.size === 0) process.on('exit', endAll);
    inUse.add(this);
  }

  add(batch: Batch): Promise<SpoolFile | { reason: string; remedy: string }> {
    // One after the other, so that the size of the folder is known.
    const added = this.#latest.then(() => this.#add(batch));
    this.#latest = added;
    return added;
  }

  async read(file: SpoolFile): Promise<Batch | 'gone' | 'damaged'> {
    try {
      const batch = await batchOf(await readFile(join(this.path, file.name)));
      if (batch?.spans === file.spans) return batch;
      await rename(join(this.path, file.name), join(this.path, file.name.replace(/batch$/, 'damaged')));
      return 'damaged';
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return 'gone';
      this.#say(error);
      return 'damaged';
    }
  }

  async remove({ name }: SpoolFile): Promise<void> {
    await this.#guarded(() => rm(join(this.path, name), { force: true }));
  }

  async takeOver(): Promise<SpoolFile[]> {
    const taken: SpoolFile[] = [];
    await this.#guarded(async () => {
      await this.#open();
      const names = await readdir(this.path);
      const owners = new Set(names.map(ownerOf));
      for (const owner of owners) {
        if (owner === undefined || owner === this.#owner || this.#isClosed) continue;
        const lease = join(this.path, `${owner}.lease`);
        if (!(await isExpired(lease))) continue;
        for (const name of names) if (ownerOf(name) === owner) taken.push(...(await this.#takeFile(name)));
        await rm(lease, { force: true });
      }
    });
    return taken;
  }

  whenEnds(report: () => void): void {
    this.#report = report;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    inUse.delete(this);
    if (inUse.size === 0) process.off('exit', endAll);
    this.end();
  }

  /** Deletes the lease and writes the last line. */
  end(): void {
    try {
      unlinkSync(this.#lease);
    } catch {
      // It was never written.
    }
    this.#report();
  }

  async #add(batch: Batch): Promise<SpoolFile | { reason: string; remedy: string }> {
    try {
      await this.#open();
      const content = await contentOf(batch);
      const used = (await readdir(this.path)).reduce((sum, name) => sum + sizeOf(name), 0);
      if (used + onDisk(content.length) > this.#maxBytes) return FULL;
      const file = await this.#write(content, batch.spans);
      this.#hasSaidProblem = false;
      return file;
    } catch (error) {
      this.#say(error);
      return { reason: `the spool cannot be written (${textOf(error)})`, remedy: remedyFor(error) };
    }
  }

  async #write(content: Uint8Array, spans: number): Promise<SpoolFile> {
    const name = this.#nameOf(spans, content.length);
    const unfinished = join(this.path, name.replace(/batch$/, 'tmp'));
    try {
      const handle = await open(unfinished, 'wx', 0o600);
      try {
        await handle.writeFile(content);
        await handle.datasync();
      } finally {
        await handle.close();
      }
      await rename(unfinished, join(this.path, name));
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => undefined);
      throw error;
    }
    return { name, spans, isOwn: true };
  }

  /** Makes a file of an ended process one of this one. Of several processes that try it, one succeeds. */
  async #takeFile(name: string): Promise<SpoolFile[]> {
    const [, , spans = '', bytes = '', kind] = FILE_NAME.exec(name) ?? [];
    if (kind === 'tmp') await rm(join(this.path, name), { force: true });
    if (kind !== 'batch') return [];
    const own = this.#nameOf(Number(spans), Number(bytes));
    try {
      await rename(join(this.path, name), join(this.path, own));
      return [{ name: own, spans: Number(spans), isOwn: false }];
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    }
  }

  #nameOf(spans: number, bytes: number): string {
    this.#number += 1;
    return `${this.#owner}-${this.#number}-${spans}-${bytes}.batch`;
  }

  async #open(): Promise<void> {
    if (this.#isClosed) return;
    makeFolders(this.path);
    await renewLease(this.#lease);
  }

  async #guarded(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#say(error);
    }
  }

  #say(error: unknown): void {
    if (this.#hasSaidProblem || monotonicMillis() - this.#saidAt < SAY_INTERVAL_MILLIS) return;
    this.#hasSaidProblem = true;
    this.#saidAt = monotonicMillis();
    this.#notice(`the spool ${this.path} cannot be used (${textOf(error)}). ${remedyFor(error)}`);
  }
}

function endAll(): void {
  for (const folder of inUse) folder.end();
}

const ownerOf = (name: string): string | undefined => (FILE_NAME.exec(name) ?? LEASE_NAME.exec(name))?.[1];

const sizeOf = (name: string): number => onDisk(Number(FILE_NAME.exec(name)?.[3] ?? 0));

const onDisk = (bytes: number): number => Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code;

const remedyFor = (error: unknown): string =>
  ['ENOSPC', 'EDQUOT'].includes(String(codeOf(error))) ? 'Free space on its disk.' : 'Check spoolDir.';

const textOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 200);
