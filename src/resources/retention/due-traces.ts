import type { Database } from '../../storage/database.ts';
import { eachNumber, inTime, orderedJoin, uuidOf } from '../../storage/dialect.ts';
import { isOfPinnedSet } from '../../tests/pinned-runs.ts';
import { firstKeyOf, dayOf } from '../../traces/trace-keys.ts';
import { bytesOfLogs, type StoredAmount, withIndexes } from '../../traces/stored-amount.ts';

/** Traces that one query looks at. */
const PAGE_TRACES = 500;
/** Tests of a task whose traces are kept. */
const LAST_TESTS = 20;

export interface DueTraces {
  /** Keys of traces that may be deleted, oldest first. */
  tkeys: number[];
  amounts: StoredAmount[];
  pinned: number;
  /** Key of the last trace that was looked at; null if no trace follows. */
  last: number | null;
}

interface FoundTrace {
  tkey: number;
  spans: number | null;
  bytes: number;
  records: number;
  recordBytes: number | null;
}

interface FindDue {
  application: number;
  /** Traces of keys between these two are looked at. */
  after: number;
  before: number;
  now: number;
  pinnedDays: number;
  /** Number of newer run sets of a branch from which on one is no longer pinned. */
  keptRunSets: number;
}

/** Finds traces that arrived before a key, the oldest first, without those that are pinned. */
export function dueTraces(
  database: Database,
  { application, after, before, now, pinnedDays, keptRunSets }: FindDue,
): DueTraces {
  const ofTrace =
    'FROM span_log WHERE span_log.application = chunk.application AND span_log.tkey = chunk.tkey';
  const found = database.all<FoundTrace>(
    `SELECT tkey, count(*) AS blocks, sum(length(skeleton) + length(payload)) AS bytes,
       (SELECT span_count FROM trace WHERE trace.application = chunk.application AND trace.tkey = chunk.tkey) AS spans,
       (SELECT count(*) ${ofTrace}) AS records, (SELECT sum(length(record)) ${ofTrace}) AS "recordBytes"
     FROM chunk WHERE application = :application AND tkey > :after AND tkey < :before AND ${inTime('tkey')}
     GROUP BY application, tkey ORDER BY tkey LIMIT ${PAGE_TRACES}`,
    { application, after, before },
  );
  // Older ones are no longer pinned.
  const pinnedFrom = firstKeyOf(dayOf(now) - pinnedDays);
  const mayBePinned = found.filter(({ tkey }) => tkey >= pinnedFrom).map(({ tkey }) => tkey);
  const pinned = new Set(pinnedAmong(database, { application, keptRunSets }, mayBePinned));
  const due = found.filter(({ tkey }) => !pinned.has(tkey));
  return {
    tkeys: due.map(({ tkey }) => tkey),
    amounts: due.map(amountOf),
    pinned: pinned.size,
    last: found.length === PAGE_TRACES ? (found.at(-1)?.tkey ?? null) : null,
  };
}

function amountOf({ spans, bytes, records, recordBytes }: FoundTrace): StoredAmount {
  const amount = {
    traces: 1,
    spans: spans ?? 0,
    bytes: bytes + bytesOfLogs({ records, bytes: recordBytes ?? 0 }),
  };
  return { ...amount, bytes: withIndexes(amount) };
}

/** Rows of other modules that keep a trace: those in which a person or a test refers to it, and canaries of judges. */
const REFERENCES = [
  'human_annotation WHERE application = trace.application AND trace_id = trace.trace_id',
  'note WHERE application = trace.application AND trace_id = trace.trace_id',
  `issue_link JOIN issue ON issue.application = issue_link.application AND issue.id = issue_link.issue_id
     WHERE issue_link.application = trace.application AND issue_link.trace_id = trace.trace_id AND issue.status = 'OPEN'`,
  `annotation_queue_item WHERE application = trace.application AND trace_id = trace.trace_id AND completed_at IS NULL`,
  `example WHERE application = trace.application AND trace_id = trace.trace_id AND status <> 'ARCHIVED'`,
  `eval JOIN canary ON canary.application = eval.application AND canary.eval_id = eval.id
     WHERE eval.application = trace.application AND eval.trace_id = trace.trace_id`,
];

/** Condition for a test whose traces are kept. */
const KEPT_TEST = `(
  test.status IN ('PENDING', 'IN_PROGRESS')
  OR EXISTS (SELECT 1 FROM experiment WHERE experiment.application = test.application
    AND experiment.id = test.experiment_id AND experiment.status IN ('BASELINE_RUNNING', 'VARIANT_RUNNING'))
  OR ${isOfPinnedSet('test.application', 'test.run_id')}
  OR EXISTS (SELECT 1 FROM eval JOIN canary ON canary.application = eval.application AND canary.eval_id = eval.id
    WHERE eval.application = test.application AND eval.test_id = test.id)
  OR (SELECT count(*) FROM (SELECT 1 FROM test AS later WHERE later.application = test.application
    AND later.task_id = test.task_id AND later.created_at > test.created_at LIMIT ${LAST_TESTS})) < ${LAST_TESTS})`;

function pinnedAmong(
  database: Database,
  of: Pick<FindDue, 'application' | 'keptRunSets'>,
  tkeys: readonly number[],
): number[] {
  if (tkeys.length === 0) return [];
  const references = REFERENCES.map((rows) => `EXISTS (SELECT 1 FROM ${rows})`).join(' OR ');
  return database
    .all<{ tkey: number }>(
      `SELECT trace.tkey FROM ${eachNumber(':tkeys')} AS wanted ${orderedJoin} trace ON trace.tkey = wanted.value
       WHERE trace.application = :application AND (${references} OR EXISTS (
         SELECT 1 FROM trace_test ${orderedJoin} test ON test.id = ${uuidOf('trace_test.test_id')}
         WHERE trace_test.tkey = trace.tkey AND test.application = trace.application AND ${KEPT_TEST}))`,
      { ...of, tkeys: JSON.stringify(tkeys) },
    )
    .map(({ tkey }) => tkey);
}
