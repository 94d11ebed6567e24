import { z } from 'zod';
import { namedObject } from '../../contract/api-schema.ts';
import { dateTime } from '../../contract/values.ts';

const count = z.int();
const counts = z.record(z.string(), count);

export const ledgerRow = z.object({
  hour: dateTime.describe('Beginning of the hour.'),
  keyId: z.string().describe('The key the requests came with.'),
  requests: count,
  received: count.describe('Spans, or native events; = stored + duplicate + replaced + rejected.'),
  stored: count,
  duplicate: count.describe('The same span again.'),
  replaced: count.describe('Another version of a span.'),
  rejected: count,
  reasons: counts.describe('Why spans were rejected.'),
  notices: counts.describe(
    'What else was seen: test ids that are no uuid, log records (kept, again, dropped, rejected), requests refused whole.',
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
    'How many spans, events or log records it stands for; 0 = a request that was refused whole.',
  ),
  traceId: z.string().nullable().describe('As it was sent, in hex.'),
  spanId: z.string().nullable(),
});

export const whereabouts = z.object({
  traceId: z.string(),
  spanId: z.string().nullable(),
  stored: z.boolean(),
  traceSpanCount: count,
  traceUpdatedAt: dateTime.nullable(),
  deletedAt: dateTime.nullable(),
  rejections: z.array(rejection).describe('The newest refusals under this trace id.'),
});
