import { randomUUID } from 'node:crypto';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import { EXAMPLE_STEPS, type ExampleStep } from './contract.ts';
import { annotationsOfQueue, keptExampleRecords } from './own-records.ts';
import { exampleDataRows, type MadeRecords, type StoredExampleData } from './record.ts';

interface OfApplication {
  application: number;
}
type Now = OfApplication & { at: number };

/** Tables that are empty in an application without data, each with the name of its records. */
const EMPTY_TABLES = [
  ['trace', 'traces'],
  ['task', 'tasks'],
  ['topic', 'topics'],
  ['definition', 'evaluation definitions'],
  ['experiment', 'experiments'],
  ['annotation_queue', 'annotation queues'],
] as const;

/** Records that example data is being loaded, and what it will consist of. Throws `conflict`. */
function beginExampleData(database: Database, { application, made, at }: Now & { made: MadeRecords }): void {
  if (getExampleData(database, { application }))
    throw new AppError('conflict', 'The application has example data already; remove it first');
  for (const [table, records] of EMPTY_TABLES)
    if (database.get(`SELECT 1 FROM ${table} WHERE application = :application LIMIT 1`, { application }))
      throw new AppError(
        'conflict',
        `Example data is loaded only into an empty application; this one has ${records}`,
      );
  const disabled = 'SELECT 1 FROM webhook WHERE application = :application AND enabled = 0';
  if (database.get(disabled, { application }))
    throw new AppError(
      'conflict',
      'The webhook of the application is disabled; enable it or delete it first',
    );
  const row = { id: randomUUID(), status: 'LOADING', step: null, stepsDone: 0, made } as const;
  exampleDataRows.insert(database, { application, at }, row);
}

/** Records that a part is being made. Throws `not_found`. */
function noteExampleStep(database: Database, { application, at, step }: Now & { step: ExampleStep }): void {
  const { id } = requireExampleData(database, { application });
  exampleDataRows.update(database, { application, id, at }, { step, stepsDone: EXAMPLE_STEPS.indexOf(step) });
}

/** Records the end of loading or removing: `failure` says why it stopped early. Throws `not_found`. */
function endExampleData(
  database: Database,
  { application, at, failure }: Now & { failure: string | null },
): void {
  const { id, stepsDone } = requireExampleData(database, { application });
  const ended = failure === null ? { stepsDone: EXAMPLE_STEPS.length } : { stepsDone };
  exampleDataRows.update(
    database,
    { application, id, at },
    { ...ended, status: failure === null ? 'READY' : 'FAILED', step: null, failure },
  );
}

/** Records that example data is being removed, and returns what it consists of. Throws `not_found`. */
function beginExampleRemoval(database: Database, { application, at }: Now): MadeRecords {
  const { id, made } = requireExampleData(database, { application });
  exampleDataRows.update(
    database,
    { application, id, at },
    { status: 'REMOVING', step: null, failure: null },
  );
  return made;
}

/** Records that no example data is left. */
function forgetExampleData(database: Database, { application }: OfApplication): void {
  const { id } = requireExampleData(database, { application });
  exampleDataRows.delete(database, { application, id });
}

/** Returns the example data of an application, or null. */
function getExampleData(database: Database, { application }: OfApplication): StoredExampleData | null {
  return exampleDataRows.all(database, application, 'true')[0] ?? null;
}

function requireExampleData(database: Database, of: OfApplication): StoredExampleData {
  const found = getExampleData(database, of);
  if (!found) throw new AppError('not_found', 'The application has no example data');
  return found;
}

export const exampleDataCommands = {
  beginExampleData,
  noteExampleStep,
  endExampleData,
  beginExampleRemoval,
  forgetExampleData,
};

export const exampleDataQueries = { getExampleData, keptExampleRecords, annotationsOfQueue };
