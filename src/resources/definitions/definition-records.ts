import type { Owner } from '../../contract/owner.ts';
import { type FieldsOf, owned } from '../../storage/record.ts';
import type { Database } from '../../storage/database.ts';
import { valuesOf } from '../../storage/dialect.ts';
import { blockingDefinitions } from '../../tests/outcome/verified-judges.ts';
import { truncate } from '../../traces/truncate.ts';
import type { Definition } from './contract.ts';
import { gateOf } from './gate.ts';
import { definitions } from './record.ts';
import { shownConfig } from './shown-config.ts';
import { readApplication } from '../applications/read-application.ts';

/** Longest text of an application in the record of a definition, which a list repeats a hundred times. */
const MAX_APPLICATION_TEXT = 2_000;

/** Returns definitions as the API shows them, in the order of their rows. */
export function definitionRecords(
  database: Database,
  owner: Owner,
  records: readonly FieldsOf<typeof definitions>[],
): Definition[] {
  if (records.length === 0) return [];
  const whole = readApplication(database, owner);
  const application = {
    ...whole,
    description: truncate(whole.description, MAX_APPLICATION_TEXT),
    context: truncate(whole.context, MAX_APPLICATION_TEXT),
  };
  const topics = topicsOf(database, owner, records);
  const isBlocking = blockingDefinitions(database, owner.application);
  return records.map(({ gateMinKappa, gateMinAnnotations, gateMaxAgeDays, gateCanaries, ...record }) => ({
    ...owned(record, owner),
    globalConfig: shownConfig(record.type, record.globalConfig),
    gate: gateOf({ gateMinKappa, gateMinAnnotations, gateMaxAgeDays, gateCanaries }),
    isBlocking: isBlocking(record),
    application,
    topics: topics.get(record.id)?.map(({ topicId }) => topicId) ?? [],
  }));
}

/** Returns the records of the definitions with these ids, by id. */
export function definitionsById(
  database: Database,
  owner: Owner,
  ids: Iterable<string>,
): Map<string, Definition> {
  const records = definitions.byIds(database, owner.application, ids);
  return new Map(
    definitionRecords(database, owner, [...records.values()]).map((record) => [record.id, record]),
  );
}

function topicsOf(database: Database, { application }: Owner, records: readonly { id: string }[]) {
  const links = database.all<{ definitionId: string; topicId: string }>(
    `SELECT definition_id AS definitionId, target_id AS topicId FROM definition_link
     WHERE application = :application AND kind = 'topic' AND definition_id IN ${valuesOf(':ids')} ORDER BY id`,
    { application, ids: JSON.stringify(records.map(({ id }) => id)) },
  );
  return Map.groupBy(links, ({ definitionId }) => definitionId);
}
