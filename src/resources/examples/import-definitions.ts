import { randomUUID } from 'node:crypto';
import type { Owner } from '../../contract/owner.ts';
import { linksReaching } from '../../evaluate/applicable.ts';
import type { Database } from '../../storage/database.ts';
import { isOneOf, type SqlFragment } from '../../storage/sql.ts';
import { linkDefinitions } from '../definitions/definition-links.ts';
import { createDefinition } from '../definitions/store.ts';
import { tasks } from '../tasks/record.ts';
import type { ImportReport } from './import-contract.ts';

/** Parts of examples that only a definition applies. */
export interface NeededDefinitions {
  assertions: boolean;
  /** A rubric for all definitions. */
  rubric: boolean;
  /** Names of rubrics, each of which the definition of that name reads. */
  metrics: Set<string>;
  /** Names of rubrics that are texts to be similar to, with the lowest similarity that passes. */
  similar: Map<string, number>;
}

interface ImportDefinitions {
  owner: Owner;
  taskId: string;
  needs: NeededDefinitions;
  /** True to store nothing. */
  dryRun: boolean;
  at: number;
}

/** Most definitions of a type and a condition that are looked at. */
const MAX_DEFINITIONS = 1_000;

type Planned = ImportReport['definitions'][number];

interface Kind {
  type: 'ASSERT' | 'CUSTOM' | 'SIMILARITY';
  name: string;
  globalConfig: Record<string, unknown>;
  /** Reports whether a definition of the type applies that part of an example. */
  applies: (definition: { name: string; config: Readonly<Record<string, unknown>> }) => boolean;
}

const ASSERTIONS: Kind = {
  type: 'ASSERT',
  name: 'Assertions of the example',
  globalConfig: { assertions: [], exampleAssertions: true },
  applies: ({ config }) => config['exampleAssertions'] === true,
};

const BY_RUBRIC = {
  criterion: 'The output meets everything that the rubric requires.',
  scale: { min: 0, max: 1 },
  passThreshold: 1,
};
const RUBRIC: Kind = {
  type: 'CUSTOM',
  name: 'Rubric of the example',
  globalConfig: { ...BY_RUBRIC, exampleRubric: 'any' },
  applies: ({ config: { scale, exampleRubric } }) =>
    scale !== undefined && scale !== null && exampleRubric !== 'own',
};
const rubricOf = (metric: string): Kind => ({
  type: 'CUSTOM',
  name: metric,
  globalConfig: { ...BY_RUBRIC, exampleRubric: 'own' },
  applies: ({ name }) => name === metric,
});

const similarTo = (name: string, passThreshold: number): Kind => ({
  type: 'SIMILARITY',
  name,
  globalConfig: { passThreshold, exampleRubric: 'own' },
  applies: ({ name: other, config }) =>
    other === name && config['exampleRubric'] === 'own' && config['passThreshold'] === passThreshold,
});

const kindsOf = ({ assertions, rubric, metrics, similar }: NeededDefinitions): Kind[] => [
  ...(assertions ? [ASSERTIONS] : []),
  ...(rubric ? [RUBRIC] : []),
  ...[...metrics].map(rubricOf),
  ...[...similar].map(([name, threshold]) => similarTo(name, threshold)),
];

/**
 * Links the definitions to a task that its imported examples need, and creates those that do not exist; a definition that applies to
 * the task already is kept. Throws `not_found`, and `conflict` if the task has too many.
 */
function linkImportDefinitions(
  database: Database,
  { owner, taskId, needs, dryRun, at }: ImportDefinitions,
): Planned[] {
  const { application } = owner;
  tasks.requireAll(database, application, [taskId]);
  return kindsOf(needs).map((kind): Planned => {
    const { type } = kind;
    const { sql, values } = linksReaching(application, [taskId]);
    const ofTask = { sql: `id IN (SELECT definition_id FROM (${sql}))`, values };
    const kept = firstThatApplies(database, application, kind, ofTask);
    if (kept) return { ...kept, type, action: 'KEPT' };
    const known = firstThatApplies(database, application, kind, isOneOf('name', [kind.name]));
    const id = known?.id ?? randomUUID();
    if (!dryRun) {
      if (!known) createDefinition(database, { owner, id, fields: fieldsOf(kind), at });
      linkDefinitions(database, {
        application,
        definitionIds: [id],
        kind: 'task',
        targetIds: [taskId],
        config: undefined,
        at,
      });
    }
    const name = kind.name;
    return known
      ? { ...known, type, action: 'LINKED' }
      : { id: dryRun ? null : id, name, type, action: 'CREATED' };
  });
}

/** Returns the oldest active definition that meets a condition and applies that part of an example. */
function firstThatApplies(
  database: Database,
  application: number,
  { type, applies }: Kind,
  condition: SqlFragment,
): { id: string; name: string } | undefined {
  const found = database.all<{ id: string; name: string; globalConfig: string }>(
    `SELECT id, name, global_config AS "globalConfig" FROM definition
     WHERE application = ? AND status = 'ACTIVE' AND type = ? AND ${condition.sql} ORDER BY created_at, id LIMIT ?`,
    application,
    type,
    ...condition.values,
    MAX_DEFINITIONS,
  );
  const first = found.find(({ name, globalConfig }) =>
    applies({ name, config: JSON.parse(globalConfig) as Readonly<Record<string, unknown>> }),
  );
  return first && { id: first.id, name: first.name };
}

const fieldsOf = ({ type, name, globalConfig }: Kind) =>
  ({
    type,
    name,
    globalConfig,
    status: 'ACTIVE',
    styleGuideId: null,
    quickstartId: null,
    repeats: 1,
    isOverall: false,
  }) as const;

export const importDefinitionCommands = { linkImportDefinitions };
