import type { Database } from '../../storage/database.ts';
import { uuidOf } from '../../storage/dialect.ts';
import { parseId } from '../../traces/ids.ts';
import { tracesOfTest as fromTracesOfTest } from '../../traces/traces-of-test.ts';
import { COUNTED, type ErasedCounts, type Erasure, type MadeCopy } from './contract.ts';

/** Records that have texts of a trace. */
interface CopiesOfTrace {
  exampleIds: string[];
  /** Tasks whose title is a text of it. */
  taskIds: string[];
  /** Tasks with such an example or title. */
  shownTaskIds: string[];
  /** Some of the prompts that a model wrote for these tasks. */
  writtenIds: string[];
}

/** Deletes traces as `pruneTraces` does; returns how many of them are done. */
export type PruneTraces = (
  database: Database,
  args: { application: number; tkeys: readonly number[]; at: number; rejectUntil: number | null },
) => number;
/** Parts of an erasure that concern the tables of other modules. */
export interface EraseOthers {
  prune: PruneTraces;
  /** Finds the examples and the tasks that copy texts of a trace. */
  copiesOfTrace: (database: Database, of: OfTrace) => CopiesOfTrace;
  /** Returns some of the deleted traces of a user or a session of which texts remain. */
  copiedTracesOf: (
    database: Database,
    of: {
      application: number;
      subjectType: Erasure['subjectType'];
      values: readonly string[];
      limit: number;
    },
  ) => Uint8Array[];
  /** Marks a deleted trace as erased, so that its copies are not imported again. */
  markErased: (database: Database, of: OfTrace & { at: number }) => void;
  /** Forgets a deleted trace of which no text remains. */
  forgetCopiedTrace: (database: Database, of: OfTrace) => void;
  /** Deletes some of the requests that quote the examples of these tasks; returns whether none is left. */
  purgePromptCalls: (
    database: Database,
    of: { application: number; taskIds: readonly string[]; limit: number },
  ) => boolean;
  /** Returns some tests of these examples whose texts are not erased yet. */
  testsOfCopies: (
    database: Database,
    of: { application: number; exampleIds: readonly string[]; limit: number },
  ) => string[];
  /** Ends some of the tests whose prompts are being written from what these tasks show; returns whether none is left. */
  endUnwritten: (
    database: Database,
    of: { application: number; taskIds: readonly string[]; at: number },
  ) => boolean;
  /** Replaces reasons of tests of these tasks that quote prompts; returns whether none is left. */
  eraseWritingReasons: (
    database: Database,
    of: { application: number; taskIds: readonly string[] },
  ) => boolean;
  /** Ends a test in flight, so that nothing of it arrives any more. */
  endTest: (database: Database, of: { application: number; testId: string; at: number }) => void;
  /** Removes the texts of a test, of its deliveries and of its evals. */
  eraseTest: (database: Database, of: { application: number; testId: string; at: number }) => void;
  deleteExamples: (database: Database, of: { application: number; ids: readonly string[] }) => void;
  eraseTitles: (database: Database, of: { application: number; ids: readonly string[]; at: number }) => void;
  deleteViewsNaming: (database: Database, of: { application: number; values: readonly string[] }) => number;
  /** Returns the backups and exports in the audit log, the newest first, and their number. */
  copiesInAudit: (
    database: Database,
    of: { application: number; limit: number },
  ) => { total: number; data: MadeCopy[] };
  hashSessionInAudit: (database: Database, of: { application: number; id: string; hash: string }) => number;
}

interface OfTrace {
  application: number;
  traceId: Uint8Array;
}

/** Work of an erasure that is left for the next command; `begun` is a trace that is deleted in part. */
export interface Left {
  begun: number | null;
}
export const MORE: Left = { begun: null };

/** Tests of copied examples that one command erases. */
const STEP_TESTS = 20;
/** Traces of one test, or that others have deleted, on which one command works. */
const STEP_TRACES = 50;
/** Requests to the prompt model that one command deletes. */
const STEP_CALLS = 200;

interface StepParts {
  application: number;
  at: number;
  counts: ErasedCounts;
  others: EraseOthers;
}

/** Deletions of one command of an erasure. */
export class ErasureStep {
  private readonly database: Database;
  private readonly parts: StepParts;
  private tests = 0;
  /** Traces whose copies are being erased: the trace of a test may be the origin of the example that the test sent. */
  private readonly open = new Set<number>();

  constructor(database: Database, parts: StepParts) {
    this.database = database;
    this.parts = parts;
  }

  /** Deletes a trace with what was copied from it; returns null when nothing of it is left. */
  erase(trace: TraceOf): Left | null {
    if (this.open.has(trace.tkey)) return null;
    this.open.add(trace.tkey);
    return this.eraseCopies(trace.traceId) ?? this.delete(trace);
  }

