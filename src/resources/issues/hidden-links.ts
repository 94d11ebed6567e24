import type { SeenBy } from '../../contract/reviewer.ts';
import { isoTime } from '../../contract/values.ts';
import type { Database } from '../../storage/database.ts';
import { bytesOf, each, hexOf, valuesOf } from '../../storage/dialect.ts';
import type { SqlFragment } from '../../storage/sql.ts';
import { dayOf } from '../../traces/trace-keys.ts';
import { type Shown, shownTo } from '../../traces/withheld/store.ts';
import type { IssueRecord } from './contract.ts';
import { countOnly, rateInSample } from './sample.ts';

interface OfCaller extends SeenBy {
  application: number;
}

interface HiddenLink {
  issueId: string;
  traceId: string;
  seenAt: number;
  /** Queue that drew the trace at random and has it completed; null if none has. */
  queueId: string | null;
}

/**
 * Returns issues as a caller sees them who reviews some traces blind: as if these were linked to none, because a link says that a trace
 * shows a problem. Nothing says whether that changed anything.
 */
export function withoutHiddenLinks(
  database: Database,
  { application, ...seenBy }: OfCaller,
  all: readonly IssueRecord[],
): IssueRecord[] {
  const shown = shownTo(database, { application, ...seenBy });
  if (shown === null) return [...all];
  const { hiddenTraces } = shown;
  const of = { application, hiddenTraces };
  const traces = hiddenAmong(database, hiddenTraces, all);
  const tests = hiddenTestsAmong(database, shown, all);
  const links = Map.groupBy(linksOf(database, of, all), ({ issueId }) => issueId);
  const sampled = sampledOf(database, of, all);
  return all.map((issue) => {
    const own = links.get(issue.id) ?? [];
    const isAbout = issue.traceId !== null && traces.has(keyOf(issue.traceId));
    const isOfTest = issue.testId !== null && tests.has(issue.testId);
    const isOfNote = issue.humanAnnotationId !== null && own.length > 0;
    return {
      ...issue,
      ...(isAbout && { traceId: null }),
      ...(isOfTest && { testId: null }),
      ...(isOfNote && { humanAnnotationId: null, annotationId: null }),
      frequency: frequencyWithout(issue, own, sampled),
      ...(own.length > 0 && countsWithout(database, of, { issue, own })),
    };
  });
}

/** Returns the numbers of links by issue that a caller must not count. */
export function hiddenLinkCounts(
  database: Database,
  { application, ...seenBy }: OfCaller,
  ids: readonly string[],
): Map<string, number> {
  const shown = shownTo(database, { application, ...seenBy });
  if (shown === null) return new Map();
  const { hiddenTraces } = shown;
  const rows = linksOf(
    database,
    { application, hiddenTraces },
    ids.map((id) => ({ id })),
  );
  return new Map([...Map.groupBy(rows, ({ issueId }) => issueId)].map(([id, links]) => [id, links.length]));
}

interface Hidden {
  application: number;
  /** Query of the traces that the caller reviews blind. */
  hiddenTraces: SqlFragment;
}

/** Returns a trace as 32 hexadecimal digits. */
const keyOf = (traceId: string): string => traceId.replaceAll('-', '').toLowerCase();

/** Returns those of the traces that issues are about which are hidden. */
function hiddenAmong(
  database: Database,
  { sql, values }: SqlFragment,
  all: readonly IssueRecord[],
): Set<string> {
  const keys = all.flatMap(({ traceId }) => (traceId === null ? [] : [keyOf(traceId)]));
  if (keys.length === 0) return new Set();
  const rows = database.all<{ key: string }>(
    `SELECT value AS "key" FROM ${each('?')} WHERE ${bytesOf('value')} IN (${sql})`,
    JSON.stringify(keys),
    ...values,
  );
  return new Set(rows.map(({ key }) => key));
}

