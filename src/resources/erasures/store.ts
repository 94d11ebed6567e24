import { createHash } from 'node:crypto';
import type { ById, Owner } from '../../contract/owner.ts';
import type { ListOf, Page } from '../../contract/paging.ts';
import type { Actor } from '../../contract/scope.ts';
import type { Database } from '../../storage/database.ts';
import { byIndex, uuidOf, valuesOf } from '../../storage/dialect.ts';
import { locking } from '../../storage/operations.ts';
import type { RecordOf } from '../../storage/record.ts';
import { oneOfEach } from '../../storage/sql.ts';
import { parseId } from '../../traces/ids.ts';
import { tracesOfTest } from '../../traces/traces-of-test.ts';
import {
  COUNTED,
  type ErasedCounts,
  type Erasure,
  MAX_COPIES,
  type MadeCopy,
  NOT_LISTED,
} from './contract.ts';
import { erasures } from './record.ts';

/** Traces that one command looks at. */
const STEP_TRACES = 50;

interface CreateErasure {
  owner: Owner;
  id: string;
  subject: Pick<Erasure, 'subjectType'> & {
    value: string /** Forms that masking gives the value. */;
    otherForms: readonly string[];
  };
  actor: Actor;
  at: number;
}

const NOTHING = Object.fromEntries(COUNTED.map((name) => [name, 0])) as ErasedCounts;

/** Records a request to delete all traces of a user or a session. */
function createErasure(database: Database, { owner, id, subject, actor, at }: CreateErasure): Erasure {
  const { subjectType, value, otherForms } = subject;
  erasures.insert(
    database,
    { application: owner.application, at },
    {
      id,
      subjectType,
      subjectHash: hashOf(value),
      subject: value,
      otherForms: [...otherForms],
      status: 'PENDING',
      counts: NOTHING,
      actorType: actor.type,
      actorId: actor.id,
      actorName: actor.name,
      completedAt: null,
      copies: null,
    },
  );
  return getErasure(database, { owner, id });
}

const hashOf = (value: string): string => createHash('sha256').update(value).digest('hex');

const getErasure = (database: Database, { owner, id }: ById): Erasure =>
  shown(erasures.get(database, { owner, id }));

function listErasures(
  database: Database,
  { owner, query }: { owner: Owner; query: Page & { subjectHash?: string | undefined } },
): ListOf<Erasure> {
  const where = oneOfEach({
    subject_hash: query.subjectHash === undefined ? undefined : [query.subjectHash],
  });
  const { data, pagination } = erasures.list(database, owner, { where, page: query });
  return { data: data.map(shown), pagination };
}

type Stored = RecordOf<typeof erasures> & { orgId: string; applicationId: string };

function shown(stored: Stored): Erasure {
  const { actorType: type, actorId: id, actorName: name, subject, otherForms, copies, ...rest } = stored;
  // The id of the subject is kept while its traces are deleted, and is never shown.
  void otherForms;
  const left = subject === null ? 'READERS' : 'DELETION';
  return {
    ...rest,
    // Earlier versions counted fewer kinds.
    counts: { ...NOTHING, ...rest.counts },
    pendingFor: rest.status === 'COMPLETED' ? null : left,
    copies: copies && { ...copies, notListed: NOT_LISTED },
    requestedBy: { type, id, name },
  };
}

interface Pending {
  application: number;
  id: string;
}

/** Returns an erasure that is not complete, of any application; null if there is none. */
const pendingErasure = (database: Database, _args: null): Pending | null =>
  database.get<Pending>(
    `SELECT application, id FROM erasure ${byIndex('erasure_pending')} WHERE status = 'PENDING' ORDER BY created_at, id LIMIT 1`,
  ) ?? null;

