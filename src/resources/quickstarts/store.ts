import type { ListOf } from '../../contract/paging.ts';
import { isOneOf } from '../../storage/sql.ts';
import type { ById, Owner } from '../../contract/owner.ts';
import { mergeOperations } from '../../storage/operations.ts';
import type { Database } from '../../storage/database.ts';
import { ifUnchanged } from '../../storage/unchanged.ts';
import type {
  OneQuickstart,
  Quickstart,
  QuickstartChanges,
  QuickstartFields,
  QuickstartsQuery,
} from './contract.ts';
import { quickstartCompletionCommands } from './complete.ts';
import { listConversations } from './conversation-list.ts';
import { moveQuickstart } from './move.ts';
import { countPolicies } from './policy-counts.ts';
import { quickstarts } from './record.ts';
import { takeUploadRows } from './take-rows.ts';
import { countSteps } from './step-counts.ts';
import { quickstartUploadCommands, uploadQueries, uploadsByQuickstart, uploadsOf } from './upload-store.ts';
import { styleGuides } from '../style-guides/record.ts';

/** Creates a quickstart; throws `not_found` for the style guide. */
function createQuickstart(
  database: Database,
  { owner, id, fields: { name, styleGuideId }, at }: ById & { fields: QuickstartFields; at: number },
): OneQuickstart {
  requireStyleGuide(database, owner, styleGuideId);
  const status = 'UPLOADING';
  quickstarts.insert(
    database,
    { application: owner.application, at },
    { id, name, status, styleGuideId, reason: null },
  );
  return getQuickstart(database, { owner, id });
}

/**
 * Updates a quickstart. Throws `not_found` for the quickstart or the style guide, and `conflict` when the change of
 * status is not allowed.
 */
function updateQuickstart(
  database: Database,
  { owner, id, given: { status, ...given }, at }: ById & { given: QuickstartChanges; at: number },
): OneQuickstart {
  const { application } = owner;
  const before = getQuickstart(database, { owner, id });
  if (given.styleGuideId && given.styleGuideId !== before.styleGuideId)
    requireStyleGuide(database, owner, given.styleGuideId);
  if (status !== undefined && status !== before.status)
    moveQuickstart(database, { application, id, to: status, actor: 'person', at });
  quickstarts.update(database, { application, id, at }, given);
  return getQuickstart(database, { owner, id });
}

function requireStyleGuide(database: Database, { application }: Owner, id: string | null): void {
  styleGuides.requireAll(database, application, [id]);
}

/** Returns a quickstart; throws `not_found`. */
function getQuickstart(database: Database, { owner, id }: ById): OneQuickstart {
  const { application } = owner;
  const quickstart = quickstarts.get(database, { owner, id });
  const count = (table: string): number =>
    database.get<{ n: number }>(
      `SELECT count(*) AS n FROM ${table} WHERE application = :application AND quickstart_id = :id`,
      { application, id },
    )?.n ?? 0;
  const counts = {
    topics: count('topic'),
    tasks: count('task'),
    definitions: count('definition'),
    documents: count('document'),
  };
  return { ...quickstart, uploads: uploadsOf(database, application, id), counts };
}

function listQuickstarts(
  database: Database,
  { owner, query: { status, ...page } }: { owner: Owner; query: QuickstartsQuery },
): ListOf<Quickstart> {
  const where = status ? [isOneOf('status', status)] : [];
  const { data, pagination } = quickstarts.list(database, owner, { where, page });
  const ids = data.map(({ id }) => id);
  const uploads = uploadsByQuickstart(database, owner.application, ids);
  return { data: data.map((one) => ({ ...one, uploads: uploads.get(one.id) ?? [] })), pagination };
}

export const quickstartCommands = mergeOperations(
  { createQuickstart, updateQuickstart: ifUnchanged(quickstarts, updateQuickstart), takeUploadRows },
  quickstartUploadCommands,
  quickstartCompletionCommands,
);
export const quickstartQueries = mergeOperations(
  { getQuickstart, listQuickstarts, countPolicies, countSteps, listConversations },
  uploadQueries,
);
