/** Backups that are made beside the server, each of which must have everything that was acknowledged before it began. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { run } from '../support/process.ts';
import { listed } from './balance.ts';
import type { SpanBook, SpanName } from './span-book.ts';

interface BackupsOptions {
  dataDir: string;
  /** Folder for the backups. */
  folder: string;
  books: readonly SpanBook[];
  random: () => number;
  /** Pause between two backups, milliseconds. */
  pauseMs: number;
}

/** Most acknowledged spans of a sender that are looked for in a backup. */
const SAMPLE = 200;

/** Makes backups, restores each into a folder of its own, and looks there for spans that had been acknowledged. */
export class Backups {
  readonly faults: string[] = [];
  made = 0;
  /** Backups that the command said it could not make, as on a full disk. */
  failed = 0;
  private readonly options: BackupsOptions;

  constructor(options: BackupsOptions) {
    this.options = options;
  }

  /** Makes backups until `stop` is aborted, and at least one. */
  async run(stop: AbortSignal, deadline: AbortSignal): Promise<void> {
    const { folder, pauseMs, random } = this.options;
    const [file, restored] = [join(folder, 'backup'), join(folder, 'restored')];
    while (!stop.aborted || (this.made === 0 && !deadline.aborted)) {
      await delay(pauseMs * (0.5 + random()));
      await this.makeOne(file, restored);
      rmSync(file, { force: true });
      rmSync(restored, { recursive: true, force: true });
    }
  }

  private async makeOne(file: string, restored: string): Promise<void> {
    const acknowledged = this.options.books.flatMap(sampleOf);
    const backup = await run(['backup', file, '--data-dir', this.options.dataDir]);
    if (backup.code !== 0) {
      this.failed += 1;
      const lines = backup.stderr.trimEnd().split('\n');
      if (lines.some((line) => /^ +at /.test(line))) this.faults.push(`backup: ${backup.stderr}`);
      return;
    }
    this.made += 1;
    const { code, stderr } = await run(['restore', file, '--data-dir', restored]);
    if (code !== 0) this.faults.push(`restore ended with ${code}: ${stderr}`);
    else this.compare(restored, acknowledged);
  }

  private compare(restored: string, acknowledged: readonly SpanName[]): void {
    const database = new Sqlite(join(restored, 'touchstone.db'), { readonly: true });
    try {
      const countOf = database
        .prepare(
          `SELECT count(*) FROM span JOIN trace ON trace.tkey = span.tkey AND trace.application = span.application
           WHERE trace.trace_id = unhex(?) AND span.span_id = unhex(?)`,
        )
        .pluck();
      const lost = acknowledged.filter((name) => countOf.get(...name.split('/')) !== 1);
      if (lost.length > 0)
        this.faults.push(
          `a backup lacks ${lost.length} of ${acknowledged.length} spans that had been acknowledged: ${listed(lost)}`,
        );
    } finally {
      database.close();
    }
  }
}

/** Returns the spans of a book that were acknowledged last. */
function sampleOf(book: SpanBook): SpanName[] {
  const acknowledged: SpanName[] = [];
  for (const [name, outcome] of book.entries()) if (outcome === 'acknowledged') acknowledged.push(name);
  return acknowledged.slice(-SAMPLE);
}
