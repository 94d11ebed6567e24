import { commandsOf, queriesOf } from '../../storage/calls.ts';
import type { deliveryQueries } from './delivery-list.ts';
import type { sendCommands, sendQueries } from './send-store.ts';
import type { webhookCommands, webhookQueries } from './store.ts';

export const { listDeliveries, getDelivery } = queriesOf<typeof deliveryQueries>();
export const { beginSend, finishSend } = commandsOf<ReturnType<typeof sendCommands>>();
export const { deliverableWebhook, replayInput } = queriesOf<typeof sendQueries>();
export const { saveWebhook, rotateWebhookSecret, deleteWebhook, removeWebhook } =
  commandsOf<typeof webhookCommands>();
export const { getWebhook } = queriesOf<typeof webhookQueries>();
