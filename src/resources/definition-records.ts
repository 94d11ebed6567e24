import { isoTime } from '../contract/values.ts';
import type { Owner } from '../contract/owner.ts';
import type { Database } from '../storage/sqlite/database.ts';
import { rowsById } from '../storage/sqlite/rows-by-id.ts';
import { cut } from '../traces/cut.ts';
import type { Definition } from './definitions/contract.ts';
import { readApplication } from './read-application.ts';

type Kept = 'id' | 'type' | 'name' | 'status' | 'version' | 'repeats' | 'styleGuideId' | 'quickstartId';
export interface DefinitionRow extends Pick<Definition, Kept> {
  globalConfig: string;
  gateMinKappa: number | null;
  createdAt: number;
  modifiedAt: number;
}
export const DEFINITION_COLUMNS = `id, type, name, status, version, repeats, global_config AS globalConfig,
  style_guide_id AS styleGuideId, quickstart_id AS quickstartId, gate_min_kappa AS gateMinKappa, created_at AS createdAt, modified_at AS modifiedAt`;

/** Each definition carries the record of the application: long texts would stand in a list a hundred times. */
const MAX_APPLICATION_TEXT = 2_000;

/** The records of these rows, in their order. */
export function definitionRecords(
  database: Database,
  owner: Owner,
  rows: readonly DefinitionRow[],
): Definition[] {
  if (rows.length === 0) return [];
  const { orgId, applicationId } = owner;
  const whole = readApplication(database, owner);
  const application = {
    ...whole,
    description: cut(whole.description, MAX_APPLICATION_TEXT),
    context: cut(whole.context, MAX_APPLICATION_TEXT),
  };
  const topics = topicsOf(database, owner, rows);
  return rows.map(({ globalConfig, gateMinKappa, createdAt, modifiedAt, ...row }) => ({
    ...row,
    orgId,
    applicationId,
    createdAt: isoTime(createdAt),
    modifiedAt: isoTime(modifiedAt),
    globalConfig: JSON.parse(globalConfig) as Record<string, unknown>,
    gate: gateMinKappa === null ? null : { minKappa: gateMinKappa },
    application,
    topics: topics.get(row.id)?.map(({ topicId }) => topicId) ?? [],
  }));
}

/** The records of the definitions with these ids, by id. */
export function definitionsById(
  database: Database,
  owner: Owner,
  ids: Iterable<string>,
): Map<string, Definition> {
  const { application } = owner;
  const rows = rowsById<DefinitionRow>(database, {
    application,
    table: 'definition',
    columns: DEFINITION_COLUMNS,
    ids,
  });
  return new Map(definitionRecords(database, owner, [...rows.values()]).map((record) => [record.id, record]));
}

function topicsOf(database: Database, { application }: Owner, rows: readonly DefinitionRow[]) {
  const links = database.all<{ definitionId: string; topicId: string }>(
    `SELECT definition_id AS definitionId, target_id AS topicId FROM definition_link
     WHERE application = ? AND kind = 'topic' AND definition_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
    application,
    JSON.stringify(rows.map(({ id }) => id)),
  );
  return Map.groupBy(links, ({ definitionId }) => definitionId);
}
