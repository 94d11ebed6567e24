import { queriesOf } from '../../storage/calls.ts';
import type { validateWebhookQueries } from './store.ts';

export const { webhookSecrets, deliveredBody } = queriesOf<typeof validateWebhookQueries>();
