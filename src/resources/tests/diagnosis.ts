import type { Owner } from '../../contract/owner.ts';
import { isoTime } from '../../contract/values.ts';
import type { Database } from '../../storage/database.ts';
import { TEST_PHASES, type TestPhase } from '../../tests/states.ts';
import { tests } from '../../tests/record.ts';
import { formatUuid, parseId } from '../../traces/ids.ts';
import { tracesOfTest } from '../../traces/traces-of-test.ts';
import type { LastUnauthorized } from '../applications/health-contract.ts';
import { likelyCause } from './diagnosis-advice.ts';
import type { Diagnosis } from './diagnosis-contract.ts';

const MAX_ATTEMPTS = 100;
const MAX_TRACES = 1_000;
const MAX_OTHER_TESTS = 20;
const MAX_REJECTIONS = 20;
/** Clocks of the app and of the service differ. */
const CLOCKS_MS = 60_000;
/** A test that waits for hours is diagnosed by its first hour. */
const MAX_WINDOW_MS = 3_600_000;
const NS_PER_MS = 1_000_000n;

const diagnosed = tests.pick(
  'id',
  'createdAt',
  'modifiedAt',
  'status',
  'phase',
  'failure',
  'traceId',
  'checkAt',
);

const lifetime = tests.pick('createdAt', 'modifiedAt', 'status');

export interface DiagnosisArgs {
  owner: Owner;
  id: string;
  /** Unix milliseconds. */
  at: number;
  /** The last request of the application with rejected credentials; times in Unix milliseconds. */
  lastUnauthorized?: ReturnType<LastUnauthorized>;
}

/** Collects what happened to a test, and around it, and says what the likely cause of its state is. Throws `not_found`. */
export function diagnoseTest(
  database: Database,
  { owner: { application }, id, at, lastUnauthorized = null }: DiagnosisArgs,
): Diagnosis {
  const test = diagnosed.require(database, application, id);
  const isOver = test.status === 'COMPLETED' || test.status === 'FAILED';
  const createdAt = Date.parse(test.createdAt);
  const from = createdAt - CLOCKS_MS;
  const to = Math.min(isOver ? Date.parse(test.modifiedAt) + CLOCKS_MS : at, createdAt + MAX_WINDOW_MS);
  const key = { application, id, from, to };
  const attempts = attemptsOf(database, key);
  const facts = {
    ...test,
    attempts,
    meanwhile: { ...meanwhileOf(database, key), unauthorized: within(lastUnauthorized, key) },
    spans: spansOf(database, application, { id, traceId: test.traceId, deliveries: attempts.length }),
  };
  return {
    testId: id,
    status: test.status,
    phase: test.phase,
    ...likelyCause(facts),
    phases: phasesOf(database, key, test),
    deadline: test.checkAt === null || isOver ? null : isoTime(test.checkAt),
    attempts,
    meanwhile: facts.meanwhile,
    spans: facts.spans,
  };
}

function within(
  request: ReturnType<LastUnauthorized>,
  { from, to }: Key,
): Diagnosis['meanwhile']['unauthorized'] {
  if (request === null || request.at < from || request.at > to) return null;
  return { ...request, at: isoTime(request.at) };
}

interface Key {
  application: number;
  id: string;
  /** Unix milliseconds. */
  from: number;
  to: number;
}

function phasesOf(
  database: Database,
  { application, id }: Key,
  { phase: current, status }: { phase: TestPhase; status: string },
): Diagnosis['phases'] {
  const rows = database.all<{ phase: TestPhase; at: number }>(
    'SELECT phase, min(at) AS at FROM test_event WHERE application = :application AND test_id = :id GROUP BY phase',
    { application, id },
  );
  const reachedAt = new Map(rows.map(({ phase, at }) => [phase, at]));
  return TEST_PHASES.map((phase) => {
    const at = reachedAt.get(phase);
    const isCurrent = phase === current && phase !== 'done';
    const reached = at === undefined ? 'pending' : 'reached';
    const state = isCurrent ? (status === 'FAILED' ? 'failed' : 'current') : reached;
    return { phase, state, at: at === undefined ? null : isoTime(at) };
  });
}

interface AttemptRow {
  deliveryId: string;
  attempt: number;
  sentAt: number;
  finishedAt: number | null;
  outcome: Diagnosis['attempts'][number]['outcome'];
  statusCode: number | null;
  message: string | null;
  timings: string | null;
  requestBytes: number;
  responseBytes: number | null;
}

