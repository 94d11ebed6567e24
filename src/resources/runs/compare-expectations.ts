import type { Database } from '../../storage/database.ts';
import { digestOf, valuesOf } from '../../storage/dialect.ts';

/** Returns a digest of what an example expected at a time, in Unix milliseconds; empty for an unknown one. */
export type Expectations = (exampleId: string | null, at: number) => string;

interface Row {
  exampleId: string;
  /** Time until which it applied; null for what applies now. */
  replacedAt: number | null;
  digest: string;
}

const DIGEST = digestOf(`coalesce(expected, '') || ' ' || coalesce(rubric, '')`);

/** Loads what examples expect, and expected before. */
export function expectationsOf(
  database: Database,
  application: number,
  examples: ReadonlySet<string>,
): Expectations {
  const ids = JSON.stringify([...examples]);
  const rows = database.all<Row>(
    `SELECT example_id AS exampleId, replaced_at AS replacedAt, ${DIGEST} AS digest FROM example_version
     WHERE application = :application AND example_id IN ${valuesOf(':ids')}
     UNION ALL
     SELECT id, NULL, ${DIGEST} FROM example WHERE application = :application AND id IN ${valuesOf(':ids')}`,
    { application, ids },
  );
  const untilOf = ({ replacedAt }: Row): number => replacedAt ?? Number.POSITIVE_INFINITY;
  rows.sort((a, b) => untilOf(a) - untilOf(b));
  const versions = Map.groupBy(rows, ({ exampleId }) => exampleId);
  return (exampleId, at) =>
    versions.get(exampleId ?? '')?.find((version) => untilOf(version) > at)?.digest ?? '';
}
