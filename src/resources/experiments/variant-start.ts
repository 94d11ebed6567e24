import type { ExperimentOfTests, TriggerPosition } from '../../deliver/trigger.ts';
import { json, nullable, number, text } from '../../storage/column.ts';
import { type FieldsOf, table } from '../../storage/record.ts';
import type { Database } from '../../storage/database.ts';

const starts = table(
  'variant_start',
  'start of a variant',
  {
    variantId: text,
    /** Number of tests of each task. */
    repeat: number,
    /** Time when the variant was run, in Unix milliseconds. */
    startedAt: number,
    /** Number of tests that are still to be started. */
    remaining: number,
    task: number,
    tests: number,
    runId: nullable(text),
    taskIds: json<string[]>(),
    experiment: json<ExperimentOfTests>(),
  },
  'variantId',
);

/** A variant with tests that are still to be started. */
export type VariantStart = Omit<FieldsOf<typeof starts>, keyof TriggerPosition> & {
  application: number;
  from?: TriggerPosition;
};

interface OfVariant {
  application: number;
  id: string;
}

export function findStart(database: Database, { application, id }: OfVariant): VariantStart | undefined {
  const found = starts.find(database, application, id);
  if (!found) return undefined;
  const { task, tests, runId, ...start } = found;
  return { ...start, application, from: { task, tests, runId } };
}

export const saveStart = (
  database: Database,
  { application, from, ...start }: VariantStart & { from: TriggerPosition },
): void => starts.save(database, { application, at: start.startedAt }, { ...start, ...from });

export function removeStart(database: Database, { application, id }: OfVariant): void {
  if (starts.find(database, application, id)) starts.delete(database, { application, id });
}

/** Counts the tests that are still to be started. */
export function testsToStart(database: Database, { application, id }: OfVariant): number {
  const row = database.get<{ remaining: number }>(
    'SELECT remaining FROM variant_start WHERE application = :application AND variant_id = :id',
    { application, id },
  );
  return row?.remaining ?? 0;
}
