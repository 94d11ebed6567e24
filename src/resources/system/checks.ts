import { type Check, type CheckLevel, ok, problem, warning } from '../../contract/check.ts';
import type { SystemState } from './contract.ts';
import { FEW_FILES, SLOW_DISK, storeAdvice } from './store-advice.ts';

const GB = 1e9;
const MIB = 1024 * 1024;
const MINUTE_MS = 60_000;

/** Limits beyond which a number deserves a warning, and beyond which it is a problem. */
const LIMITS = {
  freeShare: [0.05, 0.02],
  freeBytes: [5 * GB, GB],
  daysLeft: [14, 3],
  walBytes: [512 * MIB, 4096 * MIB],
  waitingMs: [MINUTE_MS, 15 * MINUTE_MS],
  lagMs: [200, 1_000],
  dueTraces: [1_000, 10_000],
  memoryShare: [0.8, 0.95],
  commitMs: [500, 2_000],
  openFilesShare: [0.8, 0.95],
} as const;

type Limits = readonly [least: number, serious: number];
const above = (value: number, [least, serious]: Limits): CheckLevel =>
  value >= serious ? 'problem' : value >= least ? 'warning' : 'ok';
const below = (value: number, [least, serious]: Limits): CheckLevel =>
  value <= serious ? 'problem' : value <= least ? 'warning' : 'ok';
const RANK: Readonly<Record<CheckLevel, number>> = { ok: 0, warning: 1, problem: 2 };
const worse = (a: CheckLevel, b: CheckLevel): CheckLevel => (RANK[a] >= RANK[b] ? a : b);

const checked = (name: string, message: string, { level, advice }: Pick<Check, 'level' | 'advice'>): Check =>
  level === 'ok' ? ok(name, message) : { name, level, message, advice };

/** Judges the numbers of the server, in the order in which they are shown. `now` is in Unix milliseconds. */
export function systemChecks(system: SystemState, now: number): Check[] {
  return [
    diskCheck({
      freeBytes: system.store.diskFreeBytes,
      totalBytes: system.store.diskTotalBytes,
      storeBytes: system.store.fileBytes,
      daysLeft: system.store.daysLeft,
    }),
    walCheck(system.store.walBytes),
    commits(system),
    lock(system),
    queries(system),
    memory(system),
    ...openFiles(system),
    mainThread(system),
    maintenance(system),
    ...system.jobs.map((job) => queue(job, now)),
  ];
}

export interface Disk {
  freeBytes: number;
  totalBytes: number;
  storeBytes: number;
  /** Days until the disk is full at the present growth; null if unknown. */
  daysLeft: number | null;
}

export function diskCheck({ freeBytes: free, totalBytes: total, storeBytes, daysLeft }: Disk): Check {
  if (total === 0)
    return ok('Disk', `The database has ${bytes(storeBytes)}; watch the disk of its server there`);
  const share = total > 0 ? free / total : 0;
  const forecast = daysLeft === null ? '' : `; full in ${Math.floor(daysLeft)} days at the present growth`;
  return checked(
    'Disk',
    `${bytes(free)} free of ${bytes(total)} (${Math.round(share * 100)} %); the store has ${bytes(storeBytes)}${forecast}`,
    {
      level: worse(
        worse(below(free, LIMITS.freeBytes), below(share, LIMITS.freeShare)),
        below(daysLeft ?? Infinity, LIMITS.daysLeft),
      ),
      advice:
        'A full disk stops ingest: senders get 503 and retry. Free some space, enlarge the disk, or set a limit of retention.',
    },
  );
}

export const walCheck = (walBytes: number): Check =>
  checked('Write-ahead log', bytes(walBytes), {
    level: above(walBytes, LIMITS.walBytes),
    advice: 'A checkpoint cannot finish. Look for very long queries, such as reports over all time.',
  });

function commits({
  store: { failure, failedCommits, failedCheckpoints, longestCommitMs, recentCommitMs },
}: SystemState): Check {
  const name = 'Commits';
  if (failure !== null) return problem(name, `The store rejects data (${failure}).`, storeAdvice(failure));
  const recent = recentCommitMs === null ? '' : `take ${milliseconds(recentCommitMs)}; `;
  const message = `${recent}${failedCommits} failed since the start; the longest took ${milliseconds(longestCommitMs)}`;
  const speed = above(recentCommitMs ?? 0, LIMITS.commitMs);
  if (speed !== 'ok') return { name, level: speed, message, advice: SLOW_DISK };
  return failedCommits + failedCheckpoints === 0
    ? ok(name, message)
    : warning(
        name,
        message,
        'The disk was full or failed, and works again. Nothing that was acknowledged is lost, but senders had to retry.',
      );
}

