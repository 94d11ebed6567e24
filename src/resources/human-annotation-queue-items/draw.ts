import { randomInt } from 'node:crypto';
import type { Database } from '../../storage/database.ts';
import { byIndex, bytesOf, inTimeAtEach } from '../../storage/dialect.ts';
import type { SqlFragment } from '../../storage/sql.ts';
import { VIA_DELIVERY } from '../../traces/rollup.ts';
import { SAMPLE } from '../../traces/trace-attributes.ts';
import { runs } from '../../tests/record.ts';
import { judgeToMeasure } from '../definitions/standing.ts';
import type { OfJudge } from '../definitions/verdict-store.ts';
import { runSets } from '../run-sets/record.ts';
import { tasks } from '../tasks/record.ts';
import { timeRange } from '../traces/contract.ts';
import type { DrawBody } from './contract.ts';

/** Way in which a draw chose its traces. */
export type DrawnAs = DrawBody['selection'] | 'RANDOM_PART';

/** Queue and question of a draw. */
interface DrawnInto {
  queueId: string;
  evalDefinitionId?: string | undefined;
  selection: DrawnAs;
  allowRepeats?: boolean | undefined;
}

/** Condition for a trace that has no item that meets the condition. */
const hasNoItem = (condition: string, ...values: SqlFragment['values']): SqlFragment => ({
  // Otherwise SQLite would scan all items of the queue for each trace.
  sql: `NOT EXISTS (SELECT 1 FROM annotation_queue_item AS item ${byIndex('annotation_queue_item_by_trace')}
    WHERE item.application = trace.application AND item.trace_id = trace.trace_id AND ${condition})`,
  values,
});

/**
 * Condition for traces that a draw may take. Random draws ignore items that were added for another reason, such as failed evals, and
 * those of draws for other definitions: if these were left out, whoever adds them would choose the rest.
 */
function notTaken({ queueId, evalDefinitionId, allowRepeats }: DrawnInto, selection: DrawnAs): SqlFragment[] {
  if (selection === 'FAILED') return [hasNoItem('item.queue_id = ?', queueId)];
  const isAlike =
    evalDefinitionId === undefined
      ? { sql: 'item.eval_definition_id IS NULL', values: [] }
      : {
          sql: '(item.eval_definition_id IS NULL OR item.eval_definition_id = ?)',
          values: [evalDefinitionId],
        };
  const inQueue = allowRepeats === true ? 'AND item.queue_id = ?' : '';
  const ofQueue = allowRepeats === true ? [queueId] : [];
  const taken = hasNoItem(
    `item.drawn_at IS NOT NULL AND ${isAlike.sql} ${inQueue}`,
    ...isAlike.values,
    ...ofQueue,
  );
  if (selection === 'RANDOM') return [taken];
  return [taken, hasNoItem("item.queue_id = ? AND item.selection = 'RANDOM_PART'", queueId)];
}

/** Condition for traces of some tests of the application. */
const ofTests = (application: number, condition: string, ...values: SqlFragment['values']): SqlFragment => ({
  sql: `tkey IN (SELECT tkey FROM trace_test WHERE application = ? AND test_id IN (
    SELECT ${bytesOf('id')} FROM test WHERE application = ? AND ${condition}))`,
  values: [application, application, ...values],
});

/**
 * Condition for traces that a judge has judged by a definition, or whose test it has judged, with this verdict if one is given. What only
 * earlier versions or judges have judged says nothing about this one.
 */
function judgedBy(
  { application, definitionId, version, judgeVersion }: OfJudge,
  verdict?: boolean,
): SqlFragment {
  const passed = verdict === undefined ? '' : ` AND passed = ${Number(verdict)}`;
  const evals = `FROM eval WHERE application = ? AND definition_id = ? AND status = 'COMPLETED' AND superseded = 0
    AND definition_version = ? AND judge_version IS NOT DISTINCT FROM ?${passed}`;
  const of = [application, definitionId, version, judgeVersion];
  return {
    sql: `(trace_id IN (SELECT trace_id ${evals} AND test_id IS NULL)
      OR tkey IN (SELECT tkey FROM trace_test WHERE application = ? AND test_id IN (
        SELECT ${bytesOf('test_id')} ${evals} AND test_id IS NOT NULL)))`,
    values: [...of, application, ...of],
  };
}

