import type { Database } from '../storage/database.ts';
import { numbersOf, valuesOf } from '../storage/dialect.ts';
import { plainKind } from './queue-kind.ts';
import { renewLease, voidLeases } from './lease.ts';
import { NEVER } from './store.ts';

/** Request for jobs of one kind. */
export interface WantedJobs {
  kind: string;
  /** Most jobs to claim. */
  limit: number;
  /** Most jobs of the kind that run at once in this process. */
  total: number;
  /** Most jobs of one application, and of one organisation, that run at once, in all processes. */
  perApplication: number;
  perOrganisation: number;
  /** The last application of each organisation that was served, the longest ago first: its turn comes after all others. */
  lastServed: readonly Served[];
  /** True if runs report when their work begins; see `JobKind.waits`. */
  waits?: boolean;
}

/** Application that was served last of its organisation. */
export type Served = Pick<JobOfOrganisation, 'organisation' | 'application'>;

export interface ClaimJobs {
  /** Lease from `openLease`. */
  lease: number;
  /** Current time, in Unix milliseconds. */
  now: number;
  wanted: readonly WantedJobs[];
}

/** A due job and its claim. It belongs to its claimer until it is finished, retried or buried by its id. */
export interface ClaimedJob {
  /**
   * Id of this claim. The next claim of the same job gets another id, so an abandoned claim cannot settle it.
   */
  id: number;
  application: number;
  kind: string;
  key: string;
  /** Number of this attempt; the first is 1. */
  attempt: number;
  /** Number of times that a process died while the job was running. */
  cuts: number;
}

/** A claimed job and the id of its organisation; an application without one is alone. */
export interface JobOfOrganisation extends ClaimedJob {
  organisation: string;
}

export interface Claims {
  /** Claimed jobs in the order of their turns. */
  jobs: JobOfOrganisation[];
  /**
   * Time when the next job of the wanted kinds is due, in Unix milliseconds; null when none is waiting for a
   * time.
   */
  nextDueAt: number | null;
}

/** Most jobs that one command moves from one kind to another. */
const STEP_JOBS = 2_000;

/**
 * Moves some jobs out of queues that are not among `kinds`, the kinds of this process, and returns whether
 * there may be more. Call it until it returns false before any job is claimed. If the process ends in
 * between, the next process moves the rest.
 */
export function leaveQueues(database: Database, { kinds }: { kinds: readonly string[] }): boolean {
  let room = STEP_JOBS;
  for (const kind of waitingKinds(database)) {
    const plain = plainKind(kind);
    if (plain === null || kinds.includes(kind)) continue;
    room -= moveJobs(database, { kind, to: plain, limit: room });
    if (room === 0) return true;
  }
  return false;
}

/**
 * Moves waiting jobs to another kind, where they replace jobs with the same keys. Returns the number of moved
 * jobs.
 */
function moveJobs(
  database: Database,
  { kind, to, limit }: { kind: string; to: string; limit: number },
): number {
  const jobs = database.all<{ id: number; key: string }>(
    `SELECT id, key FROM job WHERE state = 'waiting' AND kind = :kind LIMIT :limit`,
    { kind, limit },
  );
  database.run(`DELETE FROM job WHERE kind = :to AND key IN ${valuesOf(':keys')}`, {
    to,
    keys: JSON.stringify(jobs.map(({ key }) => key)),
  });
  database.run(`UPDATE job SET kind = :to WHERE id IN ${numbersOf(':ids')}`, {
    to,
    ids: JSON.stringify(jobs.map(({ id }) => id)),
  });
  return jobs.length;
}

/** Returns the kinds that have waiting jobs. Reads the index once per kind, however many jobs wait. */
function waitingKinds(database: Database): string[] {
  const kinds: string[] = [];
  const next = (): string | undefined =>
    database.get<{ kind: string }>(
      `SELECT kind FROM job WHERE state = 'waiting' AND kind > :after ORDER BY kind LIMIT 1`,
      { after: kinds.at(-1) ?? '' },
    )?.kind;
  for (let kind = next(); kind !== undefined; kind = next()) kinds.push(kind);
  return kinds;
}