const lock = ({ store }: SystemState): Check =>
  ok(
    'Lock',
    store.diskTotalBytes === 0
      ? 'Several servers may use the database; its locks keep them apart.'
      : store.lock === 'held'
        ? 'The server has its lock on the store, and its files are those in the folder.'
        : 'The files of the store are those in the folder; this system does not show locks.',
  );

/** Warns before the limit is reached, where connections are closed as soon as they are made. */
function openFiles({ process: { openFiles: open, maxOpenFiles, maxConnections } }: SystemState): Check[] {
  if (open === null || maxOpenFiles === null) return [];
  const level = above(open / maxOpenFiles, LIMITS.openFilesShare);
  return [
    checked('Open files', `${open} of ${maxOpenFiles}; up to ${maxConnections} connections to each port`, {
      level,
      advice: FEW_FILES,
    }),
  ];
}

const queries = ({ store: { waitingReads, waitingWrites, rejectedReads } }: SystemState): Check =>
  checked(
    'Queries and changes',
    `${waitingReads} queries and ${waitingWrites} changes in progress or waiting`,
    {
      level: rejectedReads > 0 ? 'warning' : 'ok',
      advice: `${rejectedReads} queries were rejected since the start because too many waited.`,
    },
  );

function memory({ process: { residentBytes, memoryLimitBytes, requests, responses } }: SystemState): Check {
  const name = 'Memory';
  const pools = above(
    Math.max(requests.usedBytes / requests.limitBytes, responses.usedBytes / responses.limitBytes),
    LIMITS.memoryShare,
  );
  const limit = memoryLimitBytes === null ? 'unlimited' : `of ${bytes(memoryLimitBytes)}`;
  const message = `${bytes(residentBytes)} resident ${limit}; requests use ${bytes(requests.usedBytes)} of ${bytes(requests.limitBytes)}`;
  const total = above(residentBytes / (memoryLimitBytes ?? Infinity), LIMITS.memoryShare);
  if (RANK[total] > RANK[pools])
    return {
      name,
      level: total,
      message,
      advice: 'The system ends the process at the limit. Raise the limit, or lower the memory budget.',
    };
  return checked(name, message, {
    level: pools,
    advice:
      'Large bodies or unread responses fill the memory budget. Send smaller batches, or raise the budget.',
  });
}

const mainThread = ({ process: { lagMs } }: SystemState): Check =>
  checked('Main thread', `responds after ${milliseconds(lagMs)}`, {
    level: above(lagMs, LIMITS.lagMs),
    advice: 'The process gets too little processor time.',
  });

function maintenance({ maintenance: { rewrites, refreshes, deletions } }: SystemState): Check {
  const due = rewrites + refreshes + deletions;
  return checked(
    'Maintenance of traces',
    due === 0
      ? 'nothing is due'
      : `${rewrites} rewrites, ${refreshes} sums and ${deletions} deletions are due`,
    {
      level: above(due, LIMITS.dueTraces),
      advice: 'More traces change than maintenance keeps up with; their sums are out of date for a while.',
    },
  );
}

function queue(
  { kind, waiting, running, dead, oldestDueAt }: SystemState['jobs'][number],
  now: number,
): Check {
  const waitedMs = oldestDueAt === null ? 0 : now - Date.parse(oldestDueAt);
  const since = waitedMs <= 0 ? '' : `; the first has been due for ${milliseconds(waitedMs)}`;
  const level = above(waitedMs, LIMITS.waitingMs);
  const advice = [
    level === 'ok' ? '' : 'More is to be done than gets done: an app or a judge model responds slowly.',
    dead > 0 ? `${dead} ${dead === 1 ? 'job' : 'jobs'} failed for good; the log of the server says why.` : '',
  ];
  return checked(`Queue ${kind}`, `${waiting} waiting, ${running} running${since}`, {
    level: dead > 0 ? worse(level, 'warning') : level,
    advice: advice.filter((part) => part !== '').join(' '),
  });
}

/** Formats a number of bytes with three digits: 1.46 GB. */
function bytes(count: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, count)) / 3)));
  const value = count / 1000 ** power;
  return `${power === 0 ? count : Number(value.toPrecision(3))} ${units[power]}`;
}

const milliseconds = (value: number): string =>
  value < 1_000 ? `${Math.round(value)} ms` : `${Math.round(value / 1_000)} s`;
