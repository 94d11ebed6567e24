import { AppError } from '../../errors.ts';
import type { Owner } from '../../contract/owner.ts';
import type { Database } from '../../storage/database.ts';
import { orderedJoin, valuesOf } from '../../storage/dialect.ts';
import type { LinkKind } from './definition-links.ts';
import { definitionsById } from './definition-records.ts';
import type { LinkedDefinition } from './contract.ts';

/** Most bytes of all links of a page: a definition is repeated for each of its links. */
const MAX_BYTES = 32 * 1024 * 1024;

interface Link {
  targetId: string;
  definitionId: string;
  config: string;
  /** Approximate number of bytes that it adds to the response. */
  size: number;
}

/**
 * Returns the definitions linked directly to each of these tasks or topics, in the order of linking. Throws
 * `too_large` when their records exceed one response.
 */
export function linkedDefinitions(
  database: Database,
  owner: Owner,
  kind: LinkKind,
  targetIds: readonly string[],
): (targetId: string) => LinkedDefinition[] {
  const { application } = owner;
  const links = database.all<Link>(
    `SELECT link.target_id AS targetId, link.definition_id AS definitionId, config,
            octet_length(config) + octet_length(global_config) + 40 * (
              SELECT count(*) FROM definition_link AS of_topic WHERE of_topic.application = link.application
                AND of_topic.definition_id = link.definition_id AND of_topic.kind = 'topic') AS size
     FROM definition_link AS link ${orderedJoin} definition ON definition.id = link.definition_id
     WHERE link.application = :application AND link.kind = :kind AND link.target_id IN ${valuesOf(':targetIds')}
       AND definition.application = :application
     ORDER BY link.id`,
    { application, kind, targetIds: JSON.stringify(targetIds) },
  );
  if (links.reduce((sum, { size }) => sum + size, 0) > MAX_BYTES)
    throw new AppError(
      'too_large',
      'The evaluation definitions of this page are too long; request fewer entries with limit',
    );
  const definitions = definitionsById(
    database,
    owner,
    links.map(({ definitionId }) => definitionId),
  );
  const byTarget = Map.groupBy(links, ({ targetId }) => targetId);
  return (targetId) =>
    (byTarget.get(targetId) ?? []).map(({ definitionId, config }) => ({
      evalDefinition: definitions.get(definitionId) as LinkedDefinition['evalDefinition'],
      config: configOf(config),
    }));
}

/** Returns the configuration of a link; null if nothing is expected. */
function configOf(config: string): LinkedDefinition['config'] {
  const { expected = null } = JSON.parse(config) as { expected?: unknown };
  return expected === null ? null : { expected };
}
