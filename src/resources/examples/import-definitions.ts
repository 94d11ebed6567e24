import { randomUUID } from 'node:crypto';
import type { Owner } from '../../contract/owner.ts';
import { linksReaching } from '../../evaluate/applicable.ts';
import type { Database } from '../../storage/database.ts';
import { linkDefinitions } from '../definitions/definition-links.ts';
import { createDefinition } from '../definitions/store.ts';
import { tasks } from '../tasks/record.ts';
import type { ImportReport } from './import-contract.ts';

/** Parts of examples that only a definition applies. */
export interface NeededDefinitions {
  assertions: boolean;
  rubrics: boolean;
}

interface ImportDefinitions {
  owner: Owner;
  taskId: string;
  needs: NeededDefinitions;
  /** True to store nothing. */
  dryRun: boolean;
  at: number;
}

type Planned = ImportReport['definitions'][number];

interface Kind {
  need: keyof NeededDefinitions;
  type: 'ASSERT' | 'CUSTOM';
  name: string;
  globalConfig: Record<string, unknown>;
  /** SQL that holds for definitions which apply that part of an example. */
  applies: string;
}

const KINDS: readonly Kind[] = [
  {
    need: 'assertions',
    type: 'ASSERT',
    name: 'Assertions of the example',
    globalConfig: { assertions: [], exampleAssertions: true },
    applies: `type = 'ASSERT' AND json_extract(global_config, '$.exampleAssertions') = 1`,
  },
  {
    need: 'rubrics',
    type: 'CUSTOM',
    name: 'Rubric of the example',
    globalConfig: {
      criterion: 'The output meets everything that the rubric requires.',
      scale: { min: 0, max: 1 },
      passThreshold: 1,
    },
    applies: `type = 'CUSTOM' AND json_extract(global_config, '$.scale') IS NOT NULL`,
  },
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
  return KINDS.filter(({ need }) => needs[need]).map((kind): Planned => {
    const { type } = kind;
    const reaching = linksReaching(application, [taskId]);
    const kept = database.get<{ id: string; name: string }>(
      `SELECT id, name FROM definition WHERE application = ? AND status = 'ACTIVE' AND ${kind.applies}
         AND id IN (SELECT definition_id FROM (${reaching.sql})) ORDER BY created_at, id LIMIT 1`,
      application,
      ...reaching.values,
    );
    if (kept) return { ...kept, type, action: 'KEPT' };
    const known = database.get<{ id: string; name: string }>(
      `SELECT id, name FROM definition WHERE application = ? AND status = 'ACTIVE' AND name = ? AND ${kind.applies}
       ORDER BY created_at, id LIMIT 1`,
      application,
      kind.name,
    );
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
