import type { Pagination } from '../../contract/paging.ts';
import { isoTime } from '../../contract/values.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import type { Owner } from '../../traces/read.ts';
import { listRows, oneOf } from '../list-rows.ts';
import { requireRow, requireRows } from '../require-rows.ts';
import { withGiven } from '../with-given.ts';
import type {
  OneQuickstart,
  Quickstart,
  QuickstartChanges,
  QuickstartFields,
  QuickstartsQuery,
} from './contract.ts';
import { completionCommands } from './complete.ts';
import { listConversations } from './conversation-list.ts';
import type { Makers } from './makers.ts';
import { moveQuickstart } from './move.ts';
import { countPolicies } from './policy-counts.ts';
import { takeUploadRows } from './take-rows.ts';
import { uploadCommands, uploadQueries, uploadsOf } from './upload-store.ts';

interface ById {
  owner: Owner;
  id: string;
}

/** Throws `not_found` of the style guide. */
function createQuickstart(
  database: Database,
  { owner, id, fields: { name, styleGuideId }, at }: ById & { fields: QuickstartFields; at: number },
): OneQuickstart {
  requireStyleGuide(database, owner, styleGuideId);
  database.run(
    `INSERT INTO quickstart (id, application, name, status, style_guide_id, created_at, modified_at)
     VALUES (?1, ?2, ?3, 'UPLOADING', ?4, ?5, ?5)`,
    id,
    owner.application,
    name,
    styleGuideId,
    at,
  );
  return getQuickstart(database, { owner, id });
}

/** Throws `not_found` of the quickstart or the style guide, and `conflict` when its status may not be changed so. */
function updateQuickstart(
  database: Database,
  { owner, id, given: { status, ...given }, at }: ById & { given: QuickstartChanges; at: number },
): OneQuickstart {
  const { application } = owner;
  const before = getQuickstart(database, { owner, id });
  const { name, styleGuideId } = withGiven<QuickstartFields>(before, given);
  if (styleGuideId !== before.styleGuideId) requireStyleGuide(database, owner, styleGuideId);
  if (status !== undefined && status !== before.status)
    moveQuickstart(database, { application, id, to: status, mover: 'person', at });
  database.run(
    'UPDATE quickstart SET name = ?, style_guide_id = ?, modified_at = ? WHERE application = ? AND id = ?',
    name,
    styleGuideId,
    at,
    application,
    id,
  );
  return getQuickstart(database, { owner, id });
}

function requireStyleGuide(database: Database, { application }: Owner, id: string | null): void {
  if (id !== null) requireRows(database, application, 'style_guide', [id]);
}

type Row = Omit<Quickstart, 'createdAt' | 'modifiedAt'> & Record<'createdAt' | 'modifiedAt', number>;
const COLUMNS = `id, name, status, style_guide_id AS styleGuideId, reason, created_at AS createdAt,
  modified_at AS modifiedAt`;
const ORDER = {
  createdAt: 'created_at',
  modifiedAt: 'modified_at',
  name: 'name',
  status: 'status',
  id: 'id',
};

/** Throws `not_found`. */
function getQuickstart(database: Database, { owner, id }: ById): OneQuickstart {
  const { application } = owner;
  const row = requireRow<Row>(database, application, 'quickstart', id, COLUMNS);
  const count = (table: string): number =>
    database.get<{ n: number }>(
      `SELECT count(*) AS n FROM ${table} WHERE application = ? AND quickstart_id = ?`,
      application,
      id,
    )?.n ?? 0;
  const counts = {
    topics: count('topic'),
    tasks: count('task'),
    definitions: count('definition'),
    documents: count('document'),
  };
  return { ...quickstartOf(database, row, owner), counts };
}

function listQuickstarts(
  database: Database,
  { owner, query: { status, ...page } }: { owner: Owner; query: QuickstartsQuery },
): { data: Quickstart[]; pagination: Pagination } {
  const { rows, pagination } = listRows<Row, keyof typeof ORDER>(database, {
    application: owner.application,
    table: 'quickstart',
    columns: COLUMNS,
    where: status ? [oneOf('status', status)] : [],
    order: ORDER,
    page,
  });
  return { data: rows.map((row) => quickstartOf(database, row, owner)), pagination };
}

const quickstartOf = (
  database: Database,
  row: Row,
  { application, orgId, applicationId }: Owner,
): Quickstart => ({
  ...row,
  orgId,
  applicationId,
  createdAt: isoTime(row.createdAt),
  modifiedAt: isoTime(row.modifiedAt),
  uploads: uploadsOf(database, application, row.id),
});

export const quickstartCommands = (makers: Makers) => ({
  createQuickstart,
  updateQuickstart,
  ...uploadCommands,
  takeUploadRows: takeUploadRows(makers),
  ...completionCommands(makers),
});
export const quickstartQueries = {
  getQuickstart,
  listQuickstarts,
  countPolicies,
  listConversations,
  ...uploadQueries,
};
