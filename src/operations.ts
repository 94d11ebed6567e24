import { SCOPES } from './contract/scope.ts';
import { endErasedTest, endUnanswered } from './deliver/end-erased.ts';
import { deliverCommands, deliverQueries } from './deliver/operations.ts';
import { removeDeliveries } from './deliver/remove-deliveries.ts';
import { purgeDeliveries } from './deliver/purge-deliveries.ts';
import { settle } from './evaluate/engine/finish.ts';
import { checkEvals, planCompleteTest } from './evaluate/engine/plan.ts';
import { markMetricsOfTest, markMetricsOfTests } from './evaluate/due-quality-metrics.ts';
import { removeEvalsOfTests } from './evaluate/remove-evals.ts';
import { evaluateCommands, evaluateQueries } from './evaluate/operations.ts';
import {
  purgeEvalsOfSession,
  purgeEvalsOfTest,
  purgeEvalsOfTrace,
  purgePromptCalls,
} from './evaluate/purge-evals.ts';
import { jobCommands, jobQueries } from './jobs/operations.ts';
import { apiKeyCommands, apiKeyQueries, insertKey } from './resources/api-keys/store.ts';
import { healthQueries } from './resources/applications/health-store.ts';
import { applicationCommands, applicationQueries } from './resources/applications/store.ts';
import { definitionLinkCommands } from './resources/definitions/link-store.ts';
import { reliabilityQueries } from './resources/definitions/reliability.ts';
import { activateDefinitions, definitionCommands, definitionQueries } from './resources/definitions/store.ts';
import { approveStyleGuide, styleGuideCommands, styleGuideQueries } from './resources/style-guides/store.ts';
import { addInputExamples, inputExamplesOf } from './resources/examples/input-examples.ts';
import { exportQueries } from './resources/examples/export-store.ts';
import { importCommands, importQueries } from './resources/examples/import-store.ts';
import { deleteExamples, exampleCommands, exampleQueries, forgetTrace } from './resources/examples/store.ts';
import { endUnwritten, writingCommands, writingQueries } from './resources/examples/writing/store.ts';
import { erasureCommands, erasureQueries } from './resources/erasures/store.ts';
import { evalQueries } from './resources/evals/store.ts';
import { documentCommands, documentQueries } from './resources/documents/operations.ts';
import { approveDocument, insertDocument } from './resources/documents/store.ts';
import { scrapeJobCommands, scrapeJobQueries } from './resources/scrape-jobs/store.ts';
import { endVariantOf } from './resources/experiments/end-variant.ts';
import { experimentCommands, experimentQueries } from './resources/experiments/store.ts';
import { variantCommands, variantQueries } from './resources/experiments/variant-store.ts';
import { inferenceStepCommands, inferenceStepQueries } from './resources/inference-steps/store.ts';
import {
  annotationQueueCommands,
  annotationQueueQueries,
} from './resources/human-annotation-queues/store.ts';
import {
  annotationQueueItemCommands,
  annotationQueueItemQueries,
  completeQueueItem,
  countQueueItems,
  purgeQueueItems,
} from './resources/human-annotation-queue-items/store.ts';
import {
  humanAnnotationCommands,
  humanAnnotationQueries,
  purgeAnnotations,
} from './resources/human-annotations/store.ts';
import { quickstartCommands, quickstartQueries } from './resources/quickstarts/store.ts';
import { copiedTracesOf, forgetCopiedTrace, noteCopiedTrace } from './resources/examples/copied-traces.ts';
import { copiesOfTrace, testsOfCopies } from './resources/examples/erase-copies.ts';
import { auditCommands, copiesInAudit, hashSessionInAudit } from './people/audit-store.ts';
import { peopleCommands, peopleQueries } from './people/operations.ts';
import { addMember } from './people/setup-store.ts';
import { maskingCommands, maskingQueries } from './resources/masking/store.ts';
import { reportingQueries } from './resources/reporting/store.ts';
import { ingestQueries } from './resources/ingest/store.ts';
import { compareQueries } from './resources/runs/compare.ts';
import { promptCallQueries } from './resources/runs/prompt-call-store.ts';
import { runQueries } from './resources/runs/store.ts';
import { retentionCommands, retentionQueries } from './resources/retention/store.ts';
import { markDays } from './resources/retention/usage.ts';
import { tagCommands, tagQueries } from './resources/tags/store.ts';
import { scheduleCommands, scheduleQueries } from './resources/tasks/schedule-store.ts';
import { eraseTitles } from './resources/tasks/erase-titles.ts';
import {
  activateTasks,
  archiveTasks,
  insertTask,
  taskCommands,
  taskQueries,
} from './resources/tasks/store.ts';
import { saveTaskLevels } from './resources/tasks/metrics-store.ts';
import { exportTestQueries } from './resources/tests/export-store.ts';
import { testQueries } from './resources/tests/store.ts';
import {
  activateTopics,
  archiveTopic,
  insertTopic,
  topicCommands,
  topicQueries,
} from './resources/topics/store.ts';
import { exampleDataCommands, exampleDataQueries } from './resources/example-data/store.ts';
import { deleteViewsNaming, viewCommands, viewQueries } from './resources/views/store.ts';
import { validateWebhookQueries } from './resources/validate-webhook/store.ts';
import { deliveryQueries } from './resources/webhook/delivery-list.ts';
import { sendCommands, sendQueries } from './resources/webhook/send-store.ts';
import { webhookCommands, webhookQueries } from './resources/webhook/store.ts';
import { completionCommands, completionQueries } from './tests/operations.ts';
import {
  ERASED,
  eraseTestTexts,
  eraseWritingReasons,
  noteTraceDeleted,
  type TestHooks,
} from './tests/store.ts';
import { traceExampleCommands, traceExampleQueries } from './resources/examples/trace-example-store.ts';
import { type Commands, locking, mergeOperations } from './storage/operations.ts';
import { markErased } from './traces/delete.ts';
import { StepBudget } from './traces/purge-step.ts';
import { pruneTracesAnd } from './traces/prune.ts';
import type { PurgeOthers } from './traces/purge.ts';
import { traceCommands, traceQueries } from './traces/operations.ts';