const NO_SAMPLE = 'tkey NOT IN (SELECT tkey FROM trace_attr WHERE application = ? AND key = ?)';

/** Condition for a trace with a failed eval, of itself or of a test that it belongs to. */
const HAS_FAILED = `(
  trace_id IN (SELECT trace_id FROM eval WHERE application = ? AND passed = 0 AND superseded = 0)
  OR tkey IN (SELECT tkey FROM trace_test WHERE application = ? AND test_id IN (
    SELECT ${bytesOf('test_id')} FROM eval WHERE application = ? AND passed = 0 AND superseded = 0)))`;

/** Condition for a trace that holds spans of a test's app, or the input and the output of a conversation. */
const canBeJudged = (tkey: string): string => `(
  EXISTS (SELECT 1 FROM trace_test AS link WHERE link.tkey = ${tkey} AND via < ${VIA_DELIVERY})
  OR EXISTS (SELECT 1 FROM trace_preview AS preview
    WHERE preview.tkey = ${tkey} AND input IS NOT NULL AND output IS NOT NULL))`;

/** Condition for the first of the traces of a test that can be judged, so that each test is drawn once. */
const FIRST_OF_TEST = `NOT EXISTS (
  SELECT 1 FROM trace_test AS mine
  JOIN trace_test AS other ON other.application = mine.application AND other.test_id = mine.test_id
  WHERE mine.tkey = trace.tkey AND other.tkey < mine.tkey AND ${canBeJudged('other.tkey')})`;

export type Draw = Omit<DrawBody, 'allowRepeats'> & Partial<DrawBody>;

/** A trace that was drawn. */
interface Drawn {
  traceId: Uint8Array;
  /** Number of traces that it stands for, relative to others; 1 on average. */
  weight: number;
}

export interface DrawResult {
  traces: Drawn[];
  /** `RANDOM_PART` if the dates, the task, the run or the run set leave out traces that could have been drawn. */
  selection: DrawnAs;
  /** Number of traces of which these were drawn. */
  population: number;
  /** The same without the dates, the task, the run and the run set. */
  offered: number;
}

/**
 * Returns traces that have not been drawn (for `FAILED`: that have never been in the queue), all with the same probability, or
 * with that of their stratum. A random draw takes one trace of each test, and other traces that have an input and an output;
 * traces that hold only deliveries of this service are left out. Throws `not_found` for the task, the run, the run set and the definition. Not for the writer, because it reads all traces of the application.
 */
export function drawTraces(
  database: Database,
  { application, draw }: { application: number; draw: Draw },
): DrawResult {
  const { evalDefinitionId, taskId, runId, runSetId } = draw;
  tasks.requireAll(database, application, [taskId]);
  runs.requireAll(database, application, [runId]);
  runSets.requireAll(database, application, [runSetId]);
  const judge =
    evalDefinitionId === undefined ? null : judgeToMeasure(database, application, evalDefinitionId);
  const all = allOf(application, draw, judge);
  const part = [...all, ...partOf(application, draw)];
  const population = countOf(database, [...part, ...notTaken(draw, draw.selection)]);
  const offered =
    part.length === all.length ? population : countOf(database, [...all, ...notTaken(draw, draw.selection)]);
  const selection = draw.selection === 'RANDOM' && population < offered ? 'RANDOM_PART' : draw.selection;
  const where = [...part, ...notTaken(draw, selection)];
  return { traces: drawFrom(database, where, { draw, judge }), selection, population, offered };
}

