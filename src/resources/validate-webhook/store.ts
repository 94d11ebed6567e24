import type { SealedSecrets } from '../../deliver/webhook-seal.ts';
import type { Database } from '../../storage/database.ts';
import { jsonField } from '../../storage/dialect.ts';
import { webhooks } from '../webhook/record.ts';

/** Returns the secrets of a webhook, even a disabled one, because earlier deliveries may still be verified. */
function webhookSecrets(database: Database, { application }: { application: number }): SealedSecrets | null {
  const [webhook] = webhooks.all(database, application, 'true');
  return webhook ? { ...webhook, application } : null;
}

export interface DeliveredBody {
  body: Uint8Array;
  /** 1 if one of the deliveries carried the given signature. */
  hasSignature: number;
}

/** Returns the body sent for a test, the same in every attempt; null when none of its deliveries is stored. */
const deliveredBody = (
  database: Database,
  { application, testId, signature }: { application: number; testId: string; signature: string },
): DeliveredBody | null =>
  database.get<DeliveredBody>(
    `SELECT request_body AS body, EXISTS (
       SELECT 1 FROM delivery
       WHERE application = :application AND test_id = :testId
         AND ${jsonField('request_headers', 'x-service-signature')} = :signature) AS hasSignature
     FROM delivery WHERE application = :application AND test_id = :testId LIMIT 1`,
    { application, testId, signature },
  ) ?? null;

export const validateWebhookQueries = { webhookSecrets, deliveredBody };
