import { onTestFinished } from 'vitest';
import { claimJobs, type JobOfOrganisation, type Served } from '../../src/jobs/claim.ts';
import { openLease } from '../../src/jobs/lease.ts';
import { enqueueJob } from '../../src/jobs/store.ts';
import type { SqliteDatabase } from '../../src/storage/sqlite/database.ts';
import { openDatabase, temporaryFolder } from '../support/storage.ts';

import { KIND } from './kind.ts';
export const NOW = 1_000_000;

export interface JobRow {
  key: string;
  state: string;
  attempts: number;
  due_at: number;
  lease: number | null;
  reason: string | null;
}

/** A store without jobs, for one test. */
export function newDatabase(log?: (sql: string) => void): SqliteDatabase {
  const folder = temporaryFolder();
  const database = openDatabase(folder.file('store.db'), log);
  onTestFinished(() => {
    database.connection.close();
    folder[Symbol.dispose]();
  });
  return database;
}

/** The jobs of one process. */
export class Desk {
  readonly database: SqliteDatabase;
  readonly lease: number;

  constructor(database: SqliteDatabase, now = NOW, isShared = false) {
    this.database = database;
    this.lease = openLease(database, { now, isShared });
  }

  enqueue(key: string, application = 1, dueAt = NOW, kind = KIND): void {
    enqueueJob(this.database, { application, kind, key, dueAt, at: NOW });
  }

  claim({
    now = NOW,
    limit = 100,
    total = 100,
    perApplication = 100,
    perOrganisation = 100,
    lastServed = [] as readonly Served[],
    kind = KIND,
    waits = false,
  } = {}): JobOfOrganisation[] {
    const wanted = [{ kind, limit, total, perApplication, perOrganisation, lastServed, waits }];
    return claimJobs(this.database, { lease: this.lease, now, wanted }).jobs;
  }

  /** Claims the one job that is due. */
  claimOne(now = NOW, waits = false): JobOfOrganisation {
    const jobs = this.claim({ now, waits });
    if (jobs.length !== 1) throw new Error(`${jobs.length} jobs were due`);
    return jobs[0] as JobOfOrganisation;
  }

  rows(): JobRow[] {
    return this.database.all<JobRow>(
      'SELECT key, state, attempts, due_at, lease, reason FROM job ORDER BY kind, key',
    );
  }
}
