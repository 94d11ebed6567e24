/** Rules of the stored rows, each as SQL that selects what breaks it: those of `verify --deep`, and others. */
import type Sqlite from 'better-sqlite3';
import { STORE_RULES } from '../../src/cli/store-rules.ts';

const MAX_SHOWN = 3;

/** Rows of traces, which a purge in progress may still have. */
const ofTrace = (child: string): [string, string] => [
  `each ${child} has its trace`,
  `SELECT tkey FROM ${child} WHERE tkey NOT IN (SELECT tkey FROM trace) AND tkey NOT IN (SELECT tkey FROM purge)`,
];

const RULES: readonly (readonly [rule: string, broken: string])[] = [
  ...STORE_RULES.map(
    ({ table, fault, broken }) => [`no ${table} is reported as "${fault}"`, broken] as const,
  ),
  ofTrace('trace_attr'),
  ofTrace('chunk'),
  ofTrace('span'),
  [
    'each span is in a block of its trace',
    `SELECT tkey, seq FROM span WHERE NOT EXISTS (SELECT 1 FROM chunk
     WHERE chunk.application = span.application AND chunk.tkey = span.tkey AND chunk.seq = span.seq)`,
  ],
  [
    'a trace counts its spans',
    `SELECT tkey, span_count FROM trace WHERE native = 0 AND span_count <>
     (SELECT count(*) FROM span WHERE span.application = trace.application AND span.tkey = trace.tkey)`,
  ],
  ['a trace ends after it begins', 'SELECT tkey FROM trace WHERE end_ns < start_ns'],
  ['a trace has no more errors than spans', 'SELECT tkey FROM trace WHERE error_count > span_count'],
  [
    'sums of a trace are not negative',
    'SELECT tkey FROM trace WHERE cost < 0 OR input_tokens < 0 OR output_tokens < 0 OR total_tokens < 0',
  ],
  [
    'each session of a trace has its row',
    `SELECT session_id FROM trace WHERE session_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM session
     WHERE session.application = trace.application AND session.id = trace.session_id)`,
  ],
  [
    'each session has a trace',
    `SELECT id FROM session WHERE NOT EXISTS (SELECT 1 FROM trace
     WHERE trace.application = session.application AND trace.session_id = session.id)
     AND NOT EXISTS (SELECT 1 FROM purge WHERE purge.session_id = session.id)`,
  ],
  [
    'a session begins with its first trace',
    `SELECT id FROM session WHERE first_ns > (SELECT min(start_ns) FROM trace
     WHERE trace.application = session.application AND trace.session_id = session.id)`,
  ],
  [
    'a session ends with its last trace',
    `SELECT id FROM session WHERE last_ns < (SELECT max(start_ns) FROM trace
     WHERE trace.application = session.application AND trace.session_id = session.id)`,
  ],
  ['the ledger balances', 'SELECT * FROM ledger WHERE received <> stored + duplicate + replaced + rejected'],
  [
    'the ledger has all spans that are stored',
    `SELECT application FROM (SELECT application, count(*) AS spans FROM span GROUP BY application)
     WHERE application NOT IN (SELECT application FROM example_data) AND spans > coalesce((SELECT sum(stored) FROM ledger WHERE ledger.application = application), 0)`,
  ],
  ['reasons of rejections are counted', 'SELECT id FROM rejection WHERE spans < 1'],
  ['a failed test says why', `SELECT id FROM test WHERE status = 'FAILED' AND failure IS NULL`],
  [
    'a completed test was delivered',
    `SELECT id FROM test WHERE status = 'COMPLETED' AND delivered_at IS NULL AND run_type <> 'MONITORING'`,
  ],
  [
    'a test has events',
    'SELECT id FROM test WHERE NOT EXISTS (SELECT 1 FROM test_event WHERE test_event.test_id = test.id)',
  ],
  [
    'a test has no more passed evals than finished ones',
    'SELECT id FROM test WHERE passed_evals > finished_evals OR counted_passed > counted_evals',
  ],
  [
    'a test counts its verdicts',
    `SELECT id, counted_evals FROM test WHERE status = 'COMPLETED' AND counted_evals <> (SELECT count(*) FROM eval
     WHERE eval.test_id = test.id AND superseded = 0 AND status = 'COMPLETED' AND passed IS NOT NULL)`,
  ],
  [
    'a test counts what passed',
    `SELECT id, counted_passed FROM test WHERE status = 'COMPLETED' AND counted_passed <> (SELECT count(*) FROM eval
     WHERE eval.test_id = test.id AND superseded = 0 AND status = 'COMPLETED' AND passed = 1)`,
  ],
  [
    'a verdict says whether it passed, or its score',
    `SELECT id FROM eval WHERE status = 'COMPLETED' AND passed IS NULL AND score IS NULL`,
  ],
  [
    'a verdict has a hash of its evidence',
    `SELECT id FROM eval WHERE status = 'COMPLETED' AND input_hash = ''`,
  ],
  [
    'an eval without a verdict says why',
    `SELECT id FROM eval WHERE status IN ('FAILED', 'SKIPPED') AND coalesce(reason, '') = ''`,
  ],
  [
    'no verdict was waited for in a completed test',
    `SELECT eval.id FROM eval JOIN test ON test.id = eval.test_id WHERE test.status = 'FAILED' AND eval.status = 'PENDING' AND eval.superseded = 0`,
  ],
  [
    'attempts of a delivery are numbered',
    'SELECT test_id FROM delivery WHERE is_sample = 0 AND replay_of IS NULL GROUP BY test_id HAVING count(DISTINCT attempt) <> count(*)',
  ],
  [
    'a finished delivery has an outcome',
    'SELECT id FROM delivery WHERE (finished_at IS NULL) <> (outcome IS NULL)',
  ],
  ['a delivery ends after it begins', 'SELECT id FROM delivery WHERE finished_at < sent_at'],
  [
    'a running job has a lease',
    `SELECT job.id FROM job WHERE state = 'running' AND lease NOT IN (SELECT lease FROM job_lease)`,
  ],
  ['jobs are of a known state', `SELECT id FROM job WHERE state NOT IN ('waiting', 'running', 'dead')`],
  ['no job is dead', `SELECT id, kind, reason FROM job WHERE state = 'dead'`],
  [
    'examples of a task have places of their own',
    'SELECT task_id FROM example GROUP BY application, task_id, position HAVING count(*) > 1',
  ],
  [
    'versions of an example are complete',
    `SELECT id FROM example WHERE version - 1 <> (SELECT count(*) FROM example_version WHERE example_version.application = example.application AND example_id = example.id)`,
  ],
  [
    'a completed erasure has a time',
    `SELECT id FROM erasure WHERE status = 'COMPLETED' AND completed_at IS NULL`,
  ],
  [
    'nothing changes before it is created',
    'SELECT id FROM test WHERE modified_at < created_at UNION ALL SELECT id FROM eval WHERE modified_at < created_at UNION ALL SELECT id FROM task WHERE modified_at < created_at',
  ],
  [
    'counts of metrics are not negative',
    'SELECT id FROM figure WHERE tests < 0 OR evaluations < 0 OR passed_evaluations > evaluations OR passed_tests > tests',
  ],
  ['a revoked key was created before', 'SELECT id FROM api_key WHERE revoked_at < created_at'],
  ['references hold', 'SELECT "table", parent FROM pragma_foreign_key_check'],
];

/** Returns a sentence for each rule that rows of the store break. */
export const checkStored = (store: Sqlite.Database): string[] =>
  RULES.flatMap(([rule, broken]) => {
    const rows = store.prepare(broken).all();
    if (rows.length === 0) return [];
    return [`${rule}: ${rows.length} rows break it: ${JSON.stringify(rows.slice(0, MAX_SHOWN))}`];
  });

export const STORED_RULES = RULES.length;
