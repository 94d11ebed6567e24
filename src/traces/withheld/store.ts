import type { Reviewer } from '../../contract/reviewer.ts';
import type { Database } from '../../storage/database.ts';
import { bytesOf, each, hexOf, uuidOf, valuesOf } from '../../storage/dialect.ts';
import type { SqlFragment } from '../../storage/sql.ts';
import { traceIdCandidates } from '../ids.ts';

/** Time in which a review can be undone. The verdicts on its trace are withheld as long, so that no one sees them before. */
export const UNDO_MS = 10 * 60_000;

interface OfReviewer {
  application: number;
  reviewer: Reviewer;
  now: number;
}

/** Returns the ids of the blind queues whose reviewer the caller is, or was. */
function blindQueuesOf(database: Database, { application, reviewer }: OfReviewer): string[] {
  const blind = database.all<{ id: string; reviewerIds: string }>(
    'SELECT id, reviewer_ids AS "reviewerIds" FROM annotation_queue WHERE application = :application AND is_blind = 1',
    { application },
  );
  if (blind.length === 0) return [];
  const began = new Set(
    database
      .all<{ id: string }>(
        'SELECT DISTINCT queue_id AS id FROM annotation_review WHERE application = :application AND person = :person',
        { application, person: reviewer.id },
      )
      .map(({ id }) => id),
  );
  return blind
    .filter(({ id, reviewerIds }) => {
      const named = JSON.parse(reviewerIds) as string[];
      return began.has(id) || (named.length === 0 ? reviewer.isPerson : named.includes(reviewer.id));
    })
    .map(({ id }) => id);
}

/** Returns the condition of items whose verdicts are withheld from the caller; null if there can be none. */
function openItems(database: Database, of: OfReviewer): SqlFragment | null {
  const queues = blindQueuesOf(database, of);
  if (queues.length === 0) return null;
  const { application, reviewer, now } = of;
  return {
    sql: `item.application = ? AND item.queue_id IN ${valuesOf('?')}
      AND (item.completed_at IS NULL AND item.expires_at > ? OR item.completed_at > ?)
      AND NOT EXISTS (SELECT 1 FROM annotation_review WHERE annotation_review.application = item.application
        AND annotation_review.item_id = item.id AND annotation_review.person = ? AND annotation_review.state = 'EXCLUDED')`,
    values: [application, JSON.stringify(queues), now, now - UNDO_MS, reviewer.id],
  };
}

/** Conditions of rows whose verdicts the caller may see. */
export interface Shown {
  /** Query of the traces whose verdicts the caller may not see, as 16 bytes each. */
  hiddenTraces: SqlFragment;
  /** Condition on a column with the 16 bytes of a trace. */
  trace: (column: string) => SqlFragment;
  /** Condition on a column with the id of a test, as text. */
  test: (column: string) => SqlFragment;
  /** Condition on a column with the id of a task: its rates contain no verdict that is withheld. */
  task: (column: string) => SqlFragment;
  /** Condition on a column with the id of a topic: the rates of its tasks contain no verdict that is withheld. */
  topic: (column: string) => SqlFragment;
}

/**
 * Returns the conditions of rows whose verdicts the caller may see; null if that is all rows. A filter by verdicts needs them:
 * otherwise it would show which verdict a row has.
 */
export function shownTo(database: Database, of: OfReviewer): Shown | null {
  const open = openItems(database, of);
  if (open === null) return null;
  const traces = `SELECT item.trace_id FROM annotation_queue_item AS item WHERE ${open.sql}`;
  const tests = `FROM trace JOIN trace_test ON trace_test.application = trace.application AND trace_test.tkey = trace.tkey
    JOIN test ON test.application = trace.application AND test.id = ${uuidOf('trace_test.test_id')}`;
  const isOpen = `trace.application = ? AND trace.trace_id IN (${traces})`;
  const notIn = (column: string, select: string): SqlFragment => ({
    sql: `(${column} IS NULL OR ${column} NOT IN (${select}))`,
    values: [of.application, ...open.values],
  });
  return {
    hiddenTraces: { sql: traces, values: open.values },
    trace: (column) => ({ sql: `(${column} IS NULL OR ${column} NOT IN (${traces}))`, values: open.values }),
    test: (column) => ({
      sql: `(${column} IS NULL OR ${bytesOf(column)} NOT IN (SELECT trace_test.test_id FROM trace
        JOIN trace_test ON trace_test.application = trace.application AND trace_test.tkey = trace.tkey
        WHERE trace.application = ? AND trace.trace_id IN (${traces})))`,
      values: [of.application, ...open.values],
    }),
    task: (column) =>
      notIn(column, `SELECT test.task_id ${tests} WHERE ${isOpen} AND test.task_id IS NOT NULL`),
    topic: (column) =>
      notIn(
        column,
        `SELECT task.topic_id ${tests} JOIN task ON task.application = test.application AND task.id = test.task_id
         WHERE ${isOpen} AND task.topic_id IS NOT NULL`,
      ),
  };
}

