import { AppError } from '../errors.ts';
import type { Database } from '../storage/sqlite/database.ts';
import { plainKind } from './lane.ts';
import { NEVER } from './store.ts';

/** Jobs wanted of one kind. */
export interface WantedJobs {
  kind: string;
  /** How many at most. */
  limit: number;
  /** How many may run at once in all, and of one application. */
  total: number;
  perApplication: number;
  /** The application served last: it is the last one whose turn comes. */
  lastServed: number;
  /** Whether runs report when their work begins, as `JobKind.waits` says. */
  waits?: boolean;
}

export interface ClaimJobs {
  /** What `openEpoch` answered. */
  epoch: number;
  /** Unix milliseconds. */
  now: number;
  wanted: readonly WantedJobs[];
}

/** A job that is to run now, in the hands of whoever claimed it until it is finished, retried or buried by its id. */
export interface ClaimedJob {
  /** Of this claim: the next one of the same job gets another, so that a claim once given up settles nothing. */
  id: number;
  application: number;
  kind: string;
  key: string;
  /** 1 = the first. */
  attempt: number;
  /** How often a process died while the job was running. */
  cuts: number;
}

export interface Claims {
  /** In the order of their turns. */
  jobs: ClaimedJob[];
  /** When the next job of the wanted kinds falls due, Unix milliseconds; null = none waits for its time. */
  nextDueAt: number | null;
}

/**
 * Begins the work of a new process and returns the number of its epoch. Whatever an earlier process was running waits again
 * and is due now; runs that had begun count as attempts. `leaveLanes` is to be called next.
 */
export function openEpoch(database: Database, { now }: { now: number }): number {
  const { epoch } = database.get<{ epoch: number }>(
    'UPDATE job_epoch SET epoch = epoch + 1 RETURNING epoch',
  ) as { epoch: number };
  database.run(
    `UPDATE job SET state = 'waiting', epoch = NULL, due_at = ?, cuts = cuts + 1,
       attempts = attempts - (begun = 0), begun = 1
     WHERE state = 'running' AND epoch < ?`,
    now,
    epoch,
  );
  return epoch;
}

/** Jobs that one command moves from one kind to another. */
const STEP_JOBS = 2_000;

/**
 * Moves some jobs out of lanes that are not among `kinds`, those that the process does; whether there may be more. To be
 * called until then before any are claimed. When the process ends in between, the next one moves the rest.
 */
export function leaveLanes(database: Database, { kinds }: { kinds: readonly string[] }): boolean {
  let room = STEP_JOBS;
  for (const kind of waitingKinds(database)) {
    const plain = plainKind(kind);
    if (plain === null || kinds.includes(kind)) continue;
    room -= database.run(
      `UPDATE OR REPLACE job SET kind = ?1 WHERE id IN (
         SELECT id FROM job WHERE state = 'waiting' AND kind = ?2 LIMIT ?3)`,
      plain,
      kind,
      room,
    );
    if (room === 0) return true;
  }
  return false;
}

/** Each is one look into the index, however many of its jobs wait. */
function waitingKinds(database: Database): string[] {
  const kinds: string[] = [];
  const next = (): string | undefined =>
    database.get<{ kind: string }>(
      `SELECT kind FROM job WHERE state = 'waiting' AND kind > ? ORDER BY kind LIMIT 1`,
      kinds.at(-1) ?? '',
    )?.kind;
  for (let kind = next(); kind !== undefined; kind = next()) kinds.push(kind);
  return kinds;
}

/**
 * Claims due jobs. Each application has its turn before any has a second one, beginning after the one served last.
 * Throws `conflict` when a later process has opened an epoch.
 */
export function claimJobs(database: Database, { epoch, now, wanted }: ClaimJobs): Claims {
  const current = database.get<{ epoch: number }>('SELECT epoch FROM job_epoch')?.epoch;
  if (current !== epoch) throw new AppError('conflict', 'a later process has taken over the jobs');
  const running = countRunning(database, epoch);
  const claims = wanted.map((kind) =>
    claimKind(database, kind, { epoch, now, running: running.get(kind.kind) ?? new Map() }),
  );
  const dueTimes = claims.map(({ nextDueAt }) => nextDueAt).filter((dueAt) => dueAt !== null);
  return {
    jobs: claims.flatMap(({ jobs }) => jobs),
    nextDueAt: dueTimes.length > 0 ? Math.min(...dueTimes) : null,
  };
}