/** Deletes traces as `pruneTraces` does; returns how many of them are done. */
export type PruneTraces = (
  database: Database,
  args: { application: number; tkeys: readonly number[]; at: number; rejectUntil: number | null },
) => number;
/** Parts of an erasure that concern the tables of other modules. */
export interface EraseOthers {
  prune: PruneTraces;
  /** Finds the examples and the tasks that copy texts of a trace. */
  copiesOfTrace: (database: Database, of: OfTrace) => { exampleIds: string[]; taskIds: string[] };
  /** Returns some deleted traces of the subject of which copies may be left. */
  copiedTracesOf: (
    database: Database,
    of: {
      application: number;
      subjectType: Erasure['subjectType'];
      values: readonly string[];
      limit: number;
    },
  ) => Uint8Array[];
  /** Forgets a deleted trace of which no copy is left. */
  forgetCopiedTrace: (database: Database, of: OfTrace) => void;
  /** Returns some tests of these examples whose texts are not erased yet. */
  testsOfCopies: (
    database: Database,
    of: { application: number; exampleIds: readonly string[]; limit: number },
  ) => string[];
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

interface EraseSome extends Pending {
  at: number;
  /** Trace that an earlier step has deleted in part; null if none. */
  begun: number | null;
}

interface ErasedSome {
  isComplete: boolean;
  begun: number | null;
}

/** Tests of copied examples that one command erases. */
const STEP_TESTS = 20;

/** Creates a command that deletes some of the traces of an erasure, and counts what it deletes in its receipt. */
const eraseSome =
  (others: EraseOthers) =>
  (database: Database, { application, id, at, begun }: EraseSome): ErasedSome => {
    const erasure = erasures.require(database, application, id);
    const { status, subject, counts: stored } = erasure;
    if (status === 'COMPLETED' || subject === null) return { isComplete: true, begun: null };
    const counts = { ...NOTHING, ...stored };
    const step = new ErasureStep(database, { application, at, counts, others });
    if (begun !== null && !step.prune(begun)) return { isComplete: false, begun };

    const forms = [subject, ...(erasure.otherForms ?? [])];
    const found = tracesOf(database, { application, forms, subjectType: erasure.subjectType });
    const of = { application, subjectType: erasure.subjectType, values: forms, limit: STEP_TRACES };
    const copied = found.length < STEP_TRACES ? others.copiedTracesOf(database, of) : [];
    const left = step.eraseTraces(found) ?? step.eraseCopiesOf(copied);
    if (left !== null) {
      erasures.update(database, { application, id, at }, { counts });
      return { isComplete: false, begun: left.begun };
    }
    const isComplete = found.length < STEP_TRACES && copied.length < STEP_TRACES;
    if (isComplete) {
      counts.views += others.deleteViewsNaming(database, { application, values: forms });
      if (erasure.subjectType === 'session')
        for (const form of forms)
          others.hashSessionInAudit(database, { application, id: form, hash: erasure.subjectHash });
    }
    const end = isComplete ? { subject: null, otherForms: null } : {};
    erasures.update(database, { application, id, at }, { counts, ...end });
    return { isComplete, begun: null };
  };

interface StepParts {
  application: number;
  at: number;
  counts: ErasedCounts;
  others: EraseOthers;
}

/** Deletions of one command of an erasure. */
class ErasureStep {
  private readonly database: Database;
  private readonly parts: StepParts;
  private tests = 0;

  constructor(database: Database, parts: StepParts) {
    this.database = database;
    this.parts = parts;
  }

  /** Deletes traces with what was copied from them; returns null when nothing of them is left. */
  eraseTraces(traces: readonly TraceOf[]): { begun: number | null } | null {
    for (const trace of traces) {
      const left = this.eraseCopies(trace) ?? this.delete(trace);
      if (left !== null) return left;
    }
    return null;
  }

  /** Deletes what was copied from traces that were deleted before; returns null when nothing of it is left. */
  eraseCopiesOf(traceIds: readonly Uint8Array[]): { begun: number | null } | null {
    const { application, others } = this.parts;
    for (const traceId of traceIds) {
      const left = this.eraseCopies({ application, traceId });
      if (left !== null) return left;
      others.forgetCopiedTrace(this.database, { application, traceId });
    }
    return null;
  }

