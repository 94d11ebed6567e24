import type { Pagination } from '../../contract/paging.ts';
import { type SqlFragment, oneOf } from '../../storage/sql.ts';
import type { Owner } from '../../contract/owner.ts';
import { isoTime } from '../../contract/values.ts';
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/sqlite/database.ts';
import { listRows } from '../../storage/list-rows.ts';
import type { DeliveriesQuery, DeliveryRecord, ListedDelivery } from './contract.ts';

interface Row {
  id: string;
  testId: string;
  attempt: number;
  isSample: number;
  replayOf: string | null;
  url: string;
  outcome: ListedDelivery['outcome'];
  statusCode: number | null;
  message: string | null;
  sentAt: number;
  finishedAt: number | null;
  timings: string | null;
}
const COLUMNS = `id, test_id AS testId, attempt, is_sample AS isSample, replay_of AS replayOf, url, outcome,
  status_code AS statusCode, message, sent_at AS sentAt, finished_at AS finishedAt, timings`;

interface Messages {
  requestHeaders: string;
  requestBody: Uint8Array;
  responseHeaders: string | null;
  responseBody: Uint8Array | null;
}
const MESSAGES = `request_headers AS requestHeaders, request_body AS requestBody,
  response_headers AS responseHeaders, response_body AS responseBody`;

const ORDER = { sentAt: 'sent_at', testId: 'test_id', attempt: 'attempt', id: 'id' };

function listDeliveries(
  database: Database,
  { owner, query }: { owner: Owner; query: DeliveriesQuery },
): { data: ListedDelivery[]; pagination: Pagination } {
  const { testId, outcome, isSample } = query;
  const where: SqlFragment[] = [
    ...(testId ? [oneOf('test_id', testId)] : []),
    ...(outcome ? [oneOf('outcome', outcome)] : []),
    ...(isSample === undefined ? [] : [{ sql: 'is_sample = ?', values: [Number(isSample)] }]),
  ];
  const { rows, pagination } = listRows<Row, keyof typeof ORDER>(database, {
    application: owner.application,
    table: 'delivery',
    columns: COLUMNS,
    where,
    order: ORDER,
    page: query,
  });
  return { data: rows.map((row) => listed(row, owner)), pagination };
}

/** Throws `not_found`. */
function getDelivery(database: Database, { owner, id }: { owner: Owner; id: string }): DeliveryRecord {
  const row = database.get<Row & Messages>(
    `SELECT ${COLUMNS}, ${MESSAGES} FROM delivery WHERE application = ? AND id = ?`,
    owner.application,
    id,
  );
  if (!row) throw new AppError('not_found', 'delivery not found');
  const { requestHeaders, requestBody, responseHeaders, responseBody, ...rest } = row;
  return {
    ...listed(rest, owner),
    request: { headers: headersOf(requestHeaders), ...written(requestBody) },
    response:
      responseHeaders === null
        ? null
        : { headers: headersOf(responseHeaders), ...written(responseBody ?? new Uint8Array()) },
  };
}

const headersOf = (text: string): Record<string, string> => JSON.parse(text) as Record<string, string>;

/** So much of an answer is kept; a character may be cut in two there. */
const KEPT_BYTES = 16 * 1024;

/** Bytes as text where they are UTF-8. */
function written(bytes: Uint8Array): { body: string; encoding: 'utf8' | 'base64' } {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return { body: decoder.decode(bytes, { stream: bytes.length === KEPT_BYTES }), encoding: 'utf8' };
  } catch {
    return { body: Buffer.from(bytes).toString('base64'), encoding: 'base64' };
  }
}

const listed = (
  { isSample, sentAt, finishedAt, timings, ...row }: Row,
  { orgId, applicationId }: Owner,
): ListedDelivery => ({
  ...row,
  orgId,
  applicationId,
  isSample: isSample === 1,
  sentAt: isoTime(sentAt),
  finishedAt: finishedAt === null ? null : isoTime(finishedAt),
  timings: timings === null ? null : (JSON.parse(timings) as Record<string, number>),
});

export const deliveryQueries = { listDeliveries, getDelivery };
