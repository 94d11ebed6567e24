import { AppError } from '../errors.ts';
import type { Database } from '../storage/sqlite/database.ts';
import { withIds } from '../storage/sqlite/rows-by-id.ts';
import type { EvalDefinitionLinks, LinkConfig } from './definitions/contract.ts';
import { requireRows } from './require-rows.ts';

/** Each test is judged by all that is linked to its task, its topic and the application. */
const MAX_LINKS = { task: 100, topic: 100, application: 1_000 } as const;
/** A definition's record names all its topics. */
const MAX_TOPICS = 1_000;

export type LinkKind = keyof typeof MAX_LINKS;

export interface Links {
  application: number;
  definitionIds: readonly string[];
  kind: LinkKind;
  /** Of tasks or topics, or the uuid of the application. They must exist. */
  targetIds: readonly string[];
}

/**
 * Links each of the definitions to each of the targets. What is linked already keeps its place and, when `config` is
 * undefined, its config. Throws `not_found` of a definition; `conflict` when one is archived, or has or makes too many links.
 */
export function linkDefinitions(
  database: Database,
  {
    application,
    definitionIds,
    kind,
    targetIds,
    config,
    at,
  }: Links & { config: LinkConfig | undefined; at: number },
): void {
  const [definitions, targets] = [JSON.stringify(definitionIds), JSON.stringify(targetIds)];
  requireLinkable(database, application, definitionIds);
  database.run(
    `INSERT INTO definition_link (application, definition_id, kind, target_id, config, created_at)
     SELECT ?1, definition.value, ?2, target.value, coalesce(?5, '{}'), ?6
     FROM json_each(?3) AS definition CROSS JOIN json_each(?4) AS target WHERE true
     ON CONFLICT (application, kind, target_id, definition_id) DO UPDATE SET config = coalesce(?5, config)`,
    application,
    kind,
    definitions,
    targets,
    config === undefined ? null : JSON.stringify(config),
    at,
  );
  const isOver = (column: string, ids: string, most: number): boolean =>
    database.get(
      `SELECT 1 FROM definition_link WHERE application = ? AND kind = ? AND ${column} IN (SELECT value FROM json_each(?))
       GROUP BY ${column} HAVING count(*) > ? LIMIT 1`,
      application,
      kind,
      ids,
      most,
    ) !== undefined;
  if (isOver('target_id', targets, MAX_LINKS[kind]))
    throw new AppError(
      'conflict',
      `At most ${MAX_LINKS[kind]} evaluation definitions can be linked to one ${kind}`,
    );
  if (kind === 'topic' && isOver('definition_id', definitions, MAX_TOPICS))
    throw new AppError('conflict', `An evaluation definition can be linked to at most ${MAX_TOPICS} topics`);
}

function requireLinkable(database: Database, application: number, ids: readonly string[]): void {
  requireRows(database, application, 'definition', ids);
  const archived = database.get(
    `SELECT 1 FROM ${withIds('definition')} WHERE status = 'ARCHIVED' LIMIT 1`,
    application,
    JSON.stringify(ids),
  );
  if (archived) throw new AppError('conflict', 'An archived evaluation definition cannot be linked');
}

/** Throws `not_found` of a definition. What is not linked stays so. */
export function unlinkDefinitions(
  database: Database,
  { application, definitionIds, kind, targetIds }: Links,
): void {
  requireRows(database, application, 'definition', definitionIds);
  database.run(
    `DELETE FROM definition_link WHERE application = ? AND kind = ?
       AND target_id IN (SELECT value FROM json_each(?)) AND definition_id IN (SELECT value FROM json_each(?))`,
    application,
    kind,
    JSON.stringify(targetIds),
    JSON.stringify(definitionIds),
  );
}

/** Links these definitions to a task or a topic, and no others. Throws as `linkDefinitions` does. */
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
    'DELETE FROM definition_link WHERE application = ? AND kind = ? AND target_id = ?',
    application,
    kind,
    targetId,
  );
}
