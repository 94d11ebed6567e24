import type { SeenBy } from '../../contract/reviewer.ts';
import type { Database } from '../../storage/database.ts';
import { definitions } from '../definitions/record.ts';
import { judgeStandings } from '../definitions/standing.ts';
import { countAvailable } from '../human-annotation-queue-items/leases.ts';
import { queues } from '../human-annotation-queues/record.ts';
import { hiddenLinkCounts } from '../issues/hidden-links.ts';
import type { AttentionItem } from './contract.ts';

const REOPENED_MS = 7 * 24 * 3_600_000;
/** Traces from which on an issue is worth an evaluator. */
const MIN_TRACES = 3;
/** Most issues, queues and definitions that are looked at, the newest ones. */
const MAX_ISSUES = 1_000;
const MAX_RECORDS = 100;
/** Most entries of one kind, and most records that one entry names. */
const MAX_ENTRIES = 3;
const MAX_NAMES = 2;

interface Caller {
  application: number;
  seenBy: SeenBy;
  /** Id of a caller who may review; null for others. */
  reviewer: string | null;
  now: number;
}

/** Lists what people have to do: issues, reviews, and evaluators that cannot decide yet. Call it in a reader only. */
function needsOfPeople(database: Database, caller: Caller): AttentionItem[] {
  const open = openIssues(database, caller);
  return [
    ...importantIssues(open),
    ...reopenedIssues(open, caller.now),
    ...reviews(database, caller),
    ...unverifiedEvaluators(database, caller),
    ...undetectedIssues(database, caller, open),
  ];
}

interface OpenIssue {
  id: string;
  number: number;
  title: string;
  priority: string;
  reopenedAt: number | null;
  definitionId: string | null;
  linkCount: number;
}

const openIssues = (database: Database, { application }: Caller): OpenIssue[] =>
  database.all<OpenIssue>(
    `SELECT id, number, title, priority, reopened_at AS "reopenedAt", eval_definition_id AS "definitionId", link_count AS "linkCount"
     FROM issue WHERE application = :application AND status = 'OPEN' AND merged_into IS NULL
     ORDER BY created_at DESC, id DESC LIMIT :limit`,
    { application, limit: MAX_ISSUES },
  );

function importantIssues(open: readonly OpenIssue[]): AttentionItem[] {
  const high = open.filter(({ priority }) => priority === 'HIGH');
  if (high.length === 0) return [];
  const title =
    high.length === 1
      ? '1 issue of high priority is open'
      : `${high.length} issues of high priority are open`;
  return [{ kind: 'ISSUES', count: high.length, title, ...shownIssues(high, '/issues?priority=HIGH') }];
}

function reopenedIssues(open: readonly OpenIssue[], now: number): AttentionItem[] {
  const again = open.filter(({ reopenedAt }) => reopenedAt !== null && reopenedAt > now - REOPENED_MS);
  if (again.length === 0) return [];
  const what = again.length === 1 ? '1 issue was' : `${again.length} issues were`;
  const title = `${what} opened again in the last 7 days`;
  return [{ kind: 'ISSUES_REOPENED', count: again.length, title, ...shownIssues(again, '/issues') }];
}

/** Returns what an entry says about some issues, and where they are: the page of a single one, or a list. */
function shownIssues(issues: readonly OpenIssue[], list: string): Pick<AttentionItem, 'detail' | 'href'> {
  const [first] = issues;
  return {
    detail: named(issues.map(({ number, title }) => `#${number} ${title}`)),
    href: issues.length === 1 && first ? `/issues/${first.number}` : list,
  };
}

/** Joins the first names, and says how many others there are. */
function named(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return [...names.slice(0, MAX_NAMES), ...(more > 0 ? [`${more} more`] : [])].join(' · ');
}

function reviews(database: Database, { application, reviewer: person, now }: Caller): AttentionItem[] {
  if (person === null) return [];
  const waiting = queues
    .all(database, application, 'true ORDER BY created_at DESC, id DESC LIMIT :limit', {
      limit: MAX_RECORDS,
    })
    .map((queue) => ({
      id: queue.id,
      title: queue.title,
      mine: countAvailable(database, { application, queue, person, at: now }),
    }))
    .filter(({ mine }) => mine > 0);
  const [first] = waiting;
  if (first === undefined) return [];
  const count = waiting.reduce((sum, { mine }) => sum + mine, 0);
  return [
    {
      kind: 'REVIEW',
      count,
      title: count === 1 ? '1 item to review' : `${count} items to review`,
      detail: named(waiting.map(({ title }) => title)),
      href: waiting.length === 1 ? `/review/${first.id}` : '/review',
    },
  ];
}

function unverifiedEvaluators(database: Database, { application, now }: Caller): AttentionItem[] {
  const required = definitions
    .pick('id', 'name')
    .all(
      database,
      application,
      `status = 'ACTIVE' AND gate_min_kappa IS NOT NULL ORDER BY created_at DESC, id DESC LIMIT :limit`,
      { limit: MAX_RECORDS },
    );
  if (required.length === 0) return [];
  const { reasons, lost } = judgeStandings(database, { application, ids: required.map(({ id }) => id), now });
  return required
    .filter(({ id }) => reasons.has(id))
    .slice(0, MAX_ENTRIES)
    .map(({ id, name }) => ({
      kind: 'EVALUATOR',
      count: 1,
      title: lost.has(id) ? `“${name}” is no longer verified` : `“${name}” is not verified`,
      detail: reasons.get(id) ?? '',
      href: `/evaluators/${id}?tab=agreement`,
    }));
}

/** Lists issues with many traces and without an evaluator. Traces that the caller reviews blind do not count. */
function undetectedIssues(
  database: Database,
  { application, seenBy }: Caller,
  open: readonly OpenIssue[],
): AttentionItem[] {
  const candidates = open.filter((one) => one.definitionId === null && one.linkCount >= MIN_TRACES);
  const hidden = hiddenLinkCounts(
    database,
    { application, ...seenBy },
    candidates.map(({ id }) => id),
  );
  return candidates
    .map((one) => ({ ...one, linkCount: one.linkCount - (hidden.get(one.id) ?? 0) }))
    .filter(({ linkCount }) => linkCount >= MIN_TRACES)
    .toSorted((a, b) => b.linkCount - a.linkCount)
    .slice(0, MAX_ENTRIES)
    .map(({ number, title }) => ({
      kind: 'ISSUE_WITHOUT_EVALUATOR',
      count: 1,
      title: `Issue #${number} has no evaluator`,
      detail: title,
      href: `/issues/${number}?tab=settings`,
    }));
}

export const attentionQueries = { needsOfPeople };