/** Application → how many of its jobs are running. */
type Running = Map<number, number>;

function countRunning(database: Database, epoch: number): Map<string, Running> {
  const counts = new Map<string, Running>();
  const rows = database.all<{ kind: string; application: number; count: number }>(
    `SELECT kind, application, count(*) AS count FROM job
     WHERE state = 'running' AND epoch = ? GROUP BY kind, application`,
    epoch,
  );
  for (const { kind, application, count } of rows) {
    const ofKind = counts.get(kind) ?? new Map<number, number>();
    counts.set(kind, ofKind.set(application, count));
  }
  return counts;
}

function claimKind(
  database: Database,
  { kind, limit, total, perApplication, lastServed, waits = false }: WantedJobs,
  { epoch, now, running }: { epoch: number; now: number; running: Running },
): Claims {
  const slots = Math.min(limit, total - running.values().reduce((sum, count) => sum + count, 0));
  const jobs: ClaimedJob[] = [];
  let nextDueAt: number | null = null;
  let turns: Iterable<number> = waitingApplications(database, kind, lastServed);
  for (;;) {
    const served: number[] = [];
    for (const application of turns) {
      if (jobs.length >= slots) return { jobs, nextDueAt };
      const count = running.get(application) ?? 0;
      const first = count < perApplication ? firstWaiting(database, kind, application) : undefined;
      if (!first) continue;
      if (first.dueAt > now) {
        nextDueAt = Math.min(nextDueAt ?? first.dueAt, first.dueAt);
        continue;
      }
      jobs.push(claim(database, { id: first.id, epoch, waits }));
      running.set(application, count + 1);
      served.push(application);
    }
    if (served.length === 0) return { jobs, nextDueAt };
    turns = served;
  }
}

/**
 * The applications for which jobs wait, once round from the one after `lastServed`. Each is one look into the index,
 * however many of its jobs wait.
 */
function* waitingApplications(database: Database, kind: string, lastServed: number): Generator<number, void> {
  const next = (after: number): number | undefined =>
    database.get<{ application: number }>(
      `SELECT application FROM job WHERE state = 'waiting' AND kind = ? AND application > ?
       ORDER BY application LIMIT 1`,
      kind,
      after,
    )?.application;
  for (let one = next(lastServed); one !== undefined; one = next(one)) yield one;
  for (let one = next(-1); one !== undefined && one <= lastServed; one = next(one)) yield one;
}

function firstWaiting(
  database: Database,
  kind: string,
  application: number,
): { id: number; dueAt: number } | undefined {
  return database.get<{ id: number; dueAt: number }>(
    `SELECT id, due_at AS dueAt FROM job WHERE state = 'waiting' AND kind = ? AND application = ?
     ORDER BY due_at LIMIT 1`,
    kind,
    application,
  );
}

/**
 * A kind that waits reports when its work begins only for jobs that were cut off before, which spares all others a write.
 * So the first death of a process costs none of its jobs an attempt, and each later one only those that had begun.
 */
function claim(
  database: Database,
  { id, epoch, waits }: { id: number; epoch: number; waits: boolean },
): ClaimedJob {
  // A row that is replaced gets a new id.
  return database.get<ClaimedJob>(
    `REPLACE INTO job (application, kind, key, state, attempts, due_at, epoch, reason, created_at, cuts, begun)
     SELECT application, kind, key, 'running', attempts + 1, ?, ?, reason, created_at, cuts, cuts > 0 OR NOT ?
     FROM job WHERE id = ?
     RETURNING id, application, kind, key, attempts AS attempt, cuts`,
    NEVER,
    epoch,
    waits ? 1 : 0,
    id,
  ) as ClaimedJob;
}
