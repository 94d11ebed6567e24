import type { Database } from '../../storage/database.ts';
import { each, orderedJoin } from '../../storage/dialect.ts';
import { runs } from '../../tests/record.ts';
import { variants } from '../experiments/variant-record.ts';

/** One side of a comparison, with the runs of its tests. */
export interface LoadedSide {
  name: string;
  runIds: string[];
}

/** Resolves the names of sides. Throws `not_found` for a run or a variant. */
export function loadSideRuns(
  database: Database,
  application: number,
  names: readonly string[],
): LoadedSide[] {
  const parsed = names.map((name) => {
    const [kind = '', id = ''] = name.split(':');
    return { name, kind, id };
  });
  const idsOf = (wanted: string): string[] =>
    parsed.filter(({ kind }) => kind === wanted).map(({ id }) => id);
  runs.requireAll(database, application, idsOf('run'));
  variants.requireAll(database, application, idsOf('variant'));
  return parsed.map(({ name, kind, id }) => ({
    name,
    runIds: kind === 'run' ? [id] : runsOfVariant(database, application, id),
  }));
}

const runsOfVariant = (database: Database, application: number, variantId: string): string[] =>
  database
    .all<{ id: string }>(
      `SELECT id FROM run WHERE application = :application AND experiment_variant_id = :variantId ORDER BY id`,
      { application, variantId },
    )
    .map(({ id }) => id);

/** Returns a text that changes with every result of the sides. */
export function versionOf(database: Database, application: number, sides: readonly LoadedSide[]): string {
  const ids = JSON.stringify([...new Set(sides.flatMap(({ runIds }) => runIds))]);
  const rows = database.all<{ version: string }>(
    `SELECT results_version || '.' || modified_at || '.' || (
       SELECT count(*) FROM test WHERE test.application = :application AND run_id = value) AS version
     FROM ${each(':ids')} ${orderedJoin} run ON run.application = :application AND run.id = value`,
    { application, ids },
  );
  return [...sides.map(({ name }) => name), ...rows.map(({ version }) => version)].join(' ');
}