  private eraseCopies(trace: OfTrace): { begun: number | null } | null {
    const { application, at, counts, others } = this.parts;
    const { exampleIds, taskIds } = others.copiesOfTrace(this.database, trace);
    const left = exampleIds.length > 0 ? this.eraseTests(exampleIds) : null;
    if (left !== null) return left;
    others.eraseTitles(this.database, { application, ids: taskIds, at });
    others.deleteExamples(this.database, { application, ids: exampleIds });
    counts.tasks += taskIds.length;
    counts.examples += exampleIds.length;
    return null;
  }

  prune(tkey: number): boolean {
    const { application, at, others } = this.parts;
    return others.prune(this.database, { application, tkeys: [tkey], at, rejectUntil: null }) === 1;
  }

  /** Erases the tests that sent a copied example: their prompts, and the traces in which the app repeats them. */
  private eraseTests(exampleIds: readonly string[]): { begun: number | null } | null {
    const { application, at, counts, others } = this.parts;
    const limit = STEP_TESTS - this.tests;
    if (limit <= 0) return { begun: null };
    const tests = others.testsOfCopies(this.database, { application, exampleIds, limit });
    for (const testId of tests) {
      for (const trace of tracesOfTestToErase(this.database, { application, testId })) {
        const left = this.delete(trace);
        if (left !== null) return left;
      }
      others.eraseTest(this.database, { application, testId, at });
      counts.tests += 1;
      this.tests += 1;
    }
    return tests.length === limit ? { begun: null } : null;
  }

  private delete(trace: TraceOf): { begun: number | null } | null {
    addTo(this.parts.counts, countsOf(this.database, trace));
    // The next step deletes the rest of a large trace.
    return this.prune(trace.tkey) ? null : { begun: trace.tkey };
  }
}

interface CompleteErasure extends Pending {
  at: number;
  /** Files in the data folder with an earlier state of the store. */
  snapshots: readonly MadeCopy[];
}

/** Creates a command that completes an erasure of which nothing is left in any file of the store. */
const completeErasure =
  ({ copiesInAudit }: Pick<EraseOthers, 'copiesInAudit'>) =>
  (database: Database, { application, id, at, snapshots }: CompleteErasure): void => {
    const { status, subject } = erasures.require(database, application, id);
    if (status !== 'PENDING' || subject !== null) return;
    const { total, data } = copiesInAudit(database, { application, limit: MAX_COPIES });
    const newest = [...data, ...snapshots].toSorted(
      (a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt),
    );
    const copies = { total: total + snapshots.length, data: newest.slice(0, MAX_COPIES) };
    erasures.update(database, { application, id, at }, { status: 'COMPLETED', completedAt: at, copies });
  };

const tracesOfTestToErase = (
  database: Database,
  { application, testId }: { application: number; testId: string },
): TraceOf[] =>
  database.all<TraceOf>(
    `SELECT trace.application, trace.tkey, trace_id AS "traceId" FROM ${tracesOfTest()} LIMIT ${STEP_TRACES}`,
    { application, testId: parseId(testId) },
  );

interface TraceOf {
  application: number;
  tkey: number;
  traceId: Buffer;
}

function tracesOf(
  database: Database,
  {
    application,
    forms,
    subjectType,
  }: { application: number; forms: readonly string[]; subjectType: Erasure['subjectType'] },
): TraceOf[] {
  const column = subjectType === 'user' ? 'user_id' : 'session_id';
  return database.all<TraceOf>(
    `SELECT application, tkey, trace_id AS "traceId" FROM trace
     WHERE application = :application AND ${column} IN ${valuesOf(':forms')} LIMIT ${STEP_TRACES}`,
    { application, forms: JSON.stringify(forms) },
  );
}

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

export const erasureCommands = (others: EraseOthers) =>
  locking('application', {
    createErasure,
    eraseSome: eraseSome(others),
    completeErasure: completeErasure(others),
  });
export const erasureQueries = { getErasure, listErasures, pendingErasure };
