import type { Route } from '../contract/route.ts';
import { auditRoutes } from '../people/audit-routes.ts';
import { loginRoutes } from '../people/login-routes.ts';
import { memberRoutes } from '../people/member-routes.ts';
import { agreementRoutes } from '../resources/agreement/routes.ts';
import { apiKeyRoutes } from '../resources/api-keys/routes.ts';
import { applicationHealthRoute } from '../resources/applications/health-route.ts';
import { applicationRoutes } from '../resources/applications/routes.ts';
import { attentionRoutes } from '../resources/attention/routes.ts';
import { definitionLinkRoutes } from '../resources/definitions/link-routes.ts';
import { definitionRoutes } from '../resources/definitions/routes.ts';
import { documentRoutes } from '../resources/documents/routes.ts';
import { exampleDataRoutes } from '../resources/example-data/routes.ts';
import { exportExamplesRoute } from '../resources/examples/export-route.ts';
import { importRoute } from '../resources/examples/import-route.ts';
import { exampleRoutes } from '../resources/examples/routes.ts';
import { selectionRoutes } from '../resources/selections/routes.ts';
import { traceExampleRoute } from '../resources/trace-examples/routes.ts';
import { evaluateRoutes } from '../resources/evals/evaluate-routes.ts';
import { evalRoutes } from '../resources/evals/routes.ts';
import { erasureRoutes } from '../resources/erasures/routes.ts';
import { experimentRoutes } from '../resources/experiments/routes.ts';
import { variantRoutes } from '../resources/experiments/variant-routes.ts';
import { annotationQueueItemRoutes } from '../resources/human-annotation-queue-items/routes.ts';
import { annotationQueueRoutes } from '../resources/human-annotation-queues/routes.ts';
import { humanAnnotationRoutes } from '../resources/human-annotations/routes.ts';
import { inferenceStepRoutes } from '../resources/inference-steps/routes.ts';
import { ingestRoutes } from '../resources/ingest/routes.ts';
import { ownRulesRoutes } from '../resources/own-rules/routes.ts';
import { issueWebhookRoutes } from '../resources/issue-webhook/routes.ts';
import { issueLinkRoutes } from '../resources/issues/link-routes.ts';
import { draftRoute } from '../resources/issue-drafts/draft-route.ts';
import { measureRoute } from '../resources/issue-drafts/measure-route.ts';
import { suggestRoute } from '../resources/issue-drafts/suggest-route.ts';
import { issueParetoRoute, runSetIssuesRoute } from '../resources/issues/summary-routes.ts';
import { issueRoutes } from '../resources/issues/routes.ts';
import { maskingRoutes } from '../resources/masking/routes.ts';
import { noteRoutes } from '../resources/notes/routes.ts';
import { quickstartRoutes } from '../resources/quickstarts/routes.ts';
import { reportingRoutes } from '../resources/reporting/routes.ts';
import { resultRoutes } from '../resources/results/routes.ts';
import { retentionRoutes } from '../resources/retention/routes.ts';
import { evidenceRoutes } from '../resources/run-sets/evidence-routes.ts';
import { runSetRoutes } from '../resources/run-sets/routes.ts';
import { promptCallsRoute } from '../resources/runs/prompt-calls.ts';
import { compareRoutes, runRoutes } from '../resources/runs/routes.ts';
import { scrapeJobRoutes } from '../resources/scrape-jobs/routes.ts';
import { evaluateSessionRoute } from '../resources/sessions/evaluate-route.ts';
import { sessionRoutes } from '../resources/sessions/routes.ts';
import { styleGuideRoutes } from '../resources/style-guides/routes.ts';
import { systemRoutes } from '../resources/system/routes.ts';
import { documentTagRoutes, tagRoutes, taskTagRoutes } from '../resources/tags/routes.ts';
import { taskRoutes } from '../resources/tasks/routes.ts';
import { scheduleRoutes } from '../resources/tasks/schedule-routes.ts';
import { exportTestsRoute } from '../resources/tests/export-route.ts';
import { testRoutes } from '../resources/tests/routes.ts';
import { topicRoutes } from '../resources/topics/routes.ts';
import { traceRoutes } from '../resources/traces/routes.ts';
import { validateWebhookRoutes } from '../resources/validate-webhook/routes.ts';
import { webhookListenRoutes } from '../resources/webhook-listen/routes.ts';
import { filterRoutes } from '../resources/filter/routes.ts';
import { searchRoutes } from '../resources/search/routes.ts';
import { tryRoutes } from '../resources/try-outs/routes.ts';
import { viewRoutes } from '../resources/views/routes.ts';
import { deliveryRoutes } from '../resources/webhook/delivery-routes.ts';
import { webhookRoutes } from '../resources/webhook/routes.ts';

/** Routes of all features, in the order of the API document. Each feature declares what it needs. */
const FEATURES = [
  // Applications, people and keys, and the server itself.
  apiKeyRoutes,
  applicationRoutes,
  applicationHealthRoute,
  exampleDataRoutes,
  loginRoutes,
  memberRoutes,
  auditRoutes,
  systemRoutes,
  erasureRoutes,
  retentionRoutes,
  maskingRoutes,
  ownRulesRoutes,
  viewRoutes,
  filterRoutes,
  searchRoutes,
  attentionRoutes,
  // Traces and sessions that were received, and the ledger of what was.
  ingestRoutes,
  traceRoutes,
  sessionRoutes,
  evaluateSessionRoute,
  inferenceStepRoutes,
  // Tasks with their examples and documents, tests, runs and experiments.
  topicRoutes,
  taskRoutes,
  exampleRoutes,
  importRoute,
  traceExampleRoute,
  exportExamplesRoute,
  scheduleRoutes,
  tagRoutes,
  taskTagRoutes,
  documentRoutes,
  documentTagRoutes,
  scrapeJobRoutes,
  quickstartRoutes,
  testRoutes,
  exportTestsRoute,
  runRoutes,
  promptCallsRoute,
  compareRoutes,
  resultRoutes,
  selectionRoutes,
  runSetRoutes,
  runSetIssuesRoute,
  evidenceRoutes,
  experimentRoutes,
  variantRoutes,
  reportingRoutes,
  // The webhook of the app that is tested, and its deliveries.
  webhookRoutes,
  validateWebhookRoutes,
  deliveryRoutes,
  webhookListenRoutes,
  // Definitions of evaluations, and the verdicts of judges and people.
  definitionRoutes,
  tryRoutes,
  agreementRoutes,
  definitionLinkRoutes,
  styleGuideRoutes,
  evalRoutes,
  evaluateRoutes,
  annotationQueueRoutes,
  annotationQueueItemRoutes,
  humanAnnotationRoutes,
  // What people noticed, and the problems of the app.
  noteRoutes,
  issueLinkRoutes,
  issueRoutes,
  suggestRoute,
  draftRoute,
  measureRoute,
  issueParetoRoute,
  issueWebhookRoutes,
] as const;

/** Everything that the features need together: the intersection of their parameters. */
export type RouteDeps = (typeof FEATURES)[number] extends (deps: infer All) => unknown ? All : never;

/** Lists every route of the REST API, for the server and for the API document. */
export const apiRoutes = (deps: RouteDeps): Route[] => FEATURES.flatMap((routesOf) => routesOf(deps));
