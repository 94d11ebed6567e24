import type { SuspendedPattern } from '../masking/suspensions.ts';
import type { Config } from '../config.ts';
import type { Route } from '../contract/route.ts';
import type { AddressGuard } from '../deliver/address-guard.ts';
import type { ProbeEndpoint } from '../deliver/probe-endpoint.ts';
import type { Relay } from '../deliver/relay.ts';
import type { CheckInputs } from '../evaluate/check-inputs.ts';
import { auditRoutes } from '../people/audit-routes.ts';
import { type LoginDeps, loginRoutes } from '../people/login-routes.ts';
import { memberRoutes } from '../people/member-routes.ts';
import { generateKey } from '../resources/api-keys/key-text.ts';
import { apiKeyRoutes } from '../resources/api-keys/routes.ts';
import { applicationHealthRoute } from '../resources/applications/health-route.ts';
import type { LastUnauthorized } from '../resources/applications/health-contract.ts';
import { applicationRoutes } from '../resources/applications/routes.ts';
import { definitionLinkRoutes } from '../resources/definitions/link-routes.ts';
import { definitionRoutes } from '../resources/definitions/routes.ts';
import { documentRoutes } from '../resources/documents/routes.ts';
import { type ExampleDataService, exampleDataRoutes } from '../resources/example-data/routes.ts';
import { exportExamplesRoute } from '../resources/examples/export-route.ts';
import { importRoute } from '../resources/examples/import-route.ts';
import { exampleRoutes } from '../resources/examples/routes.ts';
import { traceExampleRoute } from '../resources/examples/trace-example-route.ts';
import { evaluateRoutes } from '../resources/evals/evaluate-routes.ts';
import { evalRoutes } from '../resources/evals/routes.ts';
import { maskedFormsOf } from '../resources/masking/masked-forms.ts';
import type { MadeCopy } from '../resources/erasures/contract.ts';
import { erasureRoutes } from '../resources/erasures/routes.ts';
import { experimentRoutes } from '../resources/experiments/routes.ts';
import { variantRoutes } from '../resources/experiments/variant-routes.ts';
import { annotationQueueItemRoutes } from '../resources/human-annotation-queue-items/routes.ts';
import { annotationQueueRoutes } from '../resources/human-annotation-queues/routes.ts';
import { humanAnnotationRoutes } from '../resources/human-annotations/routes.ts';
import { inferenceStepRoutes } from '../resources/inference-steps/routes.ts';
import { ingestRoutes } from '../resources/ingest/routes.ts';
import { getMasking } from '../resources/masking/calls.ts';
import { maskingRoutes } from '../resources/masking/routes.ts';
import { quickstartRoutes } from '../resources/quickstarts/routes.ts';
import { reportingRoutes } from '../resources/reporting/routes.ts';
import { retentionRoutes } from '../resources/retention/routes.ts';
import { promptCallsRoute } from '../resources/runs/prompt-calls.ts';
import { compareRoutes, runRoutes } from '../resources/runs/routes.ts';
import { scrapeJobRoutes } from '../resources/scrape-jobs/routes.ts';
import { evaluateSessionRoute } from '../resources/sessions/evaluate-route.ts';
import { sessionRoutes } from '../resources/sessions/routes.ts';
import { styleGuideRoutes } from '../resources/style-guides/routes.ts';
import { type SystemDeps, systemRoutes } from '../resources/system/routes.ts';
import { documentTagRoutes, tagRoutes, taskTagRoutes } from '../resources/tags/routes.ts';
import { taskRoutes } from '../resources/tasks/routes.ts';
import { scheduleRoutes } from '../resources/tasks/schedule-routes.ts';
import { exportTestsRoute } from '../resources/tests/export-route.ts';
import { type TestRouteDeps, testRoutes } from '../resources/tests/routes.ts';
import { topicRoutes } from '../resources/topics/routes.ts';
import { traceRoutes } from '../resources/traces/routes.ts';
import { validateWebhookRoutes } from '../resources/validate-webhook/routes.ts';
import { webhookListenRoutes } from '../resources/webhook-listen/routes.ts';
import { viewRoutes } from '../resources/views/routes.ts';
import { deliverableWebhook } from '../resources/webhook/calls.ts';
import { deliveryRoutes } from '../resources/webhook/delivery-routes.ts';
import { webhookRoutes } from '../resources/webhook/routes.ts';
import type { Sender } from '../resources/webhook/sender.ts';
import type { OpenStream } from '../runtime/event-streams.ts';
import type { SecretBox } from '../runtime/secrets.ts';
import type { Storage } from '../storage/storage.ts';
import type { TraceFeed } from '../traces/trace-feed.ts';

