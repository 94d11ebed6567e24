import { deliverCommands, deliverHooks, deliverQueries } from './deliver/operations.ts';
import { evaluateCommands, evaluateHooks, evaluateQueries } from './evaluate/operations.ts';
import type { MetricHooks } from './evaluate/quality-metric-store.ts';
import { jobCommands, jobQueries } from './jobs/operations.ts';
import { auditCommands } from './people/audit-store.ts';
import { peopleCommands, peopleHooks, peopleQueries } from './people/operations.ts';
import { agreementQueries } from './resources/agreement/store.ts';
import { apiKeyCommands, apiKeyHooks, apiKeyQueries } from './resources/api-keys/store.ts';
import { healthQueries } from './resources/applications/health-store.ts';
import {
  applicationCommands,
  type ApplicationHooks,
  applicationQueries,
} from './resources/applications/store.ts';
import { attentionQueries } from './resources/attention/store.ts';
import { canaryCommands, canaryQueries } from './resources/definitions/canary-store.ts';
import { definitionLinkCommands } from './resources/definitions/link-store.ts';
import { reliabilityQueries } from './resources/definitions/reliability.ts';
import { definitionCommands, definitionQueries } from './resources/definitions/store.ts';
import { verifiedJudgeQueries } from './resources/definitions/verified-judges-store.ts';
import { documentCommands, documentQueries } from './resources/documents/operations.ts';
import type { ErasureHooks } from './resources/erasures/step.ts';
import { erasureCommands, erasureQueries } from './resources/erasures/store.ts';
import { evalQueries } from './resources/evals/store.ts';
import { exampleDataCommands, exampleDataQueries } from './resources/example-data/store.ts';
import { exportQueries } from './resources/examples/export-store.ts';
import { importDefinitionCommands } from './resources/examples/import-definitions.ts';
import { importCommands, importQueries } from './resources/examples/import-store.ts';
import { exampleCommands, exampleHooks, exampleQueries } from './resources/examples/store.ts';
import { writingCommands, writingQueries } from './resources/examples/writing/store.ts';
import { experimentCommands, experimentQueries } from './resources/experiments/store.ts';
import { variantCommands, variantHooks, variantQueries } from './resources/experiments/variant-store.ts';
import {
  annotationQueueItemCommands,
  annotationQueueItemHooks,
  annotationQueueItemQueries,
} from './resources/human-annotation-queue-items/store.ts';
import {
  annotationQueueCommands,
  annotationQueueQueries,
} from './resources/human-annotation-queues/store.ts';
import {
  humanAnnotationCommands,
  humanAnnotationHooks,
  humanAnnotationQueries,
} from './resources/human-annotations/store.ts';
import { inferenceStepCommands, inferenceStepQueries } from './resources/inference-steps/store.ts';
import { ingestQueries } from './resources/ingest/store.ts';
import { draftQueries } from './resources/issue-drafts/draft-store.ts';
import { groupQueries } from './resources/issue-drafts/group-store.ts';
import { measureCommands, measureQueries } from './resources/issue-drafts/measure-store.ts';
import { issueSendCommands, issueSendQueries } from './resources/issue-webhook/send-store.ts';
import { issueWebhookCommands, issueWebhookQueries } from './resources/issue-webhook/store.ts';
import { issueActionCommands } from './resources/issues/actions.ts';
import { issueEvidenceQueries } from './resources/issues/evidence.ts';
import { issueLinkCommands, issueLinkHooks, issueLinkQueries } from './resources/issues/link-store.ts';
import { issueMergeCommands } from './resources/issues/merge.ts';
import { paretoQueries } from './resources/issues/pareto.ts';
import { relapseQueries } from './resources/issues/relapse-store.ts';
import { runSetIssueQueries } from './resources/issues/run-set-issues.ts';
import { issueCommands, issueQueries } from './resources/issues/store.ts';
import { maskingCommands, maskingQueries } from './resources/masking/store.ts';
import { noteCommands, noteHooks, noteQueries } from './resources/notes/store.ts';
import { quickstartCommands, quickstartQueries } from './resources/quickstarts/store.ts';
import { reportingQueries } from './resources/reporting/store.ts';
import { resultQueries } from './resources/results/store.ts';
import { retentionCommands, retentionHooks, retentionQueries } from './resources/retention/store.ts';
import { decisionCommands, decisionQueries } from './resources/run-sets/decision-store.ts';
import { evidenceQueries } from './resources/run-sets/evidence-store.ts';
import { runSetHooks } from './resources/run-sets/open-tests.ts';
import { releaseCommands } from './resources/run-sets/release.ts';
import { runSetCommands, runSetQueries } from './resources/run-sets/store.ts';
import { compareQueries } from './resources/runs/compare.ts';
import { promptCallQueries } from './resources/runs/prompt-call-store.ts';
import { runQueries } from './resources/runs/store.ts';
import { scrapeJobCommands, scrapeJobQueries } from './resources/scrape-jobs/store.ts';
import { styleGuideCommands, styleGuideQueries } from './resources/style-guides/store.ts';
import { tagCommands, tagQueries } from './resources/tags/store.ts';
import { scheduleCommands, scheduleQueries } from './resources/tasks/schedule-store.ts';
import { taskCommands, taskHooks, taskQueries } from './resources/tasks/store.ts';
import { exportTestQueries } from './resources/tests/export-store.ts';
import { testQueries } from './resources/tests/store.ts';
import { topicCommands, type TopicHooks, topicQueries } from './resources/topics/store.ts';
import { selectionCommands, selectionQueries } from './resources/selections/store.ts';
import { traceExampleCommands, traceExampleQueries } from './resources/trace-examples/store.ts';
import { validateWebhookQueries } from './resources/validate-webhook/store.ts';
import { filterQueries } from './resources/filter/store.ts';
import { searchQueries } from './resources/search/store.ts';
import { tryQueries } from './resources/try-outs/store.ts';
import { viewCommands, viewQueries } from './resources/views/store.ts';
import { withheldQueries } from './traces/withheld/store.ts';
import { deliveryQueries } from './resources/webhook/delivery-list.ts';
import { sendCommands, sendQueries } from './resources/webhook/send-store.ts';
import { webhookCommands, webhookQueries } from './resources/webhook/store.ts';
import { type Commands, locking, mergeHooks, mergeOperations } from './storage/operations.ts';
import type { FollowHooks } from './tests/follow.ts';
import { completionCommands, completionHooks, completionQueries } from './tests/operations.ts';
import type { FillHooks } from './tests/outcome/fill-store.ts';
import type { RemoveHooks } from './tests/remove-tests.ts';
import type { TestHooks } from './tests/store.ts';
import { traceCommands, traceQueries } from './traces/operations.ts';
import type { TraceHooks } from './traces/purge.ts';

