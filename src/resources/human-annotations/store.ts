import { invalid } from '../../contract/errors.ts';
import { type SqlFragment, oneOf } from '../../storage/sql.ts';
import type { Owner } from '../../contract/owner.ts';
import type { Pagination } from '../../contract/paging.ts';
import { isoTime } from '../../contract/values.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import { listRows } from '../../storage/list-rows.ts';
import {
  ofTraces,
  requireTrace,
  shownTraceId,
  type TraceColumns,
  traceColumns,
} from '../traces/trace-reference.ts';
import { withGiven } from '../../contract/with-given.ts';
import {
  type AnnotationsQuery,
  type GivenJudgement,
  type HumanAnnotation,
  isExplained,
  type Judgement,
  type NewAnnotation,
  UNEXPLAINED,
} from './contract.ts';

interface ById {
  owner: Owner;
  id: string;
}

/** Completes a queue item that waits for a verdict on this trace. Throws `not_found` and `conflict`. */
export type CompleteItem = (
  database: Database,
  args: { application: number; id: string; traceId: Uint8Array; at: number },
) => void;

/** Completes the queue item it names. Throws `not_found` and `conflict`. */
const createAnnotation =
  (completeItem: CompleteItem) =>
  (
    database: Database,
    { owner, id, annotation, at }: ById & { annotation: NewAnnotation; at: number },
  ): HumanAnnotation => {
    const { application } = owner;
    const { queueItemId } = annotation;
    const traceId = requireTrace(database, application, annotation.traceId);
    if (queueItemId !== null) completeItem(database, { application, id: queueItemId, traceId, at });
    database.run(
      `INSERT INTO human_annotation
         (id, application, trace_id, verdict, critique, annotator_id, source, queue_item_id, created_at, modified_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)`,
      id,
      application,
      traceId,
      Number(annotation.verdict),
      annotation.critique,
      annotation.annotatorId,
      annotation.source,
      queueItemId,
      at,
    );
    return getAnnotation(database, { owner, id });
  };

/** Throws `not_found` and `invalid`. */
function updateAnnotation(
  database: Database,
  { owner, id, given, at }: ById & { given: GivenJudgement; at: number },
): HumanAnnotation {
  const judgement = withGiven<Judgement>(getAnnotation(database, { owner, id }), given);
  if (!isExplained(judgement)) throw invalid([UNEXPLAINED]);
  database.run(
    'UPDATE human_annotation SET verdict = ?, critique = ?, modified_at = ? WHERE application = ? AND id = ?',
    Number(judgement.verdict),
    judgement.critique,
    at,
    owner.application,
    id,
  );
  return getAnnotation(database, { owner, id });
}

/** The queue item it completed stays completed. Throws `not_found`. */
function deleteAnnotation(
  database: Database,
  { application, id }: { application: number; id: string },
): void {
  const sql = 'DELETE FROM human_annotation WHERE application = ? AND id = ?';
  if (database.run(sql, application, id) === 0) throw notFound();
}

/** Removes some of what was said of a trace; how much. */
export function purgeAnnotations(
  database: Database,
  { application, traceId, limit }: { application: number; traceId: Uint8Array; limit: number },
): number {
  return database.run(
    `DELETE FROM human_annotation WHERE application = ?1 AND id IN (
       SELECT id FROM human_annotation WHERE application = ?1 AND trace_id = ?2 LIMIT ?3)`,
    application,
    traceId,
    limit,
  );
}

const TABLE = 'human_annotation';
const COLUMNS = `id, ${traceColumns(TABLE)}, verdict, critique, annotator_id AS annotatorId, source,
  queue_item_id AS queueItemId, created_at AS createdAt, modified_at AS modifiedAt`;
const ORDER = { createdAt: 'created_at', modifiedAt: 'modified_at', id: 'id' };

type Row = Pick<HumanAnnotation, 'id' | 'critique' | 'annotatorId' | 'source' | 'queueItemId'> &
  TraceColumns & { verdict: number; createdAt: number; modifiedAt: number };

/** Throws `not_found`. */
function getAnnotation(database: Database, { owner, id }: ById): HumanAnnotation {
  const sql = `SELECT ${COLUMNS} FROM ${TABLE} WHERE application = ? AND id = ?`;
  const row = database.get<Row>(sql, owner.application, id);
  if (!row) throw notFound();
  return annotationOf(row, owner);
}

const notFound = (): AppError => new AppError('not_found', 'human annotation not found');

function listAnnotations(
  database: Database,
  { owner, query }: { owner: Owner; query: AnnotationsQuery },
): { data: HumanAnnotation[]; pagination: Pagination } {
  const { skip, limit, orderBy, orderDir, ...filter } = query;
  const { rows, pagination } = listRows<Row, keyof typeof ORDER>(database, {
    application: owner.application,
    table: TABLE,
    columns: COLUMNS,
    where: conditions(filter, orderBy),
    order: ORDER,
    page: { skip, limit, orderBy, orderDir },
  });
  return { data: rows.map((row) => annotationOf(row, owner)), pagination };
}

type Filter = Omit<AnnotationsQuery, 'skip' | 'limit' | 'orderBy' | 'orderDir'>;

function conditions(filter: Filter, orderBy: keyof typeof ORDER): SqlFragment[] {
  const { traceId, verdict, annotatorId, source, queueItemId, startDate, endDate } = filter;
  // The plus keeps SQLite on the index of the order, which has this column too.
  const created = orderBy === 'createdAt' ? 'created_at' : '+created_at';
  const where: SqlFragment[] = [];
  if (traceId) where.push(ofTraces(traceId));
  if (verdict !== undefined) where.push({ sql: 'verdict = ?', values: [Number(verdict)] });
  if (annotatorId) where.push(oneOf('annotator_id', annotatorId));
  if (source) where.push(oneOf('source', source));
  if (queueItemId) where.push(oneOf('queue_item_id', queueItemId));
  if (startDate !== undefined) where.push({ sql: `${created} >= ?`, values: [Date.parse(startDate)] });
  if (endDate !== undefined) where.push({ sql: `${created} <= ?`, values: [Date.parse(endDate)] });
  return where;
}

const annotationOf = (
  { traceId, native, ...row }: Row,
  { orgId, applicationId }: Owner,
): HumanAnnotation => ({
  ...row,
  orgId,
  applicationId,
  traceId: shownTraceId({ traceId, native }),
  verdict: row.verdict === 1,
  createdAt: isoTime(row.createdAt),
  modifiedAt: isoTime(row.modifiedAt),
});

export const humanAnnotationCommands = (completeItem: CompleteItem) => ({
  createHumanAnnotation: createAnnotation(completeItem),
  updateHumanAnnotation: updateAnnotation,
  deleteHumanAnnotation: deleteAnnotation,
});
export const humanAnnotationQueries = {
  getHumanAnnotation: getAnnotation,
  listHumanAnnotations: listAnnotations,
};
