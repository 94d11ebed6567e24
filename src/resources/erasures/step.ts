import type { Database } from '../../storage/database.ts';
import { CommandTime } from '../../storage/command-time.ts';
import { uuidOf } from '../../storage/dialect.ts';
import { endErasedTest } from '../../deliver/end-erased.ts';
import { purgeDeliveries } from '../../deliver/purge-deliveries.ts';
import { settleDeleted } from '../../evaluate/engine/finish.ts';
import { purgeEvalsOfTest, purgePromptCalls } from '../../evaluate/purge-evals.ts';
import { eraseTestTexts, eraseWritingReasons, type TestHooks } from '../../tests/store.ts';
import { markErased } from '../../traces/delete.ts';
import { parseId } from '../../traces/ids.ts';
import { pruneTraces } from '../../traces/prune.ts';
import type { TraceHooks } from '../../traces/purge.ts';
import { StepBudget } from '../../traces/purge-step.ts';
import { forgetCopiedTrace } from '../examples/copied-traces.ts';
import { copiesOfTrace, testsOfCopies } from '../examples/erase-copies.ts';
import { deleteExamples } from '../examples/store.ts';
import { endUnwritten } from '../examples/writing/store.ts';
import { eraseTitles } from '../tasks/erase-titles.ts';
import { tracesOfTest as fromTracesOfTest } from '../../traces/traces-of-test.ts';
import { COUNTED, type ErasedCounts, type MadeCopy } from './contract.ts';

/** Hooks of features that keep what an erasure must find. */
export interface ErasureHooks {
  /** Called with each form of the id of an erased session, and the hash that replaces it. */
  onSessionErased: readonly ((
    database: Database,
    of: { application: number; id: string; hash: string },
  ) => void)[];
  /** Returns the newest backups and exports that a feature knows, and their number. */
  madeCopies: readonly ((
    database: Database,
    of: { application: number; limit: number },
  ) => { total: number; data: MadeCopy[] })[];
}

/** Hooks that the deletion of a trace and the end of a test call. */
export type StepHooks = TraceHooks & TestHooks;

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
  hooks: StepHooks;
}

/** Deletions of one command of an erasure. */
export class ErasureStep {
  private readonly database: Database;
  private readonly parts: StepParts;
  private readonly time = new CommandTime();
  private tests = 0;
  /** Traces whose copies are being erased: the trace of a test may be the origin of the example that the test sent. */
  private readonly open = new Set<number>();

  constructor(database: Database, parts: StepParts) {
    this.database = database;
    this.parts = parts;
  }

  /** Returns whether the rest is left to the next command. */
  get isOver(): boolean {
    return this.time.isOver;
  }

  /** Deletes a trace with what was copied from it; returns null when nothing of it is left. */
  erase(trace: TraceOf): Left | null {
    if (this.open.has(trace.tkey)) return null;
    this.open.add(trace.tkey);
    return this.eraseCopies(trace.traceId) ?? this.delete(trace);
  }

  /** Erases what was copied from a trace, which may have been deleted before; returns null when nothing of it is left. */
  eraseCopies(traceId: Uint8Array): Left | null {
    const { application, at, counts, hooks } = this.parts;
    const copies = copiesOfTrace(this.database, { application, traceId });
    const { exampleIds, writtenIds, taskIds, shownTaskIds } = copies;
    if (shownTaskIds.length > 0) {
      if (!endUnwritten(this.database, { application, taskIds: shownTaskIds, at }, hooks)) return MORE;
      const left = this.eraseTests([...writtenIds, ...exampleIds]);
      if (left !== null) return left;
      if (!eraseWritingReasons(this.database, { application, taskIds: shownTaskIds })) return MORE;
      const calls = { application, taskIds: shownTaskIds, limit: STEP_CALLS };
      if (!purgePromptCalls(this.database, calls)) return MORE;
      deleteExamples(this.database, { application, ids: writtenIds });
      counts.examples += writtenIds.length;
      // Only the examples and titles lead to the prompts that were written from them.
      if (writtenIds.length > 0) return MORE;
      eraseTitles(this.database, { application, ids: taskIds, at });
      deleteExamples(this.database, { application, ids: exampleIds });
      counts.tasks += taskIds.length;
      counts.examples += exampleIds.length;
    }
    forgetCopiedTrace(this.database, { application, traceId });
    markErased(this.database, { application, traceId, at });
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
    const { application, at, hooks } = this.parts;
    return pruneTraces(this.database, { application, tkeys, at, rejectUntil: null }, hooks);
  }

  /** Erases the tests that sent a copied example: their prompts, and the traces in which the app repeats them. */
  private eraseTests(exampleIds: readonly string[]): Left | null {
    const { application, at, counts, hooks } = this.parts;
    const limit = STEP_TESTS - this.tests;
    if (limit <= 0) return MORE;
    const tests = testsOfCopies(this.database, { application, exampleIds, limit });
    for (const testId of tests) {
      endErasedTest(this.database, { application, testId, at }, hooks);
      const traces = tracesOfTest(this.database, { application, testId });
      for (const trace of traces) {
        const left = this.erase(trace);
        if (left !== null) return left;
      }
      if (traces.length === STEP_TRACES) return MORE;
      counts.deliveries += deliveriesWithBody(this.database, { application, testId });
      this.eraseTest(testId);
      counts.tests += 1;
      this.tests += 1;
      if (this.isOver) return MORE;
    }
    return tests.length === limit ? MORE : null;
  }

  /** Removes the texts of a test, of its deliveries and of its evals. */
  private eraseTest(testId: string): void {
    const { application, at, hooks } = this.parts;
    eraseTestTexts(this.database, { application, testId, at });
    const test = { application, testId, deletedAt: at };
    while (!purgeDeliveries(this.database, test, new StepBudget()));
    while (!purgeEvalsOfTest(this.database, test, new StepBudget()));
    settleDeleted(this.database, test, hooks);
  }

  private delete(trace: TraceOf): Left | null {
    addTo(this.parts.counts, countsOf(this.database, trace));
    const done = this.prune([trace.tkey]);
    const { application, at } = this.parts;
    markErased(this.database, { application, traceId: trace.traceId, at });
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
         (SELECT count(*) FROM note ${ofTrace}) AS notes,
         (SELECT count(*) FROM annotation_queue_item ${ofTrace}) AS "queueItems",
         (SELECT count(*) FROM eval ${ofTrace}) AS evals,
         (SELECT count(*) FROM delivery WHERE application = :application AND test_id IN (
            SELECT ${uuidOf('test_id')} FROM trace_test WHERE tkey = :tkey)) AS deliveries`,
      { ...trace },
    ) ?? {}
  );
}