/** Returns a condition on rows with a verdict, for those of them whose verdict the caller may see. */
export const ifShown = (
  shown: Shown | null | undefined,
  { sql, values }: SqlFragment,
  { trace, test }: { trace?: string; test?: string },
): SqlFragment => {
  if (!shown) return { sql, values };
  const visible = [
    ...(trace === undefined ? [] : [shown.trace(trace)]),
    ...(test === undefined ? [] : [shown.test(test)]),
  ];
  return {
    sql: [`(${sql})`, ...visible.map((one) => one.sql)].join(' AND '),
    values: [...values, ...visible.flatMap((one) => one.values)],
  };
};

/**
 * Traces and tests whose verdicts are withheld. `groupIds`: runs, tasks, variants and run sets with such a test, and examples that were made
 * from such a trace.
 */
export interface Withheld {
  traceIds: string[];
  testIds: string[];
  groupIds: string[];
}

/** Most tests under review of which a response is made. */
const MAX_OPEN = 10_000;

interface OpenTest {
  traceId: string;
  testId: string | null;
  runId: string | null;
  taskId: string | null;
  variantId: string | null;
  runSetId: string | null;
  exampleId: string | null;
}

/** Returns the tests of items whose verdicts are withheld, or a trace without a test; more than `MAX_OPEN` if there are more. */
const openTests = (database: Database, { sql, values }: SqlFragment): OpenTest[] =>
  database.all<OpenTest>(
    `SELECT DISTINCT ${hexOf('item.trace_id')} AS "traceId", test.id AS "testId", test.run_id AS "runId", test.task_id AS "taskId",
       test.experiment_variant_id AS "variantId", run.run_set_id AS "runSetId",
       example.id AS "exampleId"
     FROM annotation_queue_item AS item
     LEFT JOIN trace ON trace.application = item.application AND trace.trace_id = item.trace_id
     LEFT JOIN trace_test ON trace_test.application = item.application AND trace_test.tkey = trace.tkey
     LEFT JOIN test ON test.application = item.application AND test.id = ${uuidOf('trace_test.test_id')}
     LEFT JOIN example ON example.application = item.application AND example.trace_id = item.trace_id
     LEFT JOIN run ON run.application = item.application AND run.id = test.run_id
     WHERE ${sql} LIMIT ${MAX_OPEN + 1}`,
    ...values,
  );

const groupsOf = (tests: readonly OpenTest[]): Set<string> =>
  new Set(
    tests.flatMap(({ runId, taskId, variantId, runSetId, exampleId }) =>
      [runId, taskId, variantId, runSetId, exampleId].flatMap((id) => id ?? []),
    ),
  );

/** Everything that is withheld from a caller; traces as 32 hexadecimal digits. */
export interface AllWithheld extends Withheld {
  /** False if there is more than is read. */
  isComplete: boolean;
}

/** Returns everything that is withheld from the caller; null if nothing is. */
export function findAllWithheld(database: Database, of: OfReviewer): AllWithheld | null {
  const open = openItems(database, of);
  if (open === null) return null;
  const tests = openTests(database, open);
  if (tests.length === 0) return null;
  return {
    traceIds: [...new Set(tests.map(({ traceId }) => traceId.toLowerCase()))],
    testIds: [...new Set(tests.flatMap(({ testId }) => testId ?? []))],
    groupIds: [...groupsOf(tests)],
    isComplete: tests.length <= MAX_OPEN,
  };
}

/** Returns those of the given traces, tests and groups of tests of which something is withheld from the caller. */
function findWithheld(
  database: Database,
  {
    traceIds,
    testIds,
    groupIds = [],
    ...of
  }: OfReviewer & {
    traceIds: readonly string[];
    testIds: readonly string[];
    groupIds?: readonly string[];
  },
): Withheld {
  const open = openItems(database, of);
  if (open === null) return { traceIds: [], testIds: [], groupIds: [] };
  const given = traceIds.flatMap((id) => traceIdCandidates(id).map((bytes) => ({ id, hex: hexFrom(bytes) })));
  const traces = database.all<{ id: Buffer }>(
    `SELECT item.trace_id AS id FROM annotation_queue_item AS item
     WHERE ${open.sql} AND item.trace_id IN (SELECT ${bytesOf('value')} FROM ${each('?')})`,
    ...open.values,
    JSON.stringify(given.map(({ hex }) => hex)),
  );
  const found = new Set(traces.map(({ id }) => hexFrom(id)));
  const tests = database.all<{ id: string }>(
    `SELECT DISTINCT ${uuidOf('trace_test.test_id')} AS id FROM annotation_queue_item AS item
     JOIN trace ON trace.application = item.application AND trace.trace_id = item.trace_id
     JOIN trace_test ON trace_test.application = trace.application AND trace_test.tkey = trace.tkey
     WHERE ${open.sql}
       AND trace_test.test_id IN (SELECT ${bytesOf('value')} FROM ${each('?')})`,
    ...open.values,
    JSON.stringify(testIds),
  );
  return {
    traceIds: given.filter(({ hex }) => found.has(hex)).map(({ id }) => id),
    testIds: tests.map(({ id }) => id),
    groupIds: groupIds.length === 0 ? [] : withheldGroups(openTests(database, open), groupIds),
  };
}

/** Returns the groups with a test that is withheld; all of them if there are too many tests to know. */
function withheldGroups(tests: readonly OpenTest[], given: readonly string[]): string[] {
  const groups = groupsOf(tests);
  return given.filter((id) => tests.length > MAX_OPEN || groups.has(id));
}

const hexFrom = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

export const withheldQueries = { findAllWithheld, findWithheld };
