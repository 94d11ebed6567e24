import { randomUUID } from 'node:crypto';
import { applyPatch } from '../../contract/apply-patch.ts';
import type { ById, Owner } from '../../contract/owner.ts';
import type { ListOf } from '../../contract/paging.ts';
import type { SeenBy } from '../../contract/reviewer.ts';
import type { Actor } from '../../contract/scope.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import { containsText } from '../../storage/dialect.ts';
import { oneOfEach } from '../../storage/sql.ts';
import { ifUnchanged } from '../../storage/unchanged.ts';
import { tests } from '../../tests/record.ts';
import { firstTraceOfTest } from '../../traces/traces-of-test.ts';
import { definitions } from '../definitions/record.ts';
import { experiments } from '../experiments/record.ts';
import { annotations } from '../human-annotations/record.ts';
import { notes } from '../notes/record.ts';
import { tasks } from '../tasks/record.ts';
import { topics } from '../topics/record.ts';
import { requireTrace } from '../traces/trace-reference.ts';
import type { GivenIssueFields, IssueRecord, IssueCounts, IssueFields, IssuesQuery } from './contract.ts';
import { addIssueEvent, listIssueActivity } from './events.ts';
import { byIdOrNumber, findIssueId } from './find.ts';
import { withoutHiddenLinks } from './hidden-links.ts';
import { linkTraces } from './link-store.ts';
import { issueLinks, issues } from './record.ts';
import { shownIssues } from './shown.ts';

/** Most issues of an application. */
const MAX_ISSUES = 100_000;
/** Most links and notes that one command of a deletion changes. */
const STEP_ROWS = 500;

interface Acting {
  actor: Actor;
  at: number;
}

/** Creates an issue and links the trace that shows it. Throws `not_found` and `conflict`. */
function createIssue(
  database: Database,
  { owner, id, fields, actor, at }: ById & Acting & { fields: IssueFields },
): IssueRecord {
  const { application } = owner;
  const { match: matchLine, traceId: _given, ...rest } = fields;
  requireReferences(database, application, fields);
  requireParent(database, application, { id, parentId: fields.parentId });
  const traceId = fields.traceId === null ? null : requireTrace(database, application, fields.traceId);
  issues.insert(
    database,
    { application, at },
    {
      ...rest,
      id,
      traceId,
      matchLine,
      number: takeNumber(database, application),
      status: 'OPEN',
      linkCount: 0,
      deletedCount: 0,
      lastSeenAt: at,
      creatorType: actor.type,
      creatorId: actor.id,
      creatorName: actor.name,
    },
  );
  addIssueEvent(database, { application, issueId: id, kind: 'CREATED', actor, at });
  const shown = tracesOf(database, application, { ...fields, traceId });
  const traces = shown.map((bytes) => ({ id: randomUUID(), traceId: bytes.toString('hex') }));
  if (traces.length > 0) linkTraces(database, { owner, id, traces, source: 'SELECTION', at });
  return getIssue(database, { owner, id, now: at });
}

/** Returns the traces that the fields of a new issue name: its own, the first of its test, that of its annotation. */
function tracesOf(
  database: Database,
  application: number,
  fields: { traceId: Buffer | null; testId: string | null; humanAnnotationId: string | null },
): Buffer[] {
  const ofTest = fields.testId && firstTraceOfTest(database, application, fields.testId);
  const ofAnnotation =
    fields.humanAnnotationId &&
    database.get<{ traceId: Buffer }>(
      'SELECT trace_id AS "traceId" FROM human_annotation WHERE application = :application AND id = :id',
      { application, id: fields.humanAnnotationId },
    )?.traceId;
  const all = [fields.traceId, ofTest, ofAnnotation].flatMap((one) => (one ? Buffer.from(one) : []));
  return [...new Map(all.map((one) => [one.toString('hex'), one])).values()];
}

/** Takes the next number of an application. Throws `conflict` when there are too many issues. */
function takeNumber(database: Database, application: number): number {
  const { n = 0 } =
    database.get<{ n: number }>('SELECT count(*) AS n FROM issue WHERE application = :application', {
      application,
    }) ?? {};
  if (n >= MAX_ISSUES)
    throw new AppError('conflict', `The application already has ${MAX_ISSUES} issues; delete one first`);
  const row = database.get<{ last: number }>(
    `INSERT INTO issue_number (application, last) VALUES (:application, 1)
     ON CONFLICT (application) DO UPDATE SET last = issue_number.last + 1 RETURNING last`,
    { application },
  );
  if (!row) throw new Error('no number of an issue');
  return row.last;
}

/** Throws `not_found` for a record that an issue names. */
function requireReferences(
  database: Database,
  application: number,
  fields: GivenIssueFields & { testId?: string | null; humanAnnotationId?: string | null },
): void {
  tasks.requireAll(database, application, [fields.taskId]);
  topics.requireAll(database, application, [fields.topicId]);
  definitions.requireAll(database, application, [fields.evalDefinitionId]);
  experiments.requireAll(database, application, [fields.experimentId]);
  tests.requireAll(database, application, [fields.testId]);
  annotations.requireAll(database, application, [fields.humanAnnotationId]);
}

/** Throws `not_found` for a parent, and `conflict` for one that would make a chain. */
function requireParent(
  database: Database,
  application: number,
  { id, parentId }: { id: string; parentId: string | null | undefined },
): void {
  if (parentId === null || parentId === undefined) return;
  const parent = issues.pick('id', 'parentId').require(database, application, parentId);
  if (parent.id === id) throw new AppError('conflict', 'An issue cannot be a part of itself');
  const sql = 'SELECT 1 FROM issue WHERE application = :application AND parent_id = :id';
  if (parent.parentId !== null || database.get(sql, { application, id }) !== undefined)
    throw new AppError('conflict', 'A part of an issue cannot have parts');
}

