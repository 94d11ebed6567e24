import { SCOPES } from './contract/scope.ts';
import { deliverCommands, deliverQueries } from './deliver/operations.ts';
import { jobCommands, jobQueries } from './jobs/operations.ts';
import { apiKeyCommands, apiKeyQueries, insertKey } from './resources/api-keys/store.ts';
import { applicationCommands, applicationQueries } from './resources/applications/store.ts';
import { ingestQueries } from './resources/ingest/store.ts';
import { runQueries } from './resources/runs/store.ts';
import { tagCommands, tagQueries } from './resources/tags/store.ts';
import { scheduleCommands, scheduleQueries } from './resources/tasks/schedule-store.ts';
import { archiveTasks, taskCommands, taskQueries } from './resources/tasks/store.ts';
import { testQueries } from './resources/tests/store.ts';
import { topicCommands, topicQueries } from './resources/topics/store.ts';
import { validateWebhookQueries } from './resources/validate-webhook/store.ts';
import { deliveryQueries } from './resources/webhook/delivery-list.ts';
import { sendCommands, sendQueries } from './resources/webhook/send-store.ts';
import { webhookCommands, webhookQueries } from './resources/webhook/store.ts';
import { traceCommands, traceQueries } from './traces/operations.ts';

/** Everything the writer thread can do. */
export const commands = {
  ...apiKeyCommands,
  ...applicationCommands((database, key) => insertKey(database, { ...key, scopes: SCOPES, expiresAt: null })),
  ...deliverCommands,
  ...jobCommands,
  ...scheduleCommands,
  ...tagCommands,
  ...taskCommands,
  ...topicCommands(archiveTasks),
  ...traceCommands,
  ...sendCommands,
  ...webhookCommands,
};

/** Everything the reader threads can do. */
export const queries = {
  ...apiKeyQueries,
  ...applicationQueries,
  ...deliverQueries,
  ...jobQueries,
  ...ingestQueries,
  ...runQueries,
  ...scheduleQueries,
  ...tagQueries,
  ...taskQueries,
  ...testQueries,
  ...topicQueries,
  ...traceQueries,
  ...deliveryQueries,
  ...sendQueries,
  ...validateWebhookQueries,
  ...webhookQueries,
};