const testHooks: TestHooks = {
  onTestEnded: (database, test) => {
    markMetricsOfTest(database, test);
    endVariantOf(database, test);
  },
  onTestReopened: markMetricsOfTest,
};

const endUnansweredTest: PurgeOthers['ofTest'][number] = (database, test) => {
  endUnanswered(database, test, testHooks);
  return true;
};

/** Ends a test whose evals were all skipped, without waiting for the calls of judges in progress. */
const settleTest: PurgeOthers['ofTest'][number] = (database, { application, testId, deletedAt: at }) => {
  settle(database, { application, testId, at, isGivenUp: false }, testHooks);
  return true;
};

const purgeOthers: PurgeOthers = {
  onDelete: noteCopiedTrace,
  rows: [purgeQueueItems, purgeAnnotations, forgetTrace],
  ofTest: [noteTraceDeleted, endUnansweredTest, purgeDeliveries, purgeEvalsOfTest, settleTest],
  ofTrace: [purgeEvalsOfTrace],
  ofSession: [purgeEvalsOfSession],
  markDays,
};

const changes = mergeOperations(
  applicationCommands(
    (database, key) => insertKey(database, { ...key, scopes: SCOPES, expiresAt: null }),
    (database, member) => addMember(database, { ...member, role: 'admin' }),
  ),
  peopleCommands,
  deliverCommands(testHooks),
  completionCommands(
    {
      ...testHooks,
      onTestComplete: planCompleteTest,
      onLateSpans: checkEvals,
      onDelete: purgeOthers.onDelete,
    },
    [markMetricsOfTests, removeDeliveries, removeEvalsOfTests],
  ),
  jobCommands,
  traceCommands(purgeOthers),
  erasureCommands({
    prune: pruneTracesAnd(purgeOthers),
    copiesOfTrace,
    copiedTracesOf,
    forgetCopiedTrace,
    markErased,
    testsOfCopies: (database, of) => testsOfCopies(database, { ...of, erased: ERASED }),
    eraseWritingReasons,
    endUnwritten: (database, of) => endUnwritten(database, of, testHooks),
    endTest: (database, of) => endErasedTest(database, of, testHooks),
    eraseTest: (database, of) => {
      eraseTestTexts(database, of);
      const test = { ...of, deletedAt: of.at };
      while (!purgeDeliveries(database, test, new StepBudget()));
      while (!purgeEvalsOfTest(database, test, new StepBudget()));
      settleTest(database, test, new StepBudget());
    },
    purgePromptCalls,
    deleteExamples,
    eraseTitles,
    deleteViewsNaming,
    copiesInAudit,
    hashSessionInAudit,
  }),
  evaluateCommands(testHooks, saveTaskLevels),
  retentionCommands,
  maskingCommands,
  locking(
    'application',
    mergeOperations(
      apiKeyCommands,
      scheduleCommands,
      tagCommands,
      viewCommands,
      exampleDataCommands,
      taskCommands(archiveTopic),
      exampleCommands,
      importCommands,
      traceExampleCommands(insertTask),
      writingCommands(testHooks),
      topicCommands(archiveTasks),
      sendCommands(testHooks),
      webhookCommands,
      definitionCommands,
      definitionLinkCommands,
      styleGuideCommands,
      documentCommands,
      scrapeJobCommands(insertDocument),
      experimentCommands,
      variantCommands,
      inferenceStepCommands,
      annotationQueueCommands(countQueueItems),
      annotationQueueItemCommands,
      humanAnnotationCommands(completeQueueItem),
      quickstartCommands({
        ...definitionCommands,
        ...documentCommands,
        insertTopic,
        insertTask,
        addInputExamples,
        inputExamplesOf,
        insertDocument,
        approveDocument,
        approveStyleGuide,
        activateTopics,
        activateTasks,
        activateDefinitions,
      }),
    ),
  ),
);

/** All commands of the writer thread. */
export const commands = mergeOperations(changes, auditCommands(changes)) satisfies Commands;

/** All queries of the reader threads. */
export const queries = mergeOperations(
  apiKeyQueries,
  peopleQueries,
  applicationQueries,
  healthQueries,
  deliverQueries,
  completionQueries,
  jobQueries,
  ingestQueries,
  retentionQueries,
  maskingQueries,
  erasureQueries,
  runQueries,
  promptCallQueries,
  compareQueries,
  scheduleQueries,
  tagQueries,
  viewQueries,
  exampleDataQueries,
  taskQueries,
  exampleQueries,
  importQueries,
  exportQueries,
  traceExampleQueries,
  writingQueries,
  testQueries,
  exportTestQueries,
  topicQueries,
  traceQueries,
  deliveryQueries,
  sendQueries,
  validateWebhookQueries,
  webhookQueries,
  definitionQueries,
  reliabilityQueries,
  styleGuideQueries,
  evaluateQueries,
  evalQueries,
  documentQueries(scrapeJobQueries.getScrapeJob),
  scrapeJobQueries,
  experimentQueries,
  variantQueries,
  inferenceStepQueries,
  annotationQueueQueries(countQueueItems),
  annotationQueueItemQueries,
  humanAnnotationQueries,
  quickstartQueries,
  reportingQueries,
);
