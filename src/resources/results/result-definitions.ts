import { scoreScale } from '../../evaluate/score-scale.ts';
import type { Database } from '../../storage/database.ts';
import { byIndex, each, inTime, orderedJoin, valuesOf } from '../../storage/dialect.ts';
import { blockingDefinitions } from '../../tests/outcome/verified-judges.ts';
import { definitions } from '../definitions/record.ts';
import type { Results } from './contract.ts';

/** Number of tests by their verdict of an evaluator. */
export interface DefinitionCount {
  id: string;
  passed: number;
  failed: number;
  none: number;
}

const IS_SHOWN = `(test_id IS NULL OR test_id NOT IN ${valuesOf(':hidden')})`;

/** Counts the verdicts of runs by evaluator, of an index alone. `hidden`: tests whose verdicts count as none. */
export const definitionCounts = (
  database: Database,
  {
    application,
    runIds,
    hidden = [],
  }: { application: number; runIds: readonly string[]; hidden?: Iterable<string> },
): DefinitionCount[] =>
  database.all<DefinitionCount>(
    `SELECT definition_id AS id, count(*) FILTER (WHERE passed = 1 AND ${IS_SHOWN}) AS passed,
       count(*) FILTER (WHERE passed = 0 AND ${IS_SHOWN}) AS failed,
       count(*) FILTER (WHERE passed IS NULL OR NOT ${IS_SHOWN}) AS none
     FROM ${each(':runIds')} ${orderedJoin} eval ${byIndex('eval_by_run')} ON application = :application AND run_id = value
     WHERE superseded = 0 AND ${inTime('eval.id')} GROUP BY definition_id ORDER BY definition_id`,
    { application, runIds: JSON.stringify(runIds), hidden: JSON.stringify([...hidden]) },
  );

const shown = definitions.pick('id', 'createdAt', 'name', 'type', 'globalConfig');

/** Returns the evaluators of results, blocking ones first, in the order of their creation. */
export function resultColumns(
  database: Database,
  application: number,
  ids: readonly string[],
): Results['columns'] {
  const found = [...shown.byIds(database, application, ids).values()];
  const isBlocking = blockingDefinitions(database, application);
  const columns = found.map(({ id, createdAt, name, type, globalConfig }) => ({
    createdAt,
    definitionId: id,
    name,
    type,
    isBlocking: isBlocking({ id, type }),
    ...scoreScale(type, globalConfig),
  }));
  columns.sort(
    (a, b) =>
      Number(b.isBlocking) - Number(a.isBlocking) ||
      (a.createdAt < b.createdAt
        ? -1
        : a.createdAt > b.createdAt
          ? 1
          : a.definitionId < b.definitionId
            ? -1
            : 1),
  );
  return columns.map(({ createdAt: _createdAt, ...column }) => column);
}
