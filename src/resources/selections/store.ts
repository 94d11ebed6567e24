import { AppError } from '../../errors.ts';
import type { Owner } from '../../contract/owner.ts';
import type { Database } from '../../storage/database.ts';
import { hexOf } from '../../storage/dialect.ts';
import { withIds } from '../../storage/rows-by-id.ts';
import { shownTraceId, traceIdCandidates } from '../../traces/ids.ts';
import { findStoredTrace } from '../../traces/load.ts';
import { type TraceFilter, TraceWhere } from '../../traces/trace-where.ts';
import type { ResultFilter } from '../results/contract.ts';
import { selectResults } from '../results/store.ts';
import { firstTraces } from '../tests/first-traces.ts';
import { makeTraceExample, type TraceExample } from '../trace-examples/store.ts';
import { examples } from '../examples/record.ts';
import { keyOfTrace } from '../examples/trace-names.ts';
import { MAX_SELECTED, type SkipReason } from './contract.ts';

/** Rows of a selection, each a trace, or the test whose trace has not arrived. */
interface SelectedTraces {
  rows: { id: string; isTest: boolean }[];
  isComplete: boolean;
}

const tooMany = (count: string): AppError =>
  new AppError(
    'conflict',
    `The selection has ${count} rows, and one request acts on at most ${MAX_SELECTED}; narrow the filter.`,
  );

/** Returns the traces of results. Throws `not_found` for a side, and `conflict` for too many. */
function selectTracesOfResults(
  database: Database,
  { owner: { application }, filter }: { owner: Owner; filter: ResultFilter },
): SelectedTraces {
  const sides = selectResults(database, { application, filter }).map(({ side }) => side.testId);
  if (sides.length > MAX_SELECTED) throw tooMany(String(sides.length));
  const traces = firstTraces(database, application, sides);
  const rows = sides.map((testId) => {
    const id = traces.get(testId);
    return id === undefined ? { id: testId, isTest: true } : { id, isTest: false };
  });
  return { rows, isComplete: true };
}

/** Returns the traces that a filter finds, the newest first. Throws `conflict` for too many. */
function selectTraces(
  database: Database,
  { owner: { application }, filter }: { owner: Owner; filter: TraceFilter },
): SelectedTraces {
  const where = new TraceWhere(database, application, filter);
  const found = database.all<{ id: string }>(
    `SELECT native || ${hexOf('trace_id')} AS id FROM trace WHERE ${where.sql}
     ORDER BY start_ns DESC, trace_id DESC LIMIT ?`,
    ...where.values,
    MAX_SELECTED + 1,
  );
  if (found.length > MAX_SELECTED) throw tooMany(`more than ${MAX_SELECTED}`);
  const rows = found.map(({ id }) => ({ id: shownTraceId(id), isTest: false }));
  return { rows, isComplete: where.searched?.isComplete ?? true };
}

interface SelectedExamples {
  /** Number of results that match. */
  matched: number;
  /** Active examples, and the tasks that they are of. */
  exampleIds: string[];
  taskIds: string[];
  /** Tests of no example that can be tested. */
  skipped: { id: string; reason: SkipReason }[];
}

/** Returns the examples of results. Throws `not_found` for a side, and `conflict` for too many. */
function selectExamplesOfResults(
  database: Database,
  { owner: { application }, filter }: { owner: Owner; filter: ResultFilter },
): SelectedExamples {
  const results = selectResults(database, { application, filter });
  if (results.length > MAX_SELECTED) throw tooMany(String(results.length));
  const ids = JSON.stringify(results.flatMap(({ exampleId }) => exampleId ?? []));
  const active = new Map(
    database
      .all<{ id: string; taskId: string }>(
        `SELECT id, task_id AS "taskId" FROM ${withIds('example')} WHERE status = 'ACTIVE'`,
        { application, ids },
      )
      .map(({ id, taskId }) => [id, taskId]),
  );
  const skipped = results
    .filter(({ exampleId }) => !active.has(exampleId ?? ''))
    .map(({ side }) => ({ id: side.testId, reason: 'NO_EXAMPLE' as const }));
  return {
    matched: results.length,
    exampleIds: [...active.keys()],
    taskIds: [...new Set(active.values())],
    skipped,
  };
}

/** Makes examples of traces. Returns for each why none was made; null if one was. */
function makeTraceExamples(
  database: Database,
  { owner, traces }: { owner: Owner; traces: readonly Omit<TraceExample, 'owner'>[] },
): (SkipReason | null)[] {
  return traces.map((args) => {
    const { taskId, trace } = args;
    if (!findStoredTrace(database, owner.application, traceIdCandidates(trace.id))) return 'NOT_FOUND';
    const key = keyOfTrace(trace.id);
    const where = `task_id = :taskId AND key = :key AND status = 'ACTIVE'`;
    if (examples.all(database, owner.application, where, { taskId, key }).length > 0) return 'ALREADY';
    try {
      makeTraceExample(database, { owner, ...args });
      return null;
    } catch (error) {
      // Nothing has been written: it is thrown before the first change.
      if (error instanceof AppError && error.code === 'invalid') return 'INVALID';
      throw error;
    }
  });
}

export const selectionQueries = { selectTracesOfResults, selectTraces, selectExamplesOfResults };
export const selectionCommands = { makeTraceExamples };
