/** Log records in a store, without a server. */
import { buildLogBatch } from '../../src/traces/log-batch.ts';
import { type LogsOutcome, type StoreLogs, storeLogs } from '../../src/traces/store-logs.ts';
import { incomingLogs, type LogSpec } from './otlp-logs.ts';
import { BASE_MS } from './spans.ts';
import type { Tenant } from './storage.ts';

/** Stores log records by the operation that stores those of a request. */
export function storeLogRecords(
  tenant: Tenant,
  specs: readonly LogSpec[],
  more: Partial<StoreLogs> = {},
): LogsOutcome {
  const args: StoreLogs = {
    application: tenant.application,
    keyId: 'key',
    at: BASE_MS,
    requests: 1,
    batch: buildLogBatch(incomingLogs(specs)),
    dropped: 0,
    rejected: {},
    rejections: [],
    ...more,
  };
  return tenant.database.transaction(() => storeLogs(tenant.database, args));
}