function drawFrom(
  database: Database,
  where: readonly SqlFragment[],
  { draw: { strata, count }, judge }: { draw: Draw; judge: OfJudge | null },
): Drawn[] {
  if (strata === undefined || judge === null)
    return drawSome(database, where, count).map((traceId) => ({ traceId, weight: 1 }));
  const [failed, passed] = [false, true].map((verdict) => [...where, judgedBy(judge, verdict)]) as [
    SqlFragment[],
    SqlFragment[],
  ];
  const sizes = [countOf(database, failed), countOf(database, passed)] as const;
  // One of each stratum at least: whoever draws from one alone would choose how many fail.
  const failedShare = strata.failed ?? usualShare(sizes);
  const share = Math.min(Math.max(Math.round(count * failedShare), 1), sizes[1] > 0 ? count - 1 : count);
  const wanted = Math.min(share, sizes[0]);
  const drawn = [
    drawSome(database, failed, Math.max(wanted, count - sizes[1])),
    drawSome(database, passed, count - wanted),
  ] as const;
  const [all, total] = [sizes[0] + sizes[1], drawn[0].length + drawn[1].length];
  const weighted = drawn.flatMap((traces, stratum) => {
    const weight = ((sizes[stratum] ?? 0) / all) * (total / traces.length);
    return traces.map((traceId) => ({ traceId, weight }));
  });
  return shuffled(weighted);
}

/** Smallest share of a stratum that a draw takes unless it names another one, chosen by simulation of gates. */
const LEAST_SHARE = 0.15;

/** Returns the share of the failed that a draw with strata takes unless it names one: as there are, but enough of each. */
const usualShare = ([failed, passed]: readonly [number, number]): number =>
  Math.min(Math.max(failed / Math.max(1, failed + passed), LEAST_SHARE), 1 - LEAST_SHARE);

/** Returns the conditions for everything that a draw of its kind could take. */
function allOf(application: number, { selection }: Draw, judge: OfJudge | null): SqlFragment[] {
  const where: SqlFragment[] = [
    { sql: `application = ? AND ${inTimeAtEach('tkey')}`, values: [application] },
    { sql: NO_SAMPLE, values: [application, SAMPLE] },
  ];
  if (judge !== null) where.push(judgedBy(judge));
  if (selection === 'FAILED')
    where.push({ sql: HAS_FAILED, values: [application, application, application] });
  else where.push({ sql: `${canBeJudged('trace.tkey')} AND ${FIRST_OF_TEST}`, values: [] });
  return where;
}

/** Returns the conditions by which a request may leave something out. */
function partOf(application: number, draw: Draw): SqlFragment[] {
  const { startDate, endDate } = timeRange(draw);
  const { taskId, runId, runSetId } = draw;
  const where: SqlFragment[] = [];
  if (taskId !== undefined) where.push(ofTests(application, 'task_id = ?', taskId));
  if (runId !== undefined) where.push(ofTests(application, 'run_id = ?', runId));
  if (runSetId !== undefined)
    where.push(
      ofTests(
        application,
        'run_id IN (SELECT id FROM run WHERE application = ? AND run_set_id = ?)',
        application,
        runSetId,
      ),
    );
  if (startDate !== undefined) where.push({ sql: 'start_ns >= ?', values: [startDate] });
  if (endDate !== undefined) where.push({ sql: 'start_ns <= ?', values: [endDate] });
  return where;
}

const drawSome = (database: Database, where: readonly SqlFragment[], count: number): Uint8Array[] =>
  database
    .all<{ traceId: Buffer }>(
      `SELECT trace_id AS traceId FROM trace WHERE ${where.map(({ sql }) => sql).join(' AND ')}
       ORDER BY random() LIMIT ?`,
      ...where.flatMap(({ values }) => values),
      count,
    )
    .map(({ traceId }) => traceId);

const countOf = (database: Database, where: readonly SqlFragment[]): number =>
  database.get<{ n: number }>(
    `SELECT count(*) AS n FROM trace WHERE ${where.map(({ sql }) => sql).join(' AND ')}`,
    ...where.flatMap(({ values }) => values),
  )?.n ?? 0;

/** Returns the elements in random order, so that the first of them are a sample of all strata. */
function shuffled<T>(all: readonly T[]): T[] {
  const keyed = all.map((element) => ({ element, key: randomInt(2 ** 47) }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ element }) => element);
}

/** Reports whether a trace exists and can still be drawn. */
export function isFree(
  database: Database,
  { application, traceId, ...draw }: { application: number; traceId: Uint8Array } & DrawnInto,
): boolean {
  const where = notTaken(draw, draw.selection);
  return (
    database.get(
      `SELECT 1 FROM trace WHERE application = ? AND trace_id = ? AND ${where.map(({ sql }) => sql).join(' AND ')}`,
      application,
      traceId,
      ...where.flatMap(({ values }) => values),
    ) !== undefined
  );
}
