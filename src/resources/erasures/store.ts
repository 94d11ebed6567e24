import { createHash } from 'node:crypto';
import type { ById, Owner } from '../../contract/owner.ts';
import type { ListOf, Page } from '../../contract/paging.ts';
import type { Actor } from '../../contract/scope.ts';
import type { Database } from '../../storage/database.ts';
import { byIndex, uuidOf } from '../../storage/dialect.ts';
import { locking } from '../../storage/operations.ts';
import type { RecordOf } from '../../storage/record.ts';
import { oneOfEach } from '../../storage/sql.ts';
import { dayOfKey } from '../../traces/trace-keys.ts';
import { COUNTED, type ErasedCounts, type Erasure } from './contract.ts';
import { erasures } from './record.ts';

/** Traces that one command looks at. */
const STEP_TRACES = 50;

interface CreateErasure {
  owner: Owner;
  id: string;
  subject: Pick<Erasure, 'subjectType'> & { value: string };
  actor: Actor;
  at: number;
}

const NOTHING = Object.fromEntries(COUNTED.map((name) => [name, 0])) as ErasedCounts;

/** Records a request to delete all traces of a user or a session. */
function createErasure(database: Database, { owner, id, subject, actor, at }: CreateErasure): Erasure {
  const { subjectType, value } = subject;
  erasures.insert(
    database,
    { application: owner.application, at },
    {
      id,
      subjectType,
      subjectHash: hashOf(value),
      subject: value,
      status: 'PENDING',
      counts: NOTHING,
      actorType: actor.type,
      actorId: actor.id,
      actorName: actor.name,
      completedAt: null,
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
  const { actorType: type, actorId: id, actorName: name, subject, ...rest } = stored;
  // The id of the subject is kept while its traces are deleted, and is never shown.
  void subject;
  return { ...rest, requestedBy: { type, id, name } };
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
/** Deletes the examples that were made from a trace; returns how many. */
export type DeleteExamples = (
  database: Database,
  args: { application: number; traceId: Uint8Array },
) => number;

interface EraseSome extends Pending {
  at: number;
  /** Trace that an earlier step has deleted in part; null if none. */
  begun: number | null;
}

interface ErasedSome {
  isComplete: boolean;
  begun: number | null;
}

/** Marks days whose stored traces are to be counted again. */
export type MarkDays = (database: Database, args: { application: number; days: readonly number[] }) => void;

/** Creates a command that deletes some of the traces of an erasure, and counts what it deletes in its receipt. */
const eraseSome =
  (prune: PruneTraces, deleteExamples: DeleteExamples, markDays: MarkDays) =>
  (database: Database, { application, id, at, begun }: EraseSome): ErasedSome => {
    const { status, subject, subjectType, counts } = erasures.require(database, application, id);
    if (status === 'COMPLETED' || subject === null) return { isComplete: true, begun: null };
    const pruneOne = (tkey: number): boolean =>
      prune(database, { application, tkeys: [tkey], at, rejectUntil: null }) === 1;
    if (begun !== null && !pruneOne(begun)) return { isComplete: false, begun };

    const found = tracesOf(database, { application, subject, subjectType });
    for (const { tkey, traceId } of found) {
      const examples = deleteExamples(database, { application, traceId });
      addTo(counts, countsOf(database, { application, tkey, traceId }));
      counts.examples += examples;
      markDays(database, { application, days: [dayOfKey(tkey)] });
      // The next step deletes the rest of a large trace.
      if (!pruneOne(tkey)) {
        erasures.update(database, { application, id, at }, { counts });
        return { isComplete: false, begun: tkey };
      }
    }
    const isComplete = found.length < STEP_TRACES;
    const end = isComplete ? ({ status: 'COMPLETED', subject: null, completedAt: at } as const) : {};
    erasures.update(database, { application, id, at }, { counts, ...end });
    return { isComplete, begun: null };
  };

interface TraceOf {
  application: number;
  tkey: number;
  traceId: Buffer;
}

function tracesOf(
  database: Database,
  {
    application,
    subject,
    subjectType,
  }: { application: number; subject: string; subjectType: Erasure['subjectType'] },
): TraceOf[] {
  const column = subjectType === 'user' ? 'user_id' : 'session_id';
  return database.all<TraceOf>(
    `SELECT application, tkey, trace_id AS "traceId" FROM trace
     WHERE application = :application AND ${column} = :subject LIMIT ${STEP_TRACES}`,
    { application, subject },
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

export const erasureCommands = (prune: PruneTraces, deleteExamples: DeleteExamples, markDays: MarkDays) =>
  locking('application', { createErasure, eraseSome: eraseSome(prune, deleteExamples, markDays) });
export const erasureQueries = { getErasure, listErasures, pendingErasure };
