import { invalid } from '../../contract/errors.ts';
import type { ById, Owner } from '../../contract/owner.ts';
import type { PaginationWithCount } from '../../contract/paging.ts';
import { canonicalJson } from '../../contract/canonical-json.ts';
import { configIssues, jsonSchemaIssues } from '../../evaluate/definition-config.ts';
import type { Database } from '../../storage/database.ts';
import { notFound } from '../../storage/require-row.ts';
import { ifUnchanged } from '../../storage/unchanged.ts';
import { removeSomeLinks } from './definition-links.ts';
import { definitionRecords } from './definition-records.ts';
import { applyPatch } from '../../contract/apply-patch.ts';
import type {
  Definition,
  DefinitionFields,
  DefinitionsQuery,
  Gate,
  GivenDefinitionFields,
} from './contract.ts';
import { definitionsThat } from './filter.ts';
import { forgetCanaries } from './canary-store.ts';
import { gateColumns } from './gate.ts';
import { definitions } from './record.ts';
import { storedConfig } from './shown-config.ts';
import { requireChange } from './states.ts';
import { activateDrafts, type DraftsOf } from '../../storage/drafts.ts';
import { quickstarts } from '../quickstarts/record.ts';
import { styleGuides } from '../style-guides/record.ts';

/**
 * Throws `invalid` when a JSON Schema of a definition is invalid, and `not_found`. `given` contains its fields, or
 * changes to the one with this `id`. A query, because compiling must not block the writer.
 */
function checkSchemas(
  database: Database,
  { owner, id, given }: { owner: Owner; id: string | null; given: GivenDefinitionFields },
): void {
  const { type = 'CUSTOM', globalConfig = {} } =
    id === null ? given : applyPatch<DefinitionFields>(getDefinition(database, { owner, id }), given);
  const issues = jsonSchemaIssues(type, storedConfig(type, globalConfig));
  if (issues.length > 0) throw invalid(issues);
}

/**
 * Creates a definition, after `checkSchemas`. Throws `not_found` for the quickstart or the style guide, and
 * `invalid`.
 */
export function createDefinition(
  database: Database,
  {
    owner,
    id,
    fields: { gate = null, issueId = null, ...given },
    at,
  }: ById & {
    fields: DefinitionFields & { quickstartId: string | null; issueId?: string | null; gate?: Gate };
    at: number;
  },
): Definition {
  const { application } = owner;
  const fields = toStore(given);
  check(database, application, fields);
  quickstarts.requireAll(database, application, [fields.quickstartId]);
  requireIssue(database, application, issueId);
  definitions.insert(
    database,
    { application, at },
    { ...fields, issueId, id, version: 1, ...gateColumns(gate) },
  );
  return getDefinition(database, { owner, id });
}

/**
 * Updates a definition, after `checkSchemas`. Throws `not_found` for the definition or the style guide, `conflict`
 * and `invalid`. Archiving removes the links first, some with each call: null means that there may be more, and the
 * same call must be repeated.
 */
function updateDefinition(
  database: Database,
  { owner, id, given: { gate, ...given }, at }: ById & { given: GivenDefinitionFields; at: number },
): Definition | null {
  const { application } = owner;
  const before = toStore(getDefinition(database, { owner, id }));
  const fields = toStore(applyPatch<DefinitionFields>(before, given));
  requireChange(before.status, fields.status);
  check(database, application, fields);
  const version = judgesAlike(before, fields) ? before.version : before.version + 1;
  if (fields.status === 'ARCHIVED' && removeSomeLinks(database, { application, definitionId: id }))
    return null;
  const changed = {
    ...given,
    ...(given.globalConfig && { globalConfig: fields.globalConfig }),
    version,
    ...(gate !== undefined && gateColumns(gate)),
  };
  if (gate === null || gate?.canaries === 0) forgetCanaries(database, { application, definitionId: id });
  definitions.update(database, { application, id, at }, changed);
  return getDefinition(database, { owner, id });
}

