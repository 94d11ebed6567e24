import type { ListOf } from '../../contract/paging.ts';
import { oneOfEach } from '../../storage/sql.ts';
import type { ById, Owner } from '../../contract/owner.ts';
import { listedDeliveries, shownDeliveries } from '../../deliver/delivery-record.ts';
import type { Database } from '../../storage/database.ts';
import type { DeliveriesQuery, DeliveryRecord, ListedDelivery } from './contract.ts';

function listDeliveries(
  database: Database,
  { owner, query }: { owner: Owner; query: DeliveriesQuery },
): ListOf<ListedDelivery> {
  const { testId, outcome, isSample } = query;
  const where = oneOfEach({ test_id: testId, outcome });
  if (isSample !== undefined) where.push({ sql: 'is_sample = ?', values: [Number(isSample)] });
  return listedDeliveries.list(database, owner, { where, page: query });
}

/** Returns a delivery; throws `not_found`. */
function getDelivery(database: Database, key: ById): DeliveryRecord {
  const { requestHeaders, requestBody, responseHeaders, responseBody, ...delivery } = shownDeliveries.get(
    database,
    key,
  );
  return {
    ...delivery,
    request: { headers: requestHeaders, ...written(requestBody) },
    response: responseHeaders && { headers: responseHeaders, ...written(responseBody ?? new Uint8Array()) },
  };
}

/** Most bytes of a response that are stored; the last character may be incomplete. */
const KEPT_BYTES = 16 * 1024;

/** Returns bytes as text if they are UTF-8, else in base64. */
function written(bytes: Uint8Array): { body: string; encoding: 'utf8' | 'base64' } {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return { body: decoder.decode(bytes, { stream: bytes.length === KEPT_BYTES }), encoding: 'utf8' };
  } catch {
    return { body: Buffer.from(bytes).toString('base64'), encoding: 'base64' };
  }
}

export const deliveryQueries = { listDeliveries, getDelivery };
