import { isoTime } from '../../contract/values.ts';
import type { Database } from '../../storage/database.ts';
import { rejections } from '../../traces/ledger-records.ts';
import { webhooks } from '../webhook/record.ts';
import type { HealthFacts } from './health-contract.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const NS_PER_MS = 1_000_000;
const MAX_RECENT = 100;
const MAX_COUNTED = 1_000;

interface Args {
  application: number;
  /** Unix milliseconds. */
  at: number;
}

/** Facts of the store about the senders and the webhook of an application; each query reads a bounded number of rows. */
function readHealth(database: Database, { application, at }: Args): Omit<HealthFacts, 'lastUnauthorized'> {
  const recent = database.all<{ traceId: Uint8Array; endNs: number; updatedAt: number }>(
    `SELECT trace_id AS traceId, end_ns / ${NS_PER_MS} AS endNs, updated_at AS updatedAt
     FROM trace WHERE application = :application ORDER BY start_ns DESC LIMIT :limit`,
    { application, limit: MAX_RECENT },
  );
  const last = recent.reduce<(typeof recent)[number] | null>(
    (latest, trace) => (latest === null || trace.updatedAt > latest.updatedAt ? trace : latest),
    null,
  );
  const endpoint = readEndpoint(database, { application });
  const [lastRejection] = rejections.all(database, application, 'true ORDER BY id DESC LIMIT 1');
  return {
    lastSpan: last && { at: isoTime(last.updatedAt), traceId: Buffer.from(last.traceId).toString('hex') },
    lastRejection: lastRejection ?? null,
    webhook: endpoint && { enabled: endpoint.enabled },
    lastDelivery: lastDelivery(database, application),
    traces: tracesSince(database, application, at - DAY_MS),
    clockDifferenceMs:
      recent.length === 0 ? null : Math.max(...recent.map(({ endNs, updatedAt }) => endNs - updatedAt)),
  };
}

function lastDelivery(database: Database, application: number): HealthFacts['lastDelivery'] {
  const row = database.get<NonNullable<HealthFacts['lastDelivery']> & { at: number }>(
    `SELECT id, test_id AS testId, sent_at AS at, outcome, status_code AS statusCode, message
     FROM delivery WHERE application = :application ORDER BY sent_at DESC LIMIT 1`,
    { application },
  );
  if (!row) return null;
  const { at, ...delivery } = row;
  return { ...delivery, sentAt: isoTime(at) };
}

function tracesSince(database: Database, application: number, from: number): HealthFacts['traces'] {
  const counted = database.get<{ total: number; withoutTest: number }>(
    `SELECT count(*) AS total,
       coalesce(sum(NOT EXISTS (SELECT 1 FROM trace_test WHERE trace_test.tkey = recent.tkey)), 0) AS withoutTest
     FROM (SELECT tkey FROM trace WHERE application = :application AND start_ns >= :startNs ORDER BY start_ns DESC LIMIT :limit) AS recent`,
    { application, startNs: BigInt(from) * BigInt(NS_PER_MS), limit: MAX_COUNTED },
  );
  return { from: isoTime(from), ...(counted ?? { total: 0, withoutTest: 0 }) };
}

/** Returns the address of the webhook of an application; null if it has none. */
function readEndpoint(
  database: Database,
  { application }: { application: number },
): { url: string; enabled: boolean } | null {
  const [webhook] = webhooks.all(database, application, 'true');
  return webhook ? { url: webhook.url, enabled: webhook.enabled } : null;
}

export const healthQueries = { readHealth, readEndpoint };