/** Throws `not_found` and `conflict`. */
function updateIssue(
  database: Database,
  { owner, id, given, actor, at }: ById & Acting & { given: GivenIssueFields },
): IssueRecord {
  const { application } = owner;
  const before = getIssue(database, { owner, id, now: at });
  const after = applyPatch<IssueRecord>(before, given);
  const fields = (Object.keys(given) as (keyof GivenIssueFields)[]).filter(
    (name) => before[name] !== after[name],
  );
  if (fields.length === 0) return before;
  requireReferences(database, application, given);
  requireParent(database, application, { id, parentId: given.parentId });
  const { match: matchLine, ...rest } = given;
  issues.update(database, { application, id, at }, { ...rest, matchLine });
  addIssueEvent(database, { application, issueId: id, kind: 'UPDATED', actor, at, detail: { fields } });
  return getIssue(database, { owner, id, now: at });
}

/** Deletes some links and notes of an issue, and the issue when none is left; returns whether there is more. Throws `not_found`. */
function deleteIssue(database: Database, { owner: { application }, id, at }: ById & { at: number }): boolean {
  issues.pick('id').require(database, application, id);
  const some = { issueId: id, limit: STEP_ROWS };
  const links = issueLinks.deleteSome(database, application, 'issue_id = :issueId', some);
  const freed = notes.updateSome(
    database,
    { application, at },
    { issueId: null },
    'issue_id = :issueId',
    some,
  );
  if (links === STEP_ROWS || freed.length === STEP_ROWS) return true;
  for (const sql of [
    'UPDATE issue SET parent_id = NULL WHERE application = :application AND parent_id = :id',
    'UPDATE issue SET merged_into = NULL WHERE application = :application AND merged_into = :id',
    'DELETE FROM issue_day WHERE application = :application AND issue_id = :id',
    'DELETE FROM issue_event WHERE application = :application AND issue_id = :id',
  ])
    database.run(sql, { application, id });
  issues.delete(database, { application, id });
  return false;
}

/** Returns an issue by its id or number, for a caller without the traces that the caller reviews blind. Throws `not_found`. */
export function getIssue(
  database: Database,
  { owner, id, now, seenBy }: ById & { now: number; seenBy?: SeenBy },
): IssueRecord {
  const { application } = owner;
  const issue = issues.get(database, { owner, id: findIssueId(database, application, id) });
  const shown = shownIssues(database, { application, now }, [issue]);
  const seen = seenBy ? withoutHiddenLinks(database, { application, ...seenBy }, shown) : shown;
  return seen[0] as IssueRecord;
}

const PRIORITY = "CASE priority WHEN 'HIGH' THEN 2 WHEN 'MEDIUM' THEN 1 ELSE 0 END";

function listIssues(
  database: Database,
  { owner, query, seenBy }: { owner: Owner; query: IssuesQuery; seenBy: SeenBy },
): ListOf<IssueRecord> & { counts: IssueCounts } {
  const { application } = owner;
  const { status, type, source, priority, parentId, topicId, taskId, evalDefinitionId, ownerId, search } =
    query;
  const rest = oneOfEach({
    type,
    source,
    priority,
    parent_id: parentId,
    topic_id: topicId,
    task_id: taskId,
    eval_definition_id: evalDefinitionId,
    owner_id: ownerId,
  });
  const { isReopened } = query;
  if (isReopened !== undefined)
    rest.push({ sql: `reopened_at IS ${isReopened ? 'NOT ' : ''}NULL`, values: [] });
  if (search !== undefined) rest.push({ sql: containsText('?', 'title', 'description'), values: [search] });
  const where = [...oneOfEach({ status }), ...rest];
  const order = { priority: PRIORITY };
  const { data, pagination } = issues.list(database, owner, { where, order, page: query });
  const rows = database.all<{ status: IssueRecord['status']; priority: IssueRecord['priority']; n: number }>(
    `SELECT status, priority, count(*) AS n FROM issue
     WHERE ${['application = ?', ...rest.map(({ sql }) => `(${sql})`)].join(' AND ')} GROUP BY status, priority`,
    application,
    ...rest.flatMap(({ values }) => values),
  );
  const shown = shownIssues(database, { application, now: seenBy.now }, data);
  const seen = withoutHiddenLinks(database, { application, ...seenBy }, shown);
  return { data: seen, pagination, counts: countsOf(rows) };
}

function countsOf(
  rows: readonly { status: IssueRecord['status']; priority: IssueRecord['priority']; n: number }[],
): IssueCounts {
  const sum = (isCounted: (row: (typeof rows)[number]) => boolean): number =>
    rows.filter(isCounted).reduce((total, { n }) => total + n, 0);
  return {
    open: sum((row) => row.status === 'OPEN'),
    resolved: sum((row) => row.status === 'RESOLVED'),
    rejected: sum((row) => row.status === 'REJECTED'),
    openHigh: sum((row) => row.status === 'OPEN' && row.priority === 'HIGH'),
  };
}

export const issueCommands = {
  createIssue,
  updateIssue: byIdOrNumber(ifUnchanged(issues, updateIssue)),
  deleteIssue: byIdOrNumber(deleteIssue),
};
export const issueQueries = { getIssue, listIssues, listIssueActivity };
