import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import {
  checkBook,
  checkBounds,
  checkLedger,
  ledgerOf,
  type LedgerRow,
  listed,
  type SenderRow,
  storedSpans,
  sumAttempts,
} from './balance.ts';
import type { Neighbour } from '../support/neighbour.ts';
import type { Backups } from './backups.ts';
import type { Eraser } from './erasures.ts';
import type { Importer } from './imports.ts';
import type { Person } from './person.ts';
import type { RawSender } from './raw-senders.ts';
import type { Reader } from './readers.ts';
import type { GrpcExporterSender, PackageSender } from './sdk-senders.ts';
import type { ChaosServer } from './server.ts';
import { checkTests } from './test-balance.ts';
import type { TestedApp } from './tested-app.ts';

/** Everything that uses the server. */
export interface Load {
  raw: readonly RawSender[];
  package: PackageSender;
  exporter: GrpcExporterSender;
  app: TestedApp;
  reader: Reader;
  importer: Importer;
  eraser: Eraser;
  backups: Backups;
  person: Person;
  applications: { raw: string; sdk: string };
  /** Spans that were stored for the exporters and then deleted. */
  deletedSpans: number;
}

export interface Report {
  /** What does not agree; empty if nothing was lost, doubled or miscounted. */
  differences: string[];
  senders: Record<string, SenderRow>;
  ledgers: Record<string, LedgerRow>;
  /** How many tests ended how. */
  tests: Record<string, number>;
  disturbed: Record<string, number>;
  /** How often the other parts did what they do. */
  did: Record<string, number>;
  reads: number;
  /** Requests that the judge received. */
  judged: number;
}

interface Ended {
  load: Load;
  server: ChaosServer;
  kills: number;
  disturbed: Record<string, number>;
  verification: string | null;
  judged: number;
  neighbour: Neighbour;
}

/** Statement of the other program, which sees what the server stored. */
export const COUNT_OF_SPANS = 'SELECT count(*) AS spans FROM span';

/** Compares the store of a stopped server with what its clients know. */
export function report({ load, server, kills, disturbed, verification, judged, neighbour }: Ended): Report {
  const differences = [
    ...server.faults,
    ...load.reader.faults.map((fault) => `reader: ${fault}`),
    ...load.backups.faults,
    ...load.person.faults,
  ];
  if (verification !== null) differences.push(verification);
  const database = new Sqlite(join(server.dataDir, 'touchstone.db'), { readonly: true });
  try {
    const senders: Record<string, SenderRow> = {};
    const ledgers: Record<string, LedgerRow> = {};
    const compare = (
      title: string,
      id: string,
      books: readonly (RawSender | PackageSender | GrpcExporterSender)[],
      deleted: number,
    ): void => {
      const application = numberOf(database, id);
      const stored = storedSpans(database, application);
      const ledger = ledgerOf(database, application);
      checkLedger(title, ledger, { stored: stored.size, deleted }, differences);
      for (const { book } of books) senders[book.sender] = checkBook(book, stored, differences);
      if (stored.size > 0)
        differences.push(
          `${title}: ${stored.size} stored spans were never made: ${listed([...stored.keys()])}`,
        );
      ledgers[title] = ledger;
    };
    compare('raw requests', load.applications.raw, load.raw, 0);
    compare('exporters', load.applications.sdk, [load.package, load.exporter], load.deletedSpans);
    const attempts = sumAttempts(load.raw.map((sender) => sender.attempts));
    checkBounds('raw requests', ledgers['raw requests'] as LedgerRow, attempts, differences);
    differences.push(...counterDifferences(load.package, senders[load.package.book.sender] as SenderRow));
    const tests = checkTests(database, load.app, kills, differences);
    load.importer.check(database, differences);
    const { spans } = database.prepare(COUNT_OF_SPANS).get() as { spans: number };
    const seen = (neighbour.last as { spans: number } | null)?.spans;
    if (seen !== spans) differences.push(`another program sees ${seen} spans; ${spans} are stored`);
    load.eraser.check(database, server.dataDir, differences);
    return {
      differences,
      senders,
      ledgers,
      tests,
      disturbed,
      did: { ...didOf(load), 'reads of another program': neighbour.rounds },
      reads: load.reader.reads,
      judged,
    };
  } finally {
    database.close();
  }
}

const didOf = ({ importer, eraser, backups, person }: Load): Record<string, number> => ({
  'imported examples': importer.examples.size,
  sessions: eraser.sessions.length,
  'erased sessions': eraser.sessions.filter(({ isErased }) => isErased).length,
  'backups, restored and compared': backups.made,
  'backups that were not possible': backups.failed,
  logins: person.logins,
});

/** Compares the counters of the exporter package with the results of its batches. */
function counterDifferences({ stats }: PackageSender, row: SenderRow): string[] {
  const pairs: [name: string, counted: number, noted: number][] = [
    ['ended', stats.ended, row.made],
    ['exported', stats.exported, row.acknowledged],
    ['rejected', stats.rejected, row.rejected],
    ['dropped', stats.dropped, row.dropped],
    ['failed', stats.failed, row['without response']],
    ['waiting and in flight', stats.waiting + stats.inFlight, 0],
  ];
  return pairs
    .filter(([, counted, noted]) => counted !== noted)
    .map(
      ([name, counted, noted]) => `touchstone-otel counts ${counted} spans as ${name}; there are ${noted}`,
    );
}

function numberOf(database: Sqlite.Database, id: string): number {
  return database.prepare('SELECT application FROM application WHERE id = ?').pluck().get(id) as number;
}
