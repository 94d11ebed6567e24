import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import { each, orderedJoin, valuesOf } from '../../storage/dialect.ts';
import { withIds } from '../../storage/rows-by-id.ts';
import type { EvalDefinitionLinks, LinkConfig } from './contract.ts';
import { definitions } from './record.ts';

/** Most linked definitions. Each test is judged by all definitions of its task, its topic and the application. */
const MAX_LINKS = { task: 100, topic: 100, application: 1_000 } as const;
/** Most linked topics, because the record of a definition lists all of them. */
const MAX_TOPICS = 1_000;

export type LinkKind = keyof typeof MAX_LINKS;

export interface Links {
  application: number;
  definitionIds: readonly string[];
  kind: LinkKind;
  /** Ids of tasks or topics, or the uuid of the application. They must exist. */
  targetIds: readonly string[];
}

/**
 * Links each of the definitions to each of the targets. Existing links keep their position and, when `config` is
 * undefined, their config. Throws the errors of `checkLinks`.
 */
export function linkDefinitions(
  database: Database,
  { config, at, ...links }: Links & { config: LinkConfig | undefined; at: number },
): void {
  const { application, definitionIds, kind, targetIds } = links;
  checkLinks(database, links);
  database.run(
    `INSERT INTO definition_link (application, definition_id, kind, target_id, config, created_at)
     SELECT :application, definition.value, :kind, target.value, coalesce(:config, '{}'), :at
     FROM ${each(':definitionIds')} AS definition ${orderedJoin} ${each(':targetIds')} AS target ON true WHERE true
     ON CONFLICT (application, kind, target_id, definition_id) DO UPDATE SET config = coalesce(:config, definition_link.config)`,
    {
      application,
      kind,
      definitionIds: JSON.stringify(definitionIds),
      targetIds: JSON.stringify(targetIds),
      config: config === undefined ? null : JSON.stringify(config),
      at,
    },
  );
}

/** Throws `not_found` for a definition, and `conflict` when one is archived or when there would be too many links. */
export function checkLinks(database: Database, links: Links): void {
  const { application, definitionIds, kind, targetIds } = links;
  requireLinkable(database, application, definitionIds);
  if (isOver(database, links, { of: 'target_id', ids: targetIds, to: definitionIds, most: MAX_LINKS[kind] }))
    throw new AppError(
      'conflict',
      `At most ${MAX_LINKS[kind]} evaluation definitions can be linked to each ${kind}`,
    );
  const topics = { of: 'definition_id', ids: definitionIds, to: targetIds, most: MAX_TOPICS } as const;
  if (kind === 'topic' && isOver(database, links, topics))
    throw new AppError('conflict', `An evaluation definition can be linked to at most ${MAX_TOPICS} topics`);
}

/** Reports whether one of `ids` has more than `most` links once it is linked to all of `to`. */
function isOver(
  database: Database,
  { application, kind }: Pick<Links, 'application' | 'kind'>,
  {
    of,
    ids,
    to,
    most,
  }: { of: 'target_id' | 'definition_id'; ids: readonly string[]; to: readonly string[]; most: number },
): boolean {
  const other = of === 'target_id' ? 'definition_id' : 'target_id';
  const found = database.get(
    `SELECT 1 FROM ${each(':ids')} AS one WHERE :added + (
       SELECT count(*) FROM definition_link WHERE application = :application AND kind = :kind AND ${of} = one.value
         AND ${other} NOT IN ${valuesOf(':to')}) > :most LIMIT 1`,
    { application, kind, ids: JSON.stringify(ids), to: JSON.stringify(to), added: new Set(to).size, most },
  );
  return found !== undefined;
}

function requireLinkable(database: Database, application: number, ids: readonly string[]): void {
  definitions.requireAll(database, application, ids);
  const archived = database.get(`SELECT 1 FROM ${withIds('definition')} WHERE status = 'ARCHIVED' LIMIT 1`, {
    application,
    ids: JSON.stringify(ids),
  });
  if (archived) throw new AppError('conflict', 'An archived evaluation definition cannot be linked');
}

/** Removes links; throws `not_found` for a definition. Links that do not exist are ignored. */
export function unlinkDefinitions(
  database: Database,
  { application, definitionIds, kind, targetIds }: Links,
): void {
  definitions.requireAll(database, application, definitionIds);
  database.run(
    `DELETE FROM definition_link WHERE application = :application AND kind = :kind
       AND target_id IN ${valuesOf(':targetIds')} AND definition_id IN ${valuesOf(':definitionIds')}`,
    { application, kind, targetIds: JSON.stringify(targetIds), definitionIds: JSON.stringify(definitionIds) },
  );
}

/** Most links of a definition that one command removes, because their configs may be long. */
const STEP_LINKS = 500;

/** Removes some links of a definition; returns whether there may be more. */
export function removeSomeLinks(
  database: Database,
  { application, definitionId }: { application: number; definitionId: string },
): boolean {
  const removed = database.run(
    `DELETE FROM definition_link WHERE application = :application AND id IN (
       SELECT id FROM definition_link WHERE application = :application AND definition_id = :definitionId LIMIT :limit)`,
    { application, definitionId, limit: STEP_LINKS },
  );
  return removed === STEP_LINKS;
}

/** Links exactly these definitions to a task or a topic. Throws the errors of `checkLinks`. */
export function replaceLinks(
  database: Database,
  target: Pick<Links, 'application' | 'kind'> & { targetId: string; at: number },
  links: EvalDefinitionLinks,
): void {
  const { targetId, ...rest } = target;
  removeLinks(database, target);
  for (const { evalDefinitionId, config } of links)
    linkDefinitions(database, { ...rest, targetIds: [targetId], definitionIds: [evalDefinitionId], config });
}

/** Unlinks all definitions from a task or a topic. */
export function removeLinks(
  database: Database,
  { application, kind, targetId }: Pick<Links, 'application' | 'kind'> & { targetId: string },
): void {
  database.run(
    'DELETE FROM definition_link WHERE application = :application AND kind = :kind AND target_id = :targetId',
    { application, kind, targetId },
  );
}
