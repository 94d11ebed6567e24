import type { ById, Owner } from '../../contract/owner.ts';
import type { ListOf } from '../../contract/paging.ts';
import type { SeenBy } from '../../contract/reviewer.ts';
import type { Actor } from '../../contract/scope.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import { byIndex, orderedJoin, uuidOf } from '../../storage/dialect.ts';
import { notFound } from '../../storage/require-row.ts';
import { withIds } from '../../storage/rows-by-id.ts';
import { placeholders } from '../../storage/sql.ts';
import { traceIdCandidates } from '../../traces/ids.ts';
import { findStoredTrace } from '../../traces/load.ts';
import type { TraceHooks } from '../../traces/purge.ts';
import { shownTo } from '../../traces/withheld/store.ts';
import type { RemoveHooks } from '../../tests/remove-tests.ts';
import { notes } from '../notes/record.ts';
import { addIssueEvent } from './events.ts';
import { byIdOrNumber, findIssueId } from './find.ts';
import { countLinked, countUnlinked } from './link-counts.ts';
import type { Occurrence, OccurrencesQuery } from './link-contract.ts';
import { issueLinks, issues } from './record.ts';

const NS_PER_MS = 1_000_000n;
const PREVIEW_CHARACTERS = 200;

export interface NewLink {
  /** Id of the link. */
  id: string;
  /** Id of the trace as the API shows it. */
  traceId: string;
}

type Linked = 'ADDED' | 'ALREADY' | 'NOT_FOUND';

/** Throws `not_found`, and `conflict` for an issue that was merged into another. */
function requireLinkable(database: Database, application: number, id: string): void {
  const { mergedInto } = issues.pick('id', 'mergedInto').require(database, application, id);
  if (mergedInto === null) return;
  const { number } = issues.pick('id', 'number').require(database, application, mergedInto);
  throw new AppError('conflict', `The issue was merged into issue ${number}; link the traces to that one`);
}

/** Links traces to an issue. Returns for each whether it was linked, was so before, or does not exist. */
export function linkTraces(
  database: Database,
  {
    owner: { application },
    id: issueId,
    traces,
    source,
    at,
  }: ById & { traces: readonly NewLink[]; source: Occurrence['source']; at: number },
): Linked[] {
  requireLinkable(database, application, issueId);
  const seen: number[] = [];
  const results = traces.map(({ id, traceId: given }): Linked => {
    const trace = findStoredTrace(database, application, traceIdCandidates(given));
    if (!trace) return 'NOT_FOUND';
    const seenAt = Number(trace.start / NS_PER_MS);
    const testId = testOfTrace(database, application, trace.tkey);
    const link = { id, issueId, traceId: trace.traceId, testId, seenAt, source };
    if (!issueLinks.tryInsert(database, { application, at }, link)) return 'ALREADY';
    seen.push(seenAt);
    const queueId = queueThatDrew(database, application, trace.traceId);
    if (queueId !== null)
      database.run(
        'UPDATE issue SET sample_queue_id = :queueId WHERE application = :application AND id = :issueId',
        { application, issueId, queueId },
      );
    return 'ADDED';
  });
  countLinked(database, { application, issueId }, seen);
  return results;
}

const testOfTrace = (database: Database, application: number, tkey: number): string | null =>
  database.get<{ id: string }>(
    `SELECT ${uuidOf('test_id')} AS id FROM trace_test
     WHERE application = :application AND tkey = :tkey ORDER BY via, test_id LIMIT 1`,
    { application, tkey },
  )?.id ?? null;

/** Returns the queue that drew a trace at random last; null if none did. */
const queueThatDrew = (database: Database, application: number, traceId: Uint8Array): string | null =>
  database.get<{ id: string }>(
    `SELECT queue_id AS id FROM annotation_queue_item ${byIndex('annotation_queue_item_by_trace')}
     WHERE application = :application AND trace_id = :traceId AND drawn_at IS NOT NULL
     ORDER BY drawn_at DESC, id DESC LIMIT 1`,
    { application, traceId },
  )?.id ?? null;

/** Throws `not_found` unless the application has all these notes. */
const requireNotes = (
  database: Database,
  { owner: { application }, ids }: { owner: Owner; ids: readonly string[] },
): void => notes.requireAll(database, application, ids);

/** Makes notes evidence for an issue and links their traces; returns the number of new links. Throws `not_found`. */
function linkNotes(
  database: Database,
  { owner, id, notes: given, at }: ById & { notes: readonly { id: string; linkId: string }[]; at: number },
): number {
  const { application } = owner;
  requireLinkable(database, application, id);
  const found = notes.pick('id', 'traceId').byIds(
    database,
    application,
    given.map((one) => one.id),
  );
  const known = given.flatMap(({ id: noteId, linkId }) => {
    const note = found.get(noteId);
    return note ? [{ id: linkId, noteId, traceId: note.traceId }] : [];
  });
  for (const { noteId } of known) notes.update(database, { application, id: noteId, at }, { issueId: id });
  const results = linkTraces(database, { owner, id, traces: known, source: 'NOTE', at });
  return results.filter((result) => result === 'ADDED').length;
}

/** Adds the event of a request that linked traces. */
function noteLinked(
  database: Database,
  { owner, id, count, actor, at }: ById & { count: number; actor: Actor; at: number },
): void {
  const { application } = owner;
  addIssueEvent(database, { application, issueId: id, kind: 'LINKED', actor, at, detail: { count } });
}