  /** Erases what was copied from a trace, which may have been deleted before; returns null when nothing of it is left. */
  eraseCopies(traceId: Uint8Array): Left | null {
    const { application, at, counts, others } = this.parts;
    const copies = others.copiesOfTrace(this.database, { application, traceId });
    const { exampleIds, writtenIds, taskIds, shownTaskIds } = copies;
    if (shownTaskIds.length > 0) {
      if (!others.endUnwritten(this.database, { application, taskIds: shownTaskIds, at })) return MORE;
      const left = this.eraseTests([...writtenIds, ...exampleIds]);
      if (left !== null) return left;
      if (!others.eraseWritingReasons(this.database, { application, taskIds: shownTaskIds })) return MORE;
      const calls = { application, taskIds: shownTaskIds, limit: STEP_CALLS };
      if (!others.purgePromptCalls(this.database, calls)) return MORE;
      others.deleteExamples(this.database, { application, ids: writtenIds });
      counts.examples += writtenIds.length;
      // Only the examples and titles lead to the prompts that were written from them.
      if (writtenIds.length > 0) return MORE;
      others.eraseTitles(this.database, { application, ids: taskIds, at });
      others.deleteExamples(this.database, { application, ids: exampleIds });
      counts.tasks += taskIds.length;
      counts.examples += exampleIds.length;
    }
    others.forgetCopiedTrace(this.database, { application, traceId });
    others.markErased(this.database, { application, traceId, at });
    return null;
  }

  /** Finishes deletions in progress: that of a trace which an earlier command began, and those of others, which may have had the id. */
  finishDeletions(begun: number | null): Left | null {
    const pending = purgesInProgress(this.database, this.parts.application);
    const tkeys = begun === null ? pending : [begun, ...pending.filter((tkey) => tkey !== begun)];
    const done = this.prune(tkeys);
    if (done < tkeys.length) return { begun: tkeys[done] ?? null };
    return pending.length < STEP_TRACES ? null : MORE;
  }

  /** Deletes traces as far as one command may; returns how many are done. */
  private prune(tkeys: readonly number[]): number {
    const { application, at, others } = this.parts;
    return others.prune(this.database, { application, tkeys, at, rejectUntil: null });
  }

  /** Erases the tests that sent a copied example: their prompts, and the traces in which the app repeats them. */
  private eraseTests(exampleIds: readonly string[]): Left | null {
    const { application, at, counts, others } = this.parts;
    const limit = STEP_TESTS - this.tests;
    if (limit <= 0) return MORE;
    const tests = others.testsOfCopies(this.database, { application, exampleIds, limit });
    for (const testId of tests) {
      others.endTest(this.database, { application, testId, at });
      const traces = tracesOfTest(this.database, { application, testId });
      for (const trace of traces) {
        const left = this.erase(trace);
        if (left !== null) return left;
      }
      if (traces.length === STEP_TRACES) return MORE;
      counts.deliveries += deliveriesWithBody(this.database, { application, testId });
      others.eraseTest(this.database, { application, testId, at });
      counts.tests += 1;
      this.tests += 1;
    }
    return tests.length === limit ? MORE : null;
  }

  private delete(trace: TraceOf): Left | null {
    addTo(this.parts.counts, countsOf(this.database, trace));
    const done = this.prune([trace.tkey]);
    const { application, at, others } = this.parts;
    others.markErased(this.database, { application, traceId: trace.traceId, at });
    // The next step deletes the rest of a large trace.
    return done === 1 ? null : { begun: trace.tkey };
  }
}

const tracesOfTest = (
  database: Database,
  { application, testId }: { application: number; testId: string },
): TraceOf[] =>
  database.all<TraceOf>(
    `SELECT trace.application, trace.tkey, trace_id AS "traceId" FROM ${fromTracesOfTest()} LIMIT ${STEP_TRACES}`,
    { application, testId: parseId(testId) },
  );

/** Returns the number of deliveries of a test whose bodies are left: those of a test without a trace, for example. */
const deliveriesWithBody = (database: Database, of: { application: number; testId: string }): number =>
  database.get<{ n: number }>(
    'SELECT count(*) AS n FROM delivery WHERE application = :application AND test_id = :testId AND length(request_body) > 0',
    of,
  )?.n ?? 0;

export interface TraceOf {
  application: number;
  tkey: number;
  traceId: Buffer;
}

/** Returns some of the deleted traces of which something is left. */
const purgesInProgress = (database: Database, application: number): number[] =>
  database
    .all<{ tkey: number }>(
      `SELECT tkey FROM purge WHERE application = :application ORDER BY tkey LIMIT ${STEP_TRACES}`,
      { application },
    )
    .map(({ tkey }) => tkey);

function addTo(sums: ErasedCounts, counts: Partial<ErasedCounts>): void {
  for (const name of COUNTED) sums[name] += counts[name] ?? 0;
}

/** Counts what belongs to a trace. */
function countsOf(database: Database, trace: TraceOf): Partial<ErasedCounts> {
  const ofTrace = 'WHERE application = :application AND trace_id = :traceId';
  return (
    database.get<Partial<ErasedCounts>>(
      `SELECT 1 AS traces,
         (SELECT span_count FROM trace WHERE application = :application AND tkey = :tkey) AS spans,
         (SELECT count(*) FROM span_log ${ofTrace}) AS "logRecords",
         (SELECT count(*) FROM human_annotation ${ofTrace}) AS annotations,
         (SELECT count(*) FROM annotation_queue_item ${ofTrace}) AS "queueItems",
         (SELECT count(*) FROM eval ${ofTrace}) AS evals,
         (SELECT count(*) FROM delivery WHERE application = :application AND test_id IN (
            SELECT ${uuidOf('test_id')} FROM trace_test WHERE tkey = :tkey)) AS deliveries`,
      { ...trace },
    ) ?? {}
  );
}