/** Functions that commands of one feature call in others. */
type Hooks = ApplicationHooks &
  TestHooks &
  FollowHooks &
  FillHooks &
  RemoveHooks &
  TraceHooks &
  MetricHooks &
  TopicHooks &
  ErasureHooks;

/** The hooks of all features, which run in this order. */
const hooks: Hooks = mergeHooks(
  apiKeyHooks,
  peopleHooks,
  completionHooks,
  deliverHooks(() => hooks),
  evaluateHooks(() => hooks),
  retentionHooks,
  taskHooks,
  variantHooks,
  runSetHooks,
  annotationQueueItemHooks,
  humanAnnotationHooks,
  noteHooks,
  issueLinkHooks,
  exampleHooks,
);

const changes = mergeOperations(
  applicationCommands(hooks),
  peopleCommands,
  deliverCommands(hooks),
  completionCommands(hooks),
  jobCommands,
  traceCommands(hooks),
  erasureCommands(hooks),
  evaluateCommands(hooks),
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
      taskCommands,
      exampleCommands,
      importCommands,
      importDefinitionCommands,
      traceExampleCommands,
      selectionCommands,
      writingCommands(hooks),
      topicCommands(hooks),
      sendCommands(hooks),
      webhookCommands,
      definitionCommands,
      canaryCommands,
      definitionLinkCommands,
      styleGuideCommands,
      documentCommands,
      scrapeJobCommands,
      experimentCommands,
      variantCommands,
      runSetCommands(hooks),
      decisionCommands,
      releaseCommands,
      inferenceStepCommands,
      annotationQueueCommands,
      annotationQueueItemCommands,
      humanAnnotationCommands,
      noteCommands,
      issueCommands,
      issueLinkCommands,
      issueActionCommands,
      issueMergeCommands,
      measureCommands,
      issueWebhookCommands,
      issueSendCommands,
      quickstartCommands,
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
  resultQueries,
  runSetQueries,
  decisionQueries,
  evidenceQueries,
  scheduleQueries,
  tagQueries,
  viewQueries,
  filterQueries,
  searchQueries,
  attentionQueries,
  exampleDataQueries,
  taskQueries,
  exampleQueries,
  importQueries,
  exportQueries,
  traceExampleQueries,
  selectionQueries,
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
  tryQueries,
  agreementQueries,
  reliabilityQueries,
  verifiedJudgeQueries,
  canaryQueries,
  styleGuideQueries,
  evaluateQueries,
  evalQueries,
  documentQueries,
  scrapeJobQueries,
  experimentQueries,
  variantQueries,
  inferenceStepQueries,
  annotationQueueQueries,
  annotationQueueItemQueries,
  humanAnnotationQueries,
  noteQueries,
  issueQueries,
  issueLinkQueries,
  issueEvidenceQueries,
  groupQueries,
  draftQueries,
  measureQueries,
  relapseQueries,
  runSetIssueQueries,
  paretoQueries,
  issueWebhookQueries,
  issueSendQueries,
  withheldQueries,
  quickstartQueries,
  reportingQueries,
);