/** Returns those of the tests that issues are about which are hidden. */
function hiddenTestsAmong(database: Database, shown: Shown, all: readonly IssueRecord[]): Set<string> {
  const ids = all.flatMap(({ testId }) => testId ?? []);
  if (ids.length === 0) return new Set();
  const { sql, values } = shown.test('value');
  const rows = database.all<{ id: string }>(
    `SELECT value AS id FROM ${each('?')} WHERE NOT ${sql}`,
    JSON.stringify(ids),
    ...values,
  );
  return new Set(rows.map(({ id }) => id));
}

const linksOf = (
  database: Database,
  { application, hiddenTraces }: Hidden,
  all: readonly { id: string }[],
): HiddenLink[] =>
  database.all<HiddenLink>(
    `SELECT link.issue_id AS "issueId", ${hexOf('link.trace_id')} AS "traceId", link.seen_at AS "seenAt",
       (SELECT max(queue_id) FROM annotation_queue_item AS drawn WHERE drawn.application = link.application
         AND drawn.trace_id = link.trace_id AND drawn.drawn_at IS NOT NULL AND drawn.completed_at IS NOT NULL) AS "queueId"
     FROM issue_link AS link
     WHERE link.application = ? AND link.trace_id IN (${hiddenTraces.sql}) AND link.issue_id IN ${valuesOf('?')}`,
    application,
    ...hiddenTraces.values,
    JSON.stringify(all.map(({ id }) => id)),
  );

/** Returns how many traces of the random samples of queues are hidden, by queue. */
function sampledOf(
  database: Database,
  { application, hiddenTraces }: Hidden,
  all: readonly IssueRecord[],
): Map<string, number> {
  if (all.every(({ frequency }) => frequency.queueId === null)) return new Map();
  const rows = database.all<{ queueId: string; n: number }>(
    `SELECT queue_id AS "queueId", count(*) AS n FROM annotation_queue_item
     WHERE application = ? AND trace_id IN (${hiddenTraces.sql})
       AND drawn_at IS NOT NULL AND completed_at IS NOT NULL GROUP BY queue_id`,
    application,
    ...hiddenTraces.values,
  );
  return new Map(rows.map(({ queueId, n }) => [queueId, n]));
}

function frequencyWithout(
  { frequency, linkCount }: IssueRecord,
  own: readonly HiddenLink[],
  sampled: ReadonlyMap<string, number>,
): IssueRecord['frequency'] {
  const { kind, count, of, queueId } = frequency;
  if (kind === 'COUNT') return { ...frequency, count: count - own.length };
  const left = (of ?? 0) - (sampled.get(queueId ?? '') ?? 0);
  const seen = count - own.filter((link) => link.queueId === queueId).length;
  if (left <= 0) return countOnly(linkCount - own.length);
  return rateInSample({ count: Math.max(0, Math.min(seen, left)), of: left, queueId: queueId ?? '' });
}

function countsWithout(
  database: Database,
  { application, hiddenTraces }: Hidden,
  { issue, own }: { issue: IssueRecord; own: readonly HiddenLink[] },
): Pick<IssueRecord, 'linkCount' | 'daily' | 'firstSeenAt' | 'lastSeenAt'> {
  const days = Map.groupBy(own, ({ seenAt }) => isoTime(dayOf(seenAt) * DAY_MS).slice(0, 10));
  const linkCount = Math.max(0, issue.linkCount - own.length);
  const times = database.get<{ first: number | null; last: number | null }>(
    `SELECT min(seen_at) AS first, max(seen_at) AS last FROM issue_link
     WHERE application = ? AND issue_id = ? AND trace_id NOT IN (${hiddenTraces.sql})`,
    application,
    issue.id,
    ...hiddenTraces.values,
  );
  const [first, last] = [times?.first ?? null, times?.last ?? null];
  return {
    linkCount,
    daily: issue.daily.map(({ date, count }) => ({ date, count: count - (days.get(date)?.length ?? 0) })),
    firstSeenAt: first === null ? null : isoTime(first),
    lastSeenAt: last === null ? issue.createdAt : isoTime(last),
  };
}

const DAY_MS = 86_400_000;
