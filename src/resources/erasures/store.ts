import type { ById, Owner } from '../../contract/owner.ts';
import type { ListOf, PageQuery } from '../../contract/paging.ts';
import type { Actor } from '../../contract/scope.ts';
import type { Database } from '../../storage/database.ts';
import { byIndex, valuesOf } from '../../storage/dialect.ts';
import { locking, withHooks } from '../../storage/operations.ts';
import type { RecordOf } from '../../storage/record.ts';
import { oneOfEach } from '../../storage/sql.ts';
import {
  COUNTED,
  type ErasedCounts,
  type Erasure,
  MAX_COPIES,
  type MadeCopy,
  NOT_LISTED,
} from './contract.ts';
import { removeMatchesNaming } from './issue-matches.ts';
import { erasures } from './record.ts';
import { copiedTracesOf } from '../examples/copied-traces.ts';
import { deleteViewsNaming } from '../views/store.ts';
import { type ErasureHooks, ErasureStep, type Left, MORE, type StepHooks, type TraceOf } from './step.ts';
import { sha256Hex } from '../../runtime/sha256.ts';

/** Traces that one command looks at. */
const STEP_TRACES = 50;

interface CreateErasure {
  owner: Owner;
  id: string;
  subject: Pick<Erasure, 'subjectType'> & {
    value: string;
    /** Other spellings of the value, and the forms that masking gives them. */
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
      subjectHash: sha256Hex(value),
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

const getErasure = (database: Database, { owner, id }: ById): Erasure =>
  shown(erasures.get(database, { owner, id }));

function listErasures(
  database: Database,
  { owner, query }: { owner: Owner; query: PageQuery & { subjectHash?: string | undefined } },
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
  void otherForms;
  // The id of the subject is kept while its traces are deleted, and is never shown.
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

/** Returns an erasure that is not complete, of any application, first those whose traces are not deleted yet; null if there is none. */
const pendingErasure = (database: Database, _args: null): Pending | null =>
  database.get<Pending>(
    `SELECT application, id FROM erasure ${byIndex('erasure_pending')} WHERE status = 'PENDING' ORDER BY subject IS NULL, created_at, id LIMIT 1`,
  ) ?? null;

interface EraseSome extends Pending {
  at: number;
  /** Trace that an earlier step has deleted in part; null if none. */
  begun: number | null;
}

interface ErasedSome extends Left {
  isComplete: boolean;
}

/** Deletes some of the traces of an erasure, and counts what it deletes in its receipt. */
function eraseSome(
  database: Database,
  { application, id, at, begun }: EraseSome,
  { onSessionErased, ...hooks }: StepHooks & ErasureHooks,
): ErasedSome {
  const erasure = erasures.require(database, application, id);
  const { status, subject, subjectType, subjectHash: hash } = erasure;
  if (status === 'COMPLETED' || subject === null) return { isComplete: true, begun: null };
  const counts = { ...NOTHING, ...erasure.counts };
  const step = new ErasureStep(database, { application, at, counts, hooks });
  const ids = [subject, ...(erasure.otherForms ?? [])];
  const left =
    step.finishDeletions(begun) ??
    eraseTraces(database, step, { application, subjectType, ids }) ??
    eraseOrigins(database, step, { application, subjectType, ids });
  if (left === null) {
    counts.views +=
      deleteViewsNaming(database, { application, values: ids }) +
      removeMatchesNaming(database, { application, values: ids, at });
    if (subjectType === 'session')
      for (const one of ids)
        for (const onErased of onSessionErased) onErased(database, { application, id: one, hash });
  }
  const end = left === null ? { subject: null, otherForms: null } : {};
  erasures.update(database, { application, id, at }, { counts, ...end });
  return { isComplete: left === null, begun: left?.begun ?? null };
}

interface SubjectIds {
  application: number;
  subjectType: Erasure['subjectType'];
  /** All forms of the id. */
  ids: readonly string[];
}

/** Erases some of the traces with one of the ids. */
function eraseTraces(
  database: Database,
  step: ErasureStep,
  { application, subjectType, ids }: SubjectIds,
): Left | null {
  const column = subjectType === 'user' ? 'user_id' : 'session_id';
  const found = database.all<TraceOf>(
    `SELECT application, tkey, trace_id AS "traceId" FROM trace
     WHERE application = :application AND ${column} IN ${valuesOf(':ids')} LIMIT ${STEP_TRACES}`,
    { application, ids: JSON.stringify(ids) },
  );
  for (const trace of found) {
    const left = step.erase(trace) ?? (step.isOver ? MORE : null);
    if (left !== null) return left;
  }
  return found.length < STEP_TRACES ? null : MORE;
}

/** Erases what was copied from some of the traces with one of the ids that were deleted before. */
function eraseOrigins(database: Database, step: ErasureStep, subject: SubjectIds): Left | null {
  const found = copiedTracesOf(database, { ...subject, values: subject.ids, limit: STEP_TRACES });
  for (const traceId of found) {
    const left = step.eraseCopies(traceId) ?? (step.isOver ? MORE : null);
    if (left !== null) return left;
  }
  return found.length < STEP_TRACES ? null : MORE;
}

interface CompleteErasure extends Pending {
  at: number;
  /** Files in the data folder with an earlier state of the store. */
  snapshots: readonly MadeCopy[];
}

/** Completes an erasure of which nothing is left in any file of the store. */
function completeErasure(
  database: Database,
  { application, id, at, snapshots }: CompleteErasure,
  { madeCopies }: ErasureHooks,
): void {
  const { status, subject } = erasures.require(database, application, id);
  if (status !== 'PENDING' || subject !== null) return;
  const found = madeCopies.map((copies) => copies(database, { application, limit: MAX_COPIES }));
  const made = [...found, { total: snapshots.length, data: snapshots }];
  const newest = made
    .flatMap(({ data }) => data)
    .toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
  const total = made.reduce((sum, one) => sum + one.total, 0);
  const copies = { total, data: newest.slice(0, MAX_COPIES) };
  erasures.update(database, { application, id, at }, { status: 'COMPLETED', completedAt: at, copies });
}

export const erasureCommands = (hooks: StepHooks & ErasureHooks) => {
  const hooked = withHooks(hooks);
  return locking('application', {
    createErasure,
    eraseSome: hooked(eraseSome),
    completeErasure: hooked(completeErasure),
  });
};
export const erasureQueries = { getErasure, listErasures, pendingErasure };
