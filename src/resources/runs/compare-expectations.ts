import type { Database } from '../../storage/database.ts';
import { digestOf, valuesOf } from '../../storage/dialect.ts';

/**
 * Returns a digest of what an example expected at a time, in Unix milliseconds, or in the version that a run set has fixed; empty for
 * an unknown one.
 */
export type Expectations = (exampleId: string | null, at: number, fixedVersion: number | null) => string;

interface Row {
  exampleId: string;
  version: number;
  /** Time until which it applied; null for what applies now. */
  replacedAt: number | null;
  digest: string;
}

const DIGEST = digestOf(
  `coalesce(expected, '') || ' ' || coalesce(rubric, '') || coalesce(rubrics, '') || coalesce(assertions, '')`,
);

/** Loads what examples expect, and expected before. */
export function expectationsOf(
  database: Database,
  application: number,
  examples: ReadonlySet<string>,
): Expectations {
  const ids = JSON.stringify([...examples]);
  const rows = database.all<Row>(
    `SELECT example_id AS exampleId, version, replaced_at AS replacedAt, ${DIGEST} AS digest FROM example_version
     WHERE application = :application AND example_id IN ${valuesOf(':ids')}
     UNION ALL
     SELECT id, version, NULL, ${DIGEST} FROM example WHERE application = :application AND id IN ${valuesOf(':ids')}`,
    { application, ids },
  );
  const untilOf = ({ replacedAt }: Row): number => replacedAt ?? Number.POSITIVE_INFINITY;
  rows.sort((a, b) => untilOf(a) - untilOf(b));
  const versions = Map.groupBy(rows, ({ exampleId }) => exampleId);
  return (exampleId, at, fixedVersion) => {
    const all = versions.get(exampleId ?? '') ?? [];
    const fixed = all.find(({ version }) => version === fixedVersion);
    return (fixed ?? all.find((version) => untilOf(version) > at))?.digest ?? '';
  };
}