/** Removes a link, and the notes on its trace from the issue. Throws `not_found`. */
function unlinkTrace(
  database: Database,
  {
    owner: { application },
    id: issueId,
    linkId,
    actor,
    at,
  }: ById & { linkId: string; actor: Actor; at: number },
): void {
  const link = database.get<{ traceId: Buffer; seenAt: number }>(
    `SELECT trace_id AS "traceId", seen_at AS "seenAt" FROM issue_link
     WHERE application = :application AND issue_id = :issueId AND id = :linkId`,
    { application, issueId, linkId },
  );
  if (!link) throw notFound('link');
  issueLinks.delete(database, { application, id: linkId });
  notes.updateAll(
    database,
    { application, at },
    { issueId: null },
    'issue_id = :issueId AND trace_id = :traceId',
    { issueId, traceId: link.traceId },
  );
  countUnlinked(database, { application, issueId }, [link.seenAt]);
  addIssueEvent(database, { application, issueId, kind: 'UNLINKED', actor, at, detail: { count: 1 } });
}

/** Returns the linked traces of an issue that are stored, without those that the caller reviews blind. Throws `not_found`. */
function listOccurrences(
  database: Database,
  { owner, id, query, seenBy }: { owner: Owner; id: string; query: OccurrencesQuery; seenBy: SeenBy },
): ListOf<Occurrence> {
  const issueId = findIssueId(database, owner.application, id);
  const within = { sql: 'issue_id = ?', values: [issueId] };
  const visible = shownTo(database, { application: owner.application, ...seenBy })?.trace('trace_id');
  const where = visible ? [visible] : [];
  const { data, pagination } = issueLinks.list(database, owner, { within, where, page: query });
  const texts = textsOf(
    database,
    owner.application,
    data.map((link) => link.id),
  );
  const shown = data.map(({ issueId: _issue, orgId: _org, applicationId: _application, ...link }) => ({
    ...link,
    input: texts.get(link.id)?.input ?? null,
    output: texts.get(link.id)?.output ?? null,
  }));
  return { data: shown, pagination };
}

interface Texts {
  id: string;
  input: string | null;
  output: string | null;
}

/** Returns the beginnings of the texts of linked traces, by the ids of the links. */
function textsOf(database: Database, application: number, ids: readonly string[]): Map<string, Texts> {
  const rows = database.all<Texts>(
    `SELECT issue_link.id, substr(preview.input, 1, ${PREVIEW_CHARACTERS}) AS input,
       substr(preview.output, 1, ${PREVIEW_CHARACTERS}) AS output
     FROM ${withIds('issue_link')}
     ${orderedJoin} trace ON trace.application = issue_link.application AND trace.trace_id = issue_link.trace_id
     ${orderedJoin} trace_preview AS preview ON preview.tkey = trace.tkey`,
    { application, ids: JSON.stringify(ids) },
  );
  return new Map(rows.map((row) => [row.id, row]));
}

interface OfTrace {
  application: number;
  traceId: Uint8Array;
  limit: number;
}

/** Deletes some links of a trace; returns how many. Counters stay: what was seen was seen. */
function purgeLinks(database: Database, { application, traceId, limit }: OfTrace): number {
  const links = database.all<{ id: string; issueId: string }>(
    `SELECT id, issue_id AS "issueId" FROM issue_link
     WHERE application = :application AND trace_id = :traceId LIMIT :limit`,
    { application, traceId, limit },
  );
  for (const { id, issueId } of links) {
    issueLinks.delete(database, { application, id });
    database.run(
      'UPDATE issue SET deleted_count = deleted_count + 1 WHERE application = :application AND id = :issueId',
      { application, issueId },
    );
  }
  return links.length;
}

/** Removes a trace from some of the issues that name it; returns how many. */
const forgetTrace = (database: Database, { application, traceId, limit }: OfTrace): number =>
  database.run(
    `UPDATE issue SET trace_id = NULL WHERE application = :application AND id IN (
       SELECT id FROM issue WHERE application = :application AND trace_id = :traceId LIMIT :limit)`,
    { application, traceId, limit },
  );

/** Removes tests that are deleted from issues and links. */
function forgetTests(
  database: Database,
  { application, testIds }: { application: number; testIds: readonly string[] },
): void {
  const ids = placeholders(testIds);
  database.run(
    `UPDATE issue SET test_id = NULL WHERE application = ? AND test_id IN (${ids})`,
    application,
    ...testIds,
  );
  database.run(
    `UPDATE issue_link SET test_id = NULL WHERE application = ? AND test_id IN (${ids})`,
    application,
    ...testIds,
  );
}

export const issueLinkCommands = {
  linkTraces,
  linkNotes,
  noteLinked,
  unlinkTrace: byIdOrNumber(unlinkTrace),
};
/** Returns the id of an issue that is named by its id or number. Throws `not_found`. */
const resolveIssueId = (database: Database, { owner, id }: ById): string =>
  findIssueId(database, owner.application, id);

export const issueLinkQueries = { listOccurrences, resolveIssueId, requireNotes };
export const issueLinkHooks = {
  purgeRows: [purgeLinks, forgetTrace],
  beforeTestsRemoved: [forgetTests],
} satisfies Partial<TraceHooks & RemoveHooks>;
