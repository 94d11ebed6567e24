import type { ById, Owner } from '../../contract/owner.ts';
import { AppError } from '../../errors.ts';
import type { ListOf } from '../../contract/paging.ts';
import type { Database } from '../../storage/database.ts';
import { ifUnchanged } from '../../storage/unchanged.ts';
import { madeByQuickstart } from '../../storage/sql.ts';
import {
  isInLimits,
  type StyleGuide,
  type StyleGuideChange,
  type StyleGuideContent,
  type StyleGuidesQuery,
} from './contract.ts';
import { styleGuides } from './record.ts';
import { quickstarts } from '../quickstarts/record.ts';

/** Creates a style guide; throws `not_found` for the quickstart. */
function createStyleGuide(
  database: Database,
  {
    owner,
    id,
    change,
    quickstartId,
    at,
  }: ById & { change: StyleGuideChange | null; quickstartId: string | null; at: number },
): StyleGuide {
  const { application } = owner;
  const content = changed([], change) ?? [];
  quickstarts.requireAll(database, application, [quickstartId]);
  styleGuides.insert(database, { application, at }, { id, quickstartId, content });
  return styleGuides.get(database, { owner, id });
}

/** Updates a style guide; throws `not_found`. */
function updateStyleGuide(
  database: Database,
  { owner, id, change, at }: ById & { change: StyleGuideChange | null; at: number },
): StyleGuide {
  const content = changed(styleGuides.get(database, { owner, id }).content, change);
  styleGuides.update(database, { application: owner.application, id, at }, { content });
  return styleGuides.get(database, { owner, id });
}

/** Returns the sections after a change; undefined if there is none. Throws `conflict` when they are too long. */
function changed(
  sections: StyleGuideContent,
  change: StyleGuideChange | null,
): StyleGuideContent | undefined {
  if (change === null) return undefined;
  if ('sections' in change) return change.sections;
  const { section } = change;
  const place = sections.findIndex(({ heading }) => heading === section.heading);
  const after = place === -1 ? [...sections, section] : sections.with(place, section);
  if (!isInLimits(after)) throw new AppError('conflict', 'the style guide has no room for this section');
  return after;
}

/** Approves a style guide; throws `not_found`. */
export function approveStyleGuide(database: Database, { owner, id, at }: ById & { at: number }): StyleGuide {
  const { content } = styleGuides.get(database, { owner, id });
  const approved = content.map((section) => ({ ...section, approved: true }));
  return updateStyleGuide(database, { owner, id, change: { sections: approved }, at });
}

function listStyleGuides(
  database: Database,
  { owner, query: { quickstartId, ...page } }: { owner: Owner; query: StyleGuidesQuery },
): ListOf<StyleGuide> {
  const where = quickstartId ? [madeByQuickstart('style_guide', owner.application, quickstartId)] : [];
  return styleGuides.list(database, owner, { where, page });
}

export const styleGuideCommands = {
  createStyleGuide,
  updateStyleGuide: ifUnchanged(styleGuides, updateStyleGuide),
};
export const styleGuideQueries = { getStyleGuide: styleGuides.get, listStyleGuides };
