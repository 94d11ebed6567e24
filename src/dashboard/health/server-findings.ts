import type { System } from '../../api/generated/schema.ts';
import { formatBytes, formatPercent, formatWhole } from '../format/number.ts';
import { formatAgo, formatDuration } from '../format/time.ts';

export type Level = 'good' | 'watch' | 'bad';

/** One number of the server, and what it means. */
export interface Finding {
  name: string;
  value: string;
  level: Level;
  /** Fault and cure; empty if all is well. */
  advice: string;
}

const GB = 1e9;
const MIB = 1024 * 1024;
const MINUTE_MS = 60_000;

/** Limits beyond which a number is worth watching, and beyond which it is bad. */
const LIMITS = {
  freeShare: [0.05, 0.02],
  freeBytes: [5 * GB, GB],
  daysLeft: [14, 3],
  walBytes: [512 * MIB, 4096 * MIB],
  waitingMs: [MINUTE_MS, 15 * MINUTE_MS],
  lagMs: [200, 1_000],
  dueTraces: [1_000, 10_000],
  memoryShare: [0.8, 0.95],
} as const;

type Limits = readonly [watch: number, bad: number];
const above = (value: number, [watch, bad]: Limits): Level =>
  value >= bad ? 'bad' : value >= watch ? 'watch' : 'good';
const below = (value: number, [watch, bad]: Limits): Level =>
  value <= bad ? 'bad' : value <= watch ? 'watch' : 'good';
const RANK: Readonly<Record<Level, number>> = { good: 0, watch: 1, bad: 2 };
const worse = (a: Level, b: Level): Level => (RANK[a] >= RANK[b] ? a : b);

/** Judges the numbers of the server, in the order in which they are shown. */
export function findingsOf(system: System, now: number): Finding[] {
  return [
    disk(system),
    log(system),
    commits(system),
    queries(system),
    memory(system),
    mainThread(system),
    maintenance(system),
    ...system.jobs.map((job) => queue(job, now)),
  ].map((finding) => (finding.level === 'good' ? { ...finding, advice: '' } : finding));
}

function disk({ store }: System): Finding {
  const { diskFreeBytes: free, diskTotalBytes: total, fileBytes, daysLeft } = store;
  const share = total > 0 ? free / total : 0;
  return {
    name: 'Disk',
    value: `${formatBytes(free)} free of ${formatBytes(total)} (${formatPercent(share)}); the store has ${formatBytes(fileBytes)}${daysLeft === null ? '' : `; full in ${formatWhole(Math.floor(daysLeft))} days at the present growth`}`,
    level: worse(
      worse(below(free, LIMITS.freeBytes), below(share, LIMITS.freeShare)),
      below(daysLeft ?? Infinity, LIMITS.daysLeft),
    ),
    advice:
      'A full disk stops ingest: senders get 503 and retry. Free some space, enlarge the disk, or set a limit of retention.',
  };
}

const log = ({ store: { walBytes } }: System): Finding => ({
  name: 'Write-ahead log',
  value: formatBytes(walBytes),
  level: above(walBytes, LIMITS.walBytes),
  advice: 'A checkpoint cannot finish. Look for very long queries, such as reports over all time.',
});

const commits = ({ store: { failedCommits, failedCheckpoints, longestCommitMs } }: System): Finding => ({
  name: 'Commits',
  value: `${formatWhole(failedCommits)} failed since the start; the longest took ${formatDuration(longestCommitMs)}`,
  level: failedCommits + failedCheckpoints > 0 ? 'bad' : 'good',
  advice: 'The disk was full or failed. Nothing that was acknowledged is lost, but senders had to retry.',
});

const queries = ({ store: { waitingReads, waitingWrites, rejectedReads } }: System): Finding => ({
  name: 'Queries and changes',
  value: `${formatWhole(waitingReads)} queries and ${formatWhole(waitingWrites)} changes in progress or waiting`,
  level: rejectedReads > 0 ? 'watch' : 'good',
  advice: `${formatWhole(rejectedReads)} queries were rejected since the start because too many waited.`,
});

function memory({ process: { residentBytes, requests, responses } }: System): Finding {
  const share = Math.max(
    requests.usedBytes / requests.limitBytes,
    responses.usedBytes / responses.limitBytes,
  );
  return {
    name: 'Memory',
    value: `${formatBytes(residentBytes)} resident; requests use ${formatBytes(requests.usedBytes)} of ${formatBytes(requests.limitBytes)}`,
    level: above(share, LIMITS.memoryShare),
    advice:
      'Large bodies or unread responses fill the memory budget. Send smaller batches, or raise the budget.',
  };
}

const mainThread = ({ process: { lagMs } }: System): Finding => ({
  name: 'Main thread',
  value: `answers after ${formatDuration(lagMs)}`,
  level: above(lagMs, LIMITS.lagMs),
  advice: 'The process gets too little processor time.',
});

function maintenance({ maintenance: { rewrites, refreshes, deletions } }: System): Finding {
  const due = rewrites + refreshes + deletions;
  return {
    name: 'Maintenance of traces',
    value:
      due === 0
        ? 'nothing is due'
        : `${formatWhole(rewrites)} rewrites, ${formatWhole(refreshes)} sums and ${formatWhole(deletions)} deletions are due`,
    level: above(due, LIMITS.dueTraces),
    advice: 'More traces change than maintenance keeps up with; their sums are out of date for a while.',
  };
}

function queue({ kind, waiting, running, dead, oldestDueAt }: System['jobs'][number], now: number): Finding {
  const waitedMs = oldestDueAt === null ? 0 : now - Date.parse(oldestDueAt);
  const since =
    oldestDueAt === null || waitedMs <= 0 ? '' : `; the first was due ${formatAgo(oldestDueAt, now)}`;
  const level = above(waitedMs, LIMITS.waitingMs);
  return {
    name: `Queue ${kind}`,
    value: `${formatWhole(waiting)} waiting, ${formatWhole(running)} running${since}`,
    level: dead > 0 ? worse(level, 'watch') : level,
    advice: [
      level === 'good' ? '' : 'More is to be done than gets done: an app or a judge model responds slowly.',
      dead > 0 ? `${formatWhole(dead)} jobs failed for good; the log of the server says why.` : '',
    ]
      .filter((part) => part !== '')
      .join(' '),
  };
}
