import { uuid } from '../../contract/values.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/database.ts';
import { runs } from '../../tests/record.ts';
import { runSets } from './record.ts';

/** Runs that a run set is compared with. */
export interface BaselineRuns {
  /** Run set of these runs; null for single runs. */
  runSetId: string | null;
  runIds: string[];
}

interface Comparer {
  application: number;
  /** The run set that is compared. */
  id: string;
  branch: string | null;
  /** Time of its start, in Unix milliseconds. */
  startedAt: number;
}

const sets = runSets.pick('id', 'batchExamples');
const runsOfSets = runs.pick('id', 'runSetId');

/** Finds the baseline that a text names. Throws `not_found`, and `bad_request` for a text that names nothing. */
export function findBaseline(database: Database, comparer: Comparer, text: string): BaselineRuns {
  const { application, branch } = comparer;
  if (text.startsWith('branch:')) {
    const name = text.slice('branch:'.length);
    return newestOf(database, comparer, name, `No completed run set of the branch ${JSON.stringify(name)}`);
  }
  if (text === 'previous')
    return newestOf(
      database,
      comparer,
      branch,
      branch === null
        ? 'No earlier completed run set without a branch'
        : `No earlier completed run set of the branch ${JSON.stringify(branch)}`,
    );
  const ids = text.split(',').map((part) => uuid.safeParse(part.trim()));
  if (!ids.every(({ success }) => success))
    throw new AppError(
      'bad_request',
      '`baseline` must be the id of a run set, `previous`, `branch:` with a name, or ids of runs with commas',
    );
  const given = [...new Set(ids.flatMap(({ data }) => data ?? []))];
  const [first] = given;
  const set = given.length === 1 && first !== undefined ? sets.find(database, application, first) : undefined;
  if (set) {
    checkSets(database, comparer, [set.id]);
    return { runSetId: set.id, runIds: runIdsOf(database, application, set.id) };
  }
  try {
    runs.requireAll(database, application, given);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(
      'not_found',
      given.length === 1 ? `There is no run or run set ${first}` : 'A run of the baseline does not exist',
    );
  }
  const found = runsOfSets.byIds(database, application, given).values();
  checkSets(
    database,
    comparer,
    [...found].flatMap(({ runSetId }) => runSetId ?? []),
  );
  return { runSetId: null, runIds: given };
}

/** Throws `bad_request` for the run set that is compared, and for one whose results decided how many there are. */
function checkSets(database: Database, { application, id }: Comparer, ids: readonly string[]): void {
  if (ids.includes(id)) throw new AppError('bad_request', '`baseline` is the run set itself');
  const found = [...sets.byIds(database, application, ids).values()];
  if (found.some(({ batchExamples }) => batchExamples !== null))
    throw new AppError(
      'bad_request',
      '`baseline` tests until it is sure, so nothing of a fixed size can be compared with it',
    );
}

/** Returns the newest completed run set of a branch that was started before the one that is compared. */
function newestOf(
  database: Database,
  { application, id, startedAt }: Comparer,
  branch: string | null,
  otherwise: string,
): BaselineRuns {
  const isOfBranch = branch === null ? 'branch IS NULL' : 'branch = :branch';
  const found = database.get<{ id: string }>(
    `SELECT id FROM run_set WHERE application = :application AND ${isOfBranch} AND status = 'COMPLETED' AND batch_examples IS NULL
       AND created_at <= :startedAt AND id <> :id ORDER BY created_at DESC, id DESC LIMIT 1`,
    { application, startedAt, id, ...(branch !== null && { branch }) },
  );
  if (!found) throw new AppError('not_found', `${otherwise} was found`);
  return { runSetId: found.id, runIds: runIdsOf(database, application, found.id) };
}

/** Returns the ids of the runs of a run set, in the order of their start. */
export const runIdsOf = (database: Database, application: number, runSetId: string): string[] =>
  database
    .all<{ id: string }>(
      'SELECT id FROM run WHERE application = :application AND run_set_id = :runSetId ORDER BY created_at, id',
      { application, runSetId },
    )
    .map(({ id }) => id);