/**
 * Claims due jobs. Each organisation has a turn before any has a second one, and so do the applications of each,
 * starting after `lastServed`. Throws `conflict` when the lease is void.
 */
export function claimJobs(database: Database, { lease, now, wanted }: ClaimJobs): Claims {
  renewLease(database, { lease, now });
  voidLeases(database, now);
  const running = countRunning(database, lease);
  const claims = wanted.map((kind) => claimKind(database, kind, { lease, now, running: running(kind.kind) }));
  const dueTimes = claims.map(({ nextDueAt }) => nextDueAt).filter((dueAt) => dueAt !== null);
  return {
    jobs: claims.flatMap(({ jobs }) => jobs),
    nextDueAt: dueTimes.length > 0 ? Math.min(...dueTimes) : null,
  };
}

interface Running {
  /** Jobs that run in this process. */
  own: number;
  /** Numbers of running jobs in all processes. */
  byApplication: Map<number, number>;
  byOrganisation: Map<string, number>;
}

/** Id of the organisation of an application `a` that was joined to a table; one without an organisation is alone. */
const organisationOf = (table: string): string => `coalesce(a.org_id, CAST(${table}.application AS TEXT))`;

function countRunning(database: Database, lease: number): (kind: string) => Running {
  const rows = database.all<Served & { kind: string; count: number; own: number }>(
    `SELECT kind, job.application, ${organisationOf('job')} AS organisation, count(*) AS count,
       count(*) FILTER (WHERE lease = :lease) AS own
     FROM job LEFT JOIN application a ON a.application = job.application
     WHERE state = 'running' AND lease > 0 GROUP BY kind, job.application, a.org_id`,
    { lease },
  );
  const byKind = Map.groupBy(rows, ({ kind }) => kind);
  return (kind) => {
    const ofKind = byKind.get(kind) ?? [];
    return {
      own: ofKind.reduce((sum, { own }) => sum + own, 0),
      byApplication: sumsBy(ofKind, ({ application }) => application),
      byOrganisation: sumsBy(ofKind, ({ organisation }) => organisation),
    };
  };
}

function sumsBy<R extends { count: number }, K>(rows: readonly R[], keyOf: (row: R) => K): Map<K, number> {
  const sums = new Map<K, number>();
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + row.count);
  return sums;
}

function claimKind(
  database: Database,
  { kind, limit, total, perApplication, perOrganisation, lastServed, waits = false }: WantedJobs,
  { lease, now, running }: { lease: number; now: number; running: Running },
): Claims {
  const { byApplication, byOrganisation } = running;
  const slots = Math.min(limit, total - running.own);
  const jobs: JobOfOrganisation[] = [];
  if (slots <= 0) return { jobs, nextDueAt: null };
  let nextDueAt: number | null = null;
  /** Claims the next job of an application; returns whether it had one that may run now. */
  const claimOf = ({ organisation, application }: Served): boolean => {
    const own = byApplication.get(application) ?? 0;
    const ofAll = byOrganisation.get(organisation) ?? 0;
    if (own >= perApplication || ofAll >= perOrganisation) return false;
    const first = firstWaiting(database, kind, application);
    if (!first) return false;
    if (first.dueAt > now) {
      nextDueAt = Math.min(nextDueAt ?? first.dueAt, first.dueAt);
      return false;
    }
    const claimed = claim(database, { id: first.id, lease, waits });
    // A command of its application has just removed it.
    if (!claimed) return claimOf({ organisation, application });
    jobs.push({ ...claimed, organisation });
    byApplication.set(application, own + 1);
    byOrganisation.set(organisation, ofAll + 1);
    return true;
  };
  let turns = turnsOf(waitingApplications(database, kind), lastServed);
  while (turns.length > 0) {
    const served: Served[][] = [];
    for (const applications of turns) {
      if (jobs.length >= slots) return { jobs, nextDueAt };
      const rest = [...applications];
      for (let next = rest.shift(); next; next = rest.shift()) {
        if (!claimOf(next)) continue;
        served.push([...rest, next]);
        break;
      }
    }
    turns = served;
  }
  return { jobs, nextDueAt };
}