export interface RouteDeps {
  config: Pick<
    Config,
    'webhookTimeoutMs' | 'webhookToleranceMs' | 'publicUrl' | 'newOrganisations' | 'organisationApplications'
  >;
  storage: Pick<Storage, 'read' | 'write'>;
  now: () => number;
  openStream: OpenStream;
  traceFeed: TraceFeed;
  readSystem: SystemDeps['readSystem'];
  organisationsSeenBy: SystemDeps['organisationsSeenBy'];
  lastUnauthorized: LastUnauthorized;
  probeEndpoint: ProbeEndpoint;
  secretBox: SecretBox;
  guard: AddressGuard;
  relay: Relay;
  sender: Sender;
  /** Names of the judges in the settings. */
  judges: ReadonlySet<string>;
  hasPromptModel: boolean;
  checkInputs: CheckInputs;
  signIn: Omit<LoginDeps, 'read' | 'write' | 'now'>;
  /** Called after a key was revoked. */
  onRevoked: (keyId: string) => void;
  /** Called after the permissions of a person have changed. */
  onMembersChanged: () => void;
  onTriggered: TestRouteDeps['onTriggered'];
  onCancelled: TestRouteDeps['onCancelled'];
  exampleData: ExampleDataService;
  /** Called after limits of retention were set. */
  onRetentionChanged: () => void;
  maskingKey: (application: number) => Uint8Array;
  suspendedPatterns: (application: number) => SuspendedPattern[];
  /** Called after the masking rules of an application were changed. */
  onMaskingChanged: (application: number) => void;
  /** Called when a request leaves an erasure that is not complete. */
  onErasurePending: () => void;
  emptyLog: () => Promise<boolean>;
  /** Returns the files in the data folder with an earlier state of the store. */
  findSnapshots: () => MadeCopy[];
}

/** Lists every route of the REST API, for the server and for the API document. */
export const apiRoutes = (deps: RouteDeps): Route[] => [
  ...administrationRoutes(deps),
  ...traceGroupRoutes(deps),
  ...testingRoutes(deps),
  ...appRoutes(deps),
  ...judgingRoutes(deps),
];

const callsOf = ({ storage: { read, write }, now }: RouteDeps) => ({ read, write, now });

/** Applications, people and keys, and the server itself. */
function administrationRoutes(deps: RouteDeps): Route[] {
  const common = callsOf(deps);
  const { read, now } = common;
  const { config, lastUnauthorized, probeEndpoint, readSystem, maskingKey, suspendedPatterns } = deps;
  const { onRevoked, onMembersChanged, onErasurePending, onRetentionChanged, onMaskingChanged } = deps;
  return [
    ...apiKeyRoutes({ ...common, onRevoked }),
    ...applicationRoutes({ ...common, config, generateKey, onCreated: onMembersChanged }),
    applicationHealthRoute({ read, now, lastUnauthorized, probeEndpoint }),
    ...exampleDataRoutes(deps.exampleData),
    ...loginRoutes({ ...common, ...deps.signIn }),
    ...memberRoutes({ ...common, publicUrl: config.publicUrl, onChanged: onMembersChanged }),
    ...auditRoutes({ read }),
    ...systemRoutes({ readSystem, organisationsSeenBy: deps.organisationsSeenBy, now }),
    ...erasureRoutes({
      ...common,
      onErasurePending,
      emptyLog: deps.emptyLog,
      findSnapshots: deps.findSnapshots,
      maskedForms: async (application, id) =>
        maskedFormsOf(id, { rules: await read(getMasking, { application }), key: maskingKey(application) }),
    }),
    ...retentionRoutes({ ...common, onRetentionChanged }),
    ...maskingRoutes({ ...common, maskingKey, suspendedPatterns, onMaskingChanged }),
    ...viewRoutes(common),
  ];
}