function attemptsOf(database: Database, { application, id }: Key): Diagnosis['attempts'] {
  return database
    .all<AttemptRow>(
      `SELECT id AS deliveryId, attempt, sent_at AS sentAt, finished_at AS finishedAt, outcome,
         status_code AS statusCode, message, timings, length(request_body) AS requestBytes,
         length(response_body) AS responseBytes
       FROM delivery WHERE application = :application AND test_id = :id ORDER BY attempt LIMIT :limit`,
      { application, id, limit: MAX_ATTEMPTS },
    )
    .map(({ sentAt, finishedAt, timings, ...row }) => ({
      ...row,
      sentAt: isoTime(sentAt),
      finishedAt: finishedAt === null ? null : isoTime(finishedAt),
      timings: timings === null ? null : (JSON.parse(timings) as Record<string, number>),
    }));
}

function meanwhileOf(
  database: Database,
  { application, id, from, to }: Key,
): Omit<Diagnosis['meanwhile'], 'unauthorized'> {
  const keys = database.all<{ tkey: number }>(
    'SELECT tkey FROM trace WHERE application = :application AND start_ns BETWEEN :startNs AND :endNs ORDER BY start_ns LIMIT :limit',
    {
      application,
      startNs: BigInt(from) * NS_PER_MS,
      endNs: BigInt(Math.max(from, to)) * NS_PER_MS,
      limit: MAX_TRACES,
    },
  );
  const testIds = keys.map(({ tkey }) =>
    database
      .all<{ testId: Uint8Array }>('SELECT test_id AS testId FROM trace_test WHERE tkey = :tkey', { tkey })
      .map(({ testId }) => formatUuid(testId)),
  );
  const others = testIds.filter((ids) => ids.length > 0 && !ids.includes(id));
  const innocent = testsBeside(database, { application, id, from, to }, others.flat());
  const suspicious = others.filter((ids) => !ids.some((one) => innocent.has(one)));
  const rejections = database.all<{ at: number; reason: string; message: string; spans: number }>(
    `SELECT at, reason, message, spans FROM rejection
     WHERE application = :application AND at BETWEEN :from AND :to ORDER BY id DESC LIMIT :limit`,
    { application, from, to, limit: MAX_REJECTIONS },
  );
  return {
    from: isoTime(from),
    to: isoTime(Math.max(from, to)),
    tracesWithoutTest: testIds.filter((ids) => ids.length === 0).length,
    tracesOfOtherTests: suspicious.length,
    otherTestIds: [...new Set(suspicious.flat())].slice(0, MAX_OTHER_TESTS),
    rejections: rejections.map((rejection) => ({ ...rejection, at: isoTime(rejection.at) })),
  };
}

/** Traces of a single other test from which it is suspected that the app sends the same test id with every request. */
const REPEATED = 3;

/**
 * Returns those of the ids whose tests ran at the same time, such as the other tests of the run: their traces are as expected.
 * One test with all the traces is none of them, as an app that keeps the first test id looks like that.
 */
function testsBeside(
  database: Database,
  { application, from, to }: Key,
  ids: readonly string[],
): ReadonlySet<string> {
  const beside = new Set(ids).values().filter((id) => {
    const test = lifetime.find(database, application, id);
    if (test === undefined) return false;
    const isOver = test.status === 'COMPLETED' || test.status === 'FAILED';
    return Date.parse(test.createdAt) <= to && (!isOver || Date.parse(test.modifiedAt) >= from);
  });
  const found = new Set(beside);
  return found.size === 1 && ids.length >= REPEATED ? new Set() : found;
}

function spansOf(
  database: Database,
  application: number,
  { id, traceId, deliveries }: { id: string; traceId: Uint8Array; deliveries: number },
): Diagnosis['spans'] {
  const { spans } = database.get<{ spans: number }>(
    `SELECT coalesce(sum(span_count), 0) AS spans FROM ${tracesOfTest()}`,
    { application, testId: parseId(id) },
  ) ?? { spans: 0 };
  const delivered = database.get<{ spans: number }>(
    'SELECT span_count AS spans FROM trace WHERE application = :application AND trace_id = :traceId',
    { application, traceId },
  );
  const ours = delivered ? Math.min(deliveries, delivered.spans) : 0;
  return {
    stored: Math.max(0, spans - ours),
    isTraceparentContinued: delivered !== undefined && delivered.spans > deliveries,
  };
}
