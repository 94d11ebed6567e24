import type { Pagination } from '../../contract/paging.ts';
import { isoTime } from '../../contract/values.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import type { Owner } from '../../traces/read.ts';
import { listRows } from '../list-rows.ts';
import { madeByQuickstart } from '../made-by-quickstart.ts';
import { requireRows } from '../require-rows.ts';
import type { StyleGuide, StyleGuideContent, StyleGuidesQuery } from './contract.ts';

interface ById {
  owner: Owner;
  id: string;
}

/** Throws `not_found` of the quickstart. */
function createStyleGuide(
  database: Database,
  {
    owner,
    id,
    content,
    quickstartId,
    at,
  }: ById & { content: StyleGuideContent; quickstartId: string | null; at: number },
): StyleGuide {
  const { application } = owner;
  if (quickstartId !== null) requireRows(database, application, 'quickstart', [quickstartId]);
  database.run(
    `INSERT INTO style_guide (id, application, quickstart_id, content, created_at, modified_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?5)`,
    id,
    application,
    quickstartId,
    JSON.stringify(content),
    at,
  );
  return getStyleGuide(database, { owner, id });
}

/** Throws `not_found`. */
function updateStyleGuide(
  database: Database,
  { owner, id, content, at }: ById & { content: StyleGuideContent | undefined; at: number },
): StyleGuide {
  database.run(
    `UPDATE style_guide SET content = coalesce(?, content), modified_at = ? WHERE application = ? AND id = ?`,
    content === undefined ? null : JSON.stringify(content),
    at,
    owner.application,
    id,
  );
  return getStyleGuide(database, { owner, id });
}

/** Throws `not_found`. */
export function approveStyleGuide(database: Database, { owner, id, at }: ById & { at: number }): StyleGuide {
  const { content } = getStyleGuide(database, { owner, id });
  const approved = content.map((section) => ({ ...section, approved: true }));
  return updateStyleGuide(database, { owner, id, content: approved, at });
}

interface Row extends Pick<StyleGuide, 'id' | 'quickstartId'> {
  content: string;
  createdAt: number;
  modifiedAt: number;
}
const COLUMNS =
  'id, quickstart_id AS quickstartId, content, created_at AS createdAt, modified_at AS modifiedAt';
const ORDER = { createdAt: 'created_at', modifiedAt: 'modified_at', id: 'id' };

/** Throws `not_found`. */
function getStyleGuide(database: Database, { owner, id }: ById): StyleGuide {
  const row = database.get<Row>(
    `SELECT ${COLUMNS} FROM style_guide WHERE application = ? AND id = ?`,
    owner.application,
    id,
  );
  if (!row) throw new AppError('not_found', 'style guide not found');
  return styleGuideOf(row, owner);
}

function listStyleGuides(
  database: Database,
  { owner, query: { quickstartId, ...page } }: { owner: Owner; query: StyleGuidesQuery },
): { data: StyleGuide[]; pagination: Pagination } {
  const { rows, pagination } = listRows<Row, keyof typeof ORDER>(database, {
    application: owner.application,
    table: 'style_guide',
    columns: COLUMNS,
    where: quickstartId ? [madeByQuickstart('style_guide', owner.application, quickstartId)] : [],
    order: ORDER,
    page,
  });
  return { data: rows.map((row) => styleGuideOf(row, owner)), pagination };
}

const styleGuideOf = (
  { content, createdAt, modifiedAt, ...row }: Row,
  { orgId, applicationId }: Owner,
): StyleGuide => ({
  ...row,
  orgId,
  applicationId,
  createdAt: isoTime(createdAt),
  modifiedAt: isoTime(modifiedAt),
  content: JSON.parse(content) as StyleGuideContent,
});

export const styleGuideCommands = { createStyleGuide, updateStyleGuide };
export const styleGuideQueries = { getStyleGuide, listStyleGuides };