const toStore = <F extends Pick<DefinitionFields, 'type' | 'globalConfig'>>(fields: F): F => ({
  ...fields,
  globalConfig: storedConfig(fields.type, fields.globalConfig),
});

/** Checks rules that involve several fields or the store. */
function check(
  database: Database,
  application: number,
  { type, globalConfig, styleGuideId }: DefinitionFields,
): void {
  const issues = configIssues(type, globalConfig);
  if (type === 'STYLE' && styleGuideId === null)
    issues.push({ code: 'invalid_type', message: 'Required', path: ['styleGuideId'] });
  if (issues.length > 0) throw invalid(issues);
  styleGuides.requireAll(database, application, [styleGuideId]);
}

/** Throws `not_found` for an issue that does not exist. */
function requireIssue(database: Database, application: number, issueId: string | null): void {
  if (issueId === null) return;
  const found = database.get('SELECT 1 FROM issue WHERE application = :application AND id = :issueId', {
    application,
    issueId,
  });
  if (found === undefined) throw notFound('issue');
}

type JudgedBy = Pick<DefinitionFields, 'type' | 'globalConfig' | 'styleGuideId'>;

const judgesAlike = (a: JudgedBy, b: JudgedBy): boolean =>
  a.type === b.type &&
  a.styleGuideId === b.styleGuideId &&
  canonicalJson(a.globalConfig) === canonicalJson(b.globalConfig);

/**
 * Deletes a definition, or archives one that has evals or verdicts of people. Removes its links first, some with each call: returns whether
 * there may be more, in which case the same call must be repeated. Throws `not_found`.
 */
function deleteDefinition(database: Database, { owner, id, at }: ById & { at: number }): boolean {
  const { application } = owner;
  const { status } = getDefinition(database, { owner, id });
  if (status === 'ARCHIVED') return false;
  if (hasResults(database, { application, id }))
    return updateDefinition(database, { owner, id, given: { status: 'ARCHIVED' }, at }) === null;
  if (removeSomeLinks(database, { application, definitionId: id })) return true;
  forgetCanaries(database, { application, definitionId: id });
  database.run('DELETE FROM definition WHERE application = :application AND id = :id', { application, id });
  return false;
}

interface InApplication {
  application: number;
  id: string;
}

const hasResults = (database: Database, of: InApplication): boolean =>
  database.get(
    `SELECT 1 WHERE EXISTS (SELECT 1 FROM eval WHERE application = :application AND definition_id = :id)
       OR EXISTS (SELECT 1 FROM run_set_definition WHERE application = :application AND definition_id = :id)
       OR EXISTS (SELECT 1 FROM human_annotation WHERE application = :application AND eval_definition_id = :id)`,
    { ...of },
  ) !== undefined;

/** Returns a definition; throws `not_found`. */
function getDefinition(database: Database, { owner, id }: ById): Definition {
  const [definition] = definitionRecords(database, owner, [definitions.get(database, { owner, id })]);
  return definition as Definition;
}

function listDefinitions(
  database: Database,
  { owner, query }: { owner: Owner; query: DefinitionsQuery },
): { data: Definition[]; pagination: PaginationWithCount } {
  const where = definitionsThat(owner.application, query);
  const { data, pagination } = definitions.list(database, owner, { where, page: query });
  return {
    data: definitionRecords(database, owner, data),
    pagination: { ...pagination, totalCount: pagination.total },
  };
}

/** Activates some drafts of a quickstart; returns their number. */
export const activateDefinitions = (database: Database, of: DraftsOf): number =>
  activateDrafts(database, definitions, of).length;

export const definitionCommands = {
  createDefinition,
  updateDefinition: ifUnchanged(definitions, updateDefinition),
  deleteDefinition,
};
export const definitionQueries = { getDefinition, listDefinitions, checkSchemas };
