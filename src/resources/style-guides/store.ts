import type { ById, Owner } from '../../contract/owner.ts';
import type { ListOf } from '../../contract/paging.ts';
import type { Database } from '../../storage/database.ts';
import { madeByQuickstart } from '../../storage/sql.ts';
import type { StyleGuide, StyleGuideContent, StyleGuidesQuery } from './contract.ts';
import { styleGuides } from './record.ts';
import { quickstarts } from '../quickstarts/record.ts';

/** Creates a style guide; throws `not_found` for the quickstart. */
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
  quickstarts.requireAll(database, application, [quickstartId]);
  styleGuides.insert(database, { application, at }, { id, quickstartId, content });
  return styleGuides.get(database, { owner, id });
}

/** Updates a style guide; throws `not_found`. */
function updateStyleGuide(
  database: Database,
  { owner, id, content, at }: ById & { content: StyleGuideContent | undefined; at: number },
): StyleGuide {
  styleGuides.update(database, { application: owner.application, id, at }, { content });
  return styleGuides.get(database, { owner, id });
}

/** Approves a style guide; throws `not_found`. */
export function approveStyleGuide(database: Database, { owner, id, at }: ById & { at: number }): StyleGuide {
  const { content } = styleGuides.get(database, { owner, id });
  const approved = content.map((section) => ({ ...section, approved: true }));
  return updateStyleGuide(database, { owner, id, content: approved, at });
}

function listStyleGuides(
  database: Database,
  { owner, query: { quickstartId, ...page } }: { owner: Owner; query: StyleGuidesQuery },
): ListOf<StyleGuide> {
  const where = quickstartId ? [madeByQuickstart('style_guide', owner.application, quickstartId)] : [];
  return styleGuides.list(database, owner, { where, page });
}

export const styleGuideCommands = { createStyleGuide, updateStyleGuide };
export const styleGuideQueries = { getStyleGuide: styleGuides.get, listStyleGuides };
