import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { dateTime } from '../../contract/values.ts';

const count = z.int();
const counts = z.record(z.string(), count);

export const ledgerRow = z.object({
  hour: dateTime.describe('Beginning of the hour.'),
  keyId: z.string().describe('API key of the requests.'),
  requests: count,
  received: count.describe(
    'Number of spans or native events; equals stored + duplicate + replaced + rejected.',
  ),
  stored: count,
  duplicate: count.describe('Number of repeated, identical spans.'),
  replaced: count.describe('Number of spans that replaced another version.'),
  rejected: count,
  reasons: counts.describe('Number of rejected spans, by reason.'),
  notices: counts.describe(
    'Other counts: test ids that are not a uuid, log records (stored, duplicate, dropped, rejected), requests that were rejected completely.',
  ),
});

export const rejection = namedObject('Rejection', {
  id: z.string(),
  at: dateTime,
  keyId: z.string(),
  source: z.string(),
  reason: z.string(),
  message: z.string(),
  spans: count.describe(
    'Number of spans, events or log records; 0 for a request that was rejected completely.',
  ),
  traceId: z.string().nullable().describe('Id as it was sent: in hex, or the text of an invalid JSON id.'),
  spanId: z.string().nullable(),
});

export const whereabouts = z.object({
  traceId: z.string(),
  spanId: z.string().nullable(),
  stored: z.boolean(),
  traceSpanCount: count,
  traceUpdatedAt: dateTime.nullable(),
  deletedAt: dateTime.nullable(),
  rejections: z.array(rejection).describe('Newest rejections with this trace id.'),
});
