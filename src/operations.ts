import { SCOPES } from './contract/scope.ts';
import { deliverCommands, deliverQueries } from './deliver/operations.ts';
import { jobCommands, jobQueries } from './jobs/operations.ts';
import { apiKeyCommands, apiKeyQueries, insertKey } from './resources/api-keys/store.ts';
import { applicationCommands, applicationQueries } from './resources/applications/store.ts';
import { definitionCommands, definitionQueries } from './resources/definitions/store.ts';
import { styleGuideCommands, styleGuideQueries } from './resources/style-guides/store.ts';
import { evalCommands, evalQueries } from './resources/evals/store.ts';
import { documentCommands, documentQueries } from './resources/documents/store.ts';
import { scrapeJobCommands, scrapeJobQueries } from './resources/scrape-jobs/store.ts';
import { experimentCommands, experimentQueries } from './resources/experiments/store.ts';
import { inferenceStepCommands, inferenceStepQueries } from './resources/inference-steps/store.ts';
import {
  annotationQueueCommands,
  annotationQueueQueries,
} from './resources/human-annotation-queues/store.ts';
import {
  annotationQueueItemCommands,
  annotationQueueItemQueries,
} from './resources/human-annotation-queue-items/store.ts';
import { humanAnnotationCommands, humanAnnotationQueries } from './resources/human-annotations/store.ts';
import { quickstartCommands, quickstartQueries } from './resources/quickstarts/store.ts';
import { reportingCommands, reportingQueries } from './resources/reporting/store.ts';
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
  ...definitionCommands,
  ...styleGuideCommands,
  ...evalCommands,
  ...documentCommands,
  ...scrapeJobCommands,
  ...experimentCommands,
  ...inferenceStepCommands,
  ...annotationQueueCommands,
  ...annotationQueueItemCommands,
  ...humanAnnotationCommands,
  ...quickstartCommands,
  ...reportingCommands,
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
  ...definitionQueries,
  ...styleGuideQueries,
  ...evalQueries,
  ...documentQueries,
  ...scrapeJobQueries,
  ...experimentQueries,
  ...inferenceStepQueries,
  ...annotationQueueQueries,
  ...annotationQueueItemQueries,
  ...humanAnnotationQueries,
  ...quickstartQueries,
  ...reportingQueries,
};