/** Traces and sessions that were received, and the ledger of what was. */
function traceGroupRoutes(deps: RouteDeps): Route[] {
  const common = callsOf(deps);
  const { read } = common;
  return [
    ...ingestRoutes({ read }),
    ...traceRoutes({ ...common, openStream: deps.openStream, feed: deps.traceFeed }),
    ...sessionRoutes({ read }),
    evaluateSessionRoute({ ...common, onPlanned: deps.onTriggered }),
    ...inferenceStepRoutes(common),
  ];
}

/** Tasks with their examples and documents, tests, runs and experiments. */
function testingRoutes(deps: RouteDeps): Route[] {
  const common = callsOf(deps);
  const { read, write } = common;
  const { checkInputs, guard, hasPromptModel, lastUnauthorized, onTriggered, onCancelled, openStream } = deps;
  return [
    ...topicRoutes(common),
    ...taskRoutes({ ...common, checkInputs }),
    ...exampleRoutes({ ...common, checkInputs }),
    importRoute({ ...common, checkInputs }),
    traceExampleRoute({ ...common, checkInputs }),
    exportExamplesRoute({ read, openStream }),
    ...scheduleRoutes(common),
    ...tagRoutes(common),
    ...taskTagRoutes({ read, write }),
    ...documentRoutes(common),
    ...documentTagRoutes({ read, write }),
    ...scrapeJobRoutes({ ...common, guard, onEnqueued: onTriggered }),
    ...quickstartRoutes({ ...common, onEnqueued: onTriggered }),
    ...testRoutes({
      ...common,
      openStream,
      hasPromptModel,
      lastUnauthorized,
      onTriggered,
      onCancelled,
    }),
    exportTestsRoute({ read, openStream }),
    ...runRoutes({ read }),
    promptCallsRoute({ read }),
    ...compareRoutes({ read }),
    ...experimentRoutes(common),
    ...variantRoutes({ ...common, hasPromptModel, onTriggered }),
    ...reportingRoutes({ read }),
  ];
}

/** The webhook of the app that is tested, and its deliveries. */
function appRoutes(deps: RouteDeps): Route[] {
  const common = callsOf(deps);
  const { read, now } = common;
  const { config: settings, secretBox, guard, relay, sender } = deps;
  return [
    ...webhookRoutes({ ...common, secretBox, guard, settings }),
    ...validateWebhookRoutes({ read, now, secretBox, settings }),
    ...deliveryRoutes({ read, sender }),
    ...webhookListenRoutes({
      relay,
      hasWebhook: async (application) => (await read(deliverableWebhook, { application })) !== null,
    }),
  ];
}

/** Definitions of evaluations, and the verdicts of judges and people. */
function judgingRoutes(deps: RouteDeps): Route[] {
  const common = callsOf(deps);
  const { read, write, now } = common;
  return [
    ...definitionRoutes({ ...common, judges: deps.judges, guard: deps.guard }),
    ...definitionLinkRoutes({ write, now }),
    ...styleGuideRoutes(common),
    ...evalRoutes({ read }),
    ...evaluateRoutes({ ...common, onPlanned: deps.onTriggered }),
    ...annotationQueueRoutes(common),
    ...annotationQueueItemRoutes(common),
    ...humanAnnotationRoutes(common),
  ];
}