/**
 * Returns the applications of each organisation in the order of their turns: first those that were not served, then those
 * served the longest ago; in an organisation, beginning after the application that was served last.
 */
function turnsOf(waiting: readonly Served[], lastServed: readonly Served[]): Served[][] {
  const places = new Map(
    lastServed.map((one, index) => [one.organisation, { index, last: one.application }]),
  );
  const placeOf = (organisation: string) => places.get(organisation) ?? { index: -1, last: -1 };
  return [...Map.groupBy(waiting, ({ organisation }) => organisation)]
    .toSorted(([one], [other]) => placeOf(one).index - placeOf(other).index)
    .map(([organisation, applications]) => {
      const { last } = placeOf(organisation);
      const isLater = ({ application }: Served): boolean => application > last;
      return [...applications.filter(isLater), ...applications.filter((one) => !isLater(one))];
    });
}

/**
 * Returns the applications that have waiting jobs. Reads the index once per application, however many of its jobs
 * wait.
 */
function waitingApplications(database: Database, kind: string): Served[] {
  const next = (after: string): string =>
    `(SELECT application FROM job WHERE state = 'waiting' AND kind = :kind AND application > ${after}
      ORDER BY application LIMIT 1)`;
  const waiting = database.all<Served>(
    `WITH RECURSIVE waiting (application) AS (
       SELECT ${next('-1')} UNION ALL SELECT ${next('waiting.application')} FROM waiting WHERE application IS NOT NULL
     )
     SELECT waiting.application, ${organisationOf('waiting')} AS organisation
     FROM waiting LEFT JOIN application a ON a.application = waiting.application
     WHERE waiting.application IS NOT NULL`,
    { kind },
  );
  return waiting.toSorted((one, other) => one.application - other.application);
}

function firstWaiting(
  database: Database,
  kind: string,
  application: number,
): { id: number; dueAt: number } | undefined {
  return database.get<{ id: number; dueAt: number }>(
    `SELECT id, due_at AS "dueAt" FROM job WHERE state = 'waiting' AND kind = :kind AND application = :application
     ORDER BY due_at LIMIT 1`,
    { kind, application },
  );
}

/**
 * Claims a job. A run of a kind that waits counts as begun only once it reports that; jobs that were never interrupted
 * are spared that write. The first crash of a process therefore costs its jobs no attempt, and each later crash only
 * those that had begun. Returns undefined if the job no longer waits.
 */
function claim(
  database: Database,
  { id, lease, waits }: { id: number; lease: number; waits: boolean },
): ClaimedJob | undefined {
  type Claimed = Omit<ClaimedJob, 'id' | 'attempt'>;
  const job = database.get<Claimed & { attempts: number; reason: string | null; createdAt: number }>(
    `DELETE FROM job WHERE id = :id AND state = 'waiting'
     RETURNING application, kind, key, attempts, cuts, reason, created_at AS "createdAt"`,
    { id },
  );
  if (!job) return undefined;
  const begun = Number(!waits);
  // The new row gives the job a new id.
  return database.get<ClaimedJob>(
    `INSERT INTO job (application, kind, key, state, attempts, due_at, lease, reason, created_at, cuts, begun)
     VALUES (:application, :kind, :key, 'running', :attempts + 1, :dueAt, :lease, :reason, :createdAt, :cuts, :begun)
     RETURNING id, application, kind, key, attempts AS attempt, cuts`,
    { ...job, lease, begun, dueAt: NEVER },
  );
}
