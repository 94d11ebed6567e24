import { applyPatch } from '../../contract/apply-patch.ts';
import type { ById, Owner } from '../../contract/owner.ts';
import type { ListOf } from '../../contract/paging.ts';
import type { Actor } from '../../contract/scope.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import { ifUnchanged } from '../../storage/unchanged.ts';
import type { FieldsOf } from '../../storage/record.ts';
import { notFound } from '../../storage/require-row.ts';
import { isOneOf, oneOfEach } from '../../storage/sql.ts';
import type { GivenViewFields, View, ViewFields, ViewsQuery } from './contract.ts';
import { filtersBy } from './filters-by.ts';
import { views } from './record.ts';

/** Most shared views of an application, and most other views of each user or key in it. */
const MAX_VIEWS = 200;
/** Owner of shared views. */
const EVERYBODY = '';

interface Caller {
  actor: Actor;
  /** True if the caller may create and change shared views. */
  mayShare: boolean;
}

const ownerOfView = (isShared: boolean, { type, id }: Pick<Actor, 'type' | 'id'>): string =>
  isShared ? EVERYBODY : `${type}:${id}`;

function createView(
  database: Database,
  { owner, id, fields, at, actor, mayShare }: ById & Caller & { fields: ViewFields; at: number },
): View {
  const { isShared, ...rest } = fields;
  if (isShared) requireSharing(mayShare);
  const place = { owner: ownerOfView(isShared, actor), screen: fields.screen, name: fields.name };
  requireRoom(database, owner.application, place.owner);
  requireFreeName(database, owner.application, { ...place, id });
  const creator = { creatorType: actor.type, creatorId: actor.id, creatorName: actor.name };
  views.insert(database, { application: owner.application, at }, { ...rest, ...place, ...creator, id });
  return getView(database, { owner, id, actor });
}

/** Throws `not_found`, `forbidden` and `conflict`. */
function updateView(
  database: Database,
  { owner, id, given, at, actor, mayShare }: ById & Caller & { given: GivenViewFields; at: number },
): View {
  const before = getView(database, { owner, id, actor });
  const after = applyPatch<View>(before, given);
  if (before.isShared || after.isShared) requireSharing(mayShare);
  const { type, id: creatorId } = before.createdBy;
  if (!after.isShared && (type !== actor.type || creatorId !== actor.id))
    throw new AppError('forbidden', 'Only its creator can make a shared view private');
  const place = { owner: ownerOfView(after.isShared, actor), screen: after.screen, name: after.name };
  if (after.isShared !== before.isShared) requireRoom(database, owner.application, place.owner);
  requireFreeName(database, owner.application, { ...place, id });
  const { isShared: _, ...changed } = given;
  views.update(database, { application: owner.application, id, at }, { ...changed, owner: place.owner });
  return getView(database, { owner, id, actor });
}

/** Throws `not_found` and `forbidden`. */
function deleteView(database: Database, { owner, id, actor, mayShare }: ById & Caller): void {
  if (getView(database, { owner, id, actor }).isShared) requireSharing(mayShare);
  views.delete(database, { application: owner.application, id });
}

/** Returns a view that the actor can see. Throws `not_found`. */
function getView(database: Database, { owner, id, actor }: ById & { actor: Actor }): View {
  const view = views.get(database, { owner, id });
  if (!visibleTo(actor).includes(view.owner)) throw notFound('view');
  return shown(view);
}

function listViews(
  database: Database,
  { owner, query, actor }: { owner: Owner; query: ViewsQuery; actor: Actor },
): ListOf<View> {
  const where = [isOneOf('owner', visibleTo(actor)), ...oneOfEach({ screen: query.screen })];
  const { data, pagination } = views.list(database, owner, { where, page: query });
  return { data: data.map(shown), pagination };
}

const visibleTo = (actor: Actor): string[] => [EVERYBODY, ownerOfView(false, actor)];

function shown({
  owner,
  creatorType,
  creatorId,
  creatorName,
  ...view
}: FieldsOf<typeof views> & Pick<Owner, 'orgId' | 'applicationId'>): View {
  const createdBy = { type: creatorType, id: creatorId, name: creatorName };
  return { ...view, isShared: owner === EVERYBODY, createdBy };
}

function requireSharing(mayShare: boolean): void {
  if (!mayShare)
    throw new AppError('forbidden', 'The scope "write" is needed to create or change a shared view');
}

function requireRoom(database: Database, application: number, owner: string): void {
  const sql = 'SELECT count(*) AS n FROM saved_view WHERE application = :application AND owner = :owner';
  if ((database.get<{ n: number }>(sql, { application, owner })?.n ?? 0) < MAX_VIEWS) return;
  const whose = owner === EVERYBODY ? 'The application already has' : 'You already have';
  const kind = owner === EVERYBODY ? 'shared views' : 'views of your own';
  throw new AppError('conflict', `${whose} ${MAX_VIEWS} ${kind}; delete one first`);
}

function requireFreeName(
  database: Database,
  application: number,
  { id, ...place }: { id: string; owner: string; screen: string; name: string },
): void {
  const condition = 'owner = :owner AND screen = :screen AND name = :name';
  const [other] = views.all(database, application, condition, place);
  if (other && other.id !== id)
    throw new AppError(
      'conflict',
      `The screen already has a view with the name ${JSON.stringify(place.name)}`,
    );
}

export const viewCommands = { createView, updateView: ifUnchanged(views, updateView), deleteView };
export const viewQueries = { getView, listViews };

/** Deletes the views of their own of a user, in one application or in all; shared ones stay. */
export function deleteViewsOfUser(
  database: Database,
  { application, userId }: { application: number | null; userId: string },
): void {
  database.run(
    'DELETE FROM saved_view WHERE (application = :application OR :application IS NULL) AND owner = :owner',
    { application, owner: ownerOfView(false, { type: 'user', id: userId }) },
  );
}

/** Deletes the views that filter by one of the ids of a user or a session; returns how many. */
export function deleteViewsNaming(
  database: Database,
  { application, values }: { application: number; values: readonly string[] },
): number {
  const found = database
    .all<{ id: string; filter: string }>(
      'SELECT id, filter FROM saved_view WHERE application = :application',
      {
        application,
      },
    )
    .map(({ id, filter }) => ({ id, filter: JSON.parse(filter) as ViewFields['filter'] }))
    .filter(({ filter }) => values.some((value) => filtersBy(filter, value)));
  for (const { id } of found) views.delete(database, { application, id });
  return found.length;
}
