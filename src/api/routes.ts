import type { Config } from '../config.ts';
import type { Route } from '../contract/route.ts';
import type { AddressGuard } from '../deliver/address-guard.ts';
import type { Relay } from '../deliver/relay.ts';
import type { commands, queries } from '../operations.ts';
import { auditRoutes } from '../people/audit-routes.ts';
import { type LoginDeps, loginRoutes } from '../people/login-routes.ts';
import { memberRoutes } from '../people/member-routes.ts';
import { generateKey } from '../resources/api-keys/key-text.ts';
import { apiKeyRoutes } from '../resources/api-keys/routes.ts';
import { applicationRoutes } from '../resources/applications/routes.ts';
import { definitionLinkRoutes } from '../resources/definitions/link-routes.ts';
import { definitionRoutes } from '../resources/definitions/routes.ts';
import { documentRoutes } from '../resources/documents/routes.ts';
import { exportExamplesRoute } from '../resources/examples/export-route.ts';
import { importRoute } from '../resources/examples/import-route.ts';
import { exampleRoutes } from '../resources/examples/routes.ts';
import { traceExampleRoute } from '../resources/examples/trace-example-route.ts';
import { evaluateRoutes } from '../resources/evals/evaluate-routes.ts';
import { evalRoutes } from '../resources/evals/routes.ts';
import { experimentRoutes } from '../resources/experiments/routes.ts';
import { variantRoutes } from '../resources/experiments/variant-routes.ts';
import { annotationQueueItemRoutes } from '../resources/human-annotation-queue-items/routes.ts';
import { annotationQueueRoutes } from '../resources/human-annotation-queues/routes.ts';
import { humanAnnotationRoutes } from '../resources/human-annotations/routes.ts';
import { inferenceStepRoutes } from '../resources/inference-steps/routes.ts';
import { ingestRoutes } from '../resources/ingest/routes.ts';
import { quickstartRoutes } from '../resources/quickstarts/routes.ts';
import { reportingRoutes } from '../resources/reporting/routes.ts';
import { compareRoutes, runRoutes } from '../resources/runs/routes.ts';
import { scrapeJobRoutes } from '../resources/scrape-jobs/routes.ts';
import { sessionRoutes } from '../resources/sessions/routes.ts';
import { styleGuideRoutes } from '../resources/style-guides/routes.ts';
import { type SystemDeps, systemRoutes } from '../resources/system/routes.ts';
import { tagRoutes, taskTagRoutes } from '../resources/tags/routes.ts';
import { taskRoutes } from '../resources/tasks/routes.ts';
import { scheduleRoutes } from '../resources/tasks/schedule-routes.ts';
import { type TestRouteDeps, testRoutes } from '../resources/tests/routes.ts';
import { topicRoutes } from '../resources/topics/routes.ts';
import { traceRoutes } from '../resources/traces/routes.ts';
import { validateWebhookRoutes } from '../resources/validate-webhook/routes.ts';
import { type WebhookListenDeps, webhookListenRoutes } from '../resources/webhook-listen/routes.ts';
import { viewRoutes } from '../resources/views/routes.ts';
import { deliveryRoutes } from '../resources/webhook/delivery-routes.ts';
import { webhookRoutes } from '../resources/webhook/routes.ts';
import type { Sender } from '../resources/webhook/sender.ts';
import type { OpenStream } from '../runtime/event-streams.ts';
import type { SecretBox } from '../runtime/secrets.ts';
import type { Storage } from '../storage/storage.ts';
import type { TraceFeed } from '../traces/trace-feed.ts';

export interface RouteDeps {
  config: Pick<Config, 'webhookTimeoutMs' | 'webhookToleranceMs' | 'publicUrl'>;
  storage: Pick<Storage<typeof commands, typeof queries>, 'read' | 'write'>;
  now: () => number;
  openStream: OpenStream;
  traceFeed: TraceFeed;
  readSystem: SystemDeps['readSystem'];
  secretBox: SecretBox;
  guard: AddressGuard;
  relay: Relay;
  sender: Sender;
  /** Finds out whether the caller of a stream may still read it. */
  authenticate: WebhookListenDeps['authenticate'];
  /** Names of the judges in the settings. */
  judges: ReadonlySet<string>;
  signIn: Omit<LoginDeps, 'read' | 'write' | 'now'>;
  /** Called after a key was revoked. */
  onRevoked: (keyId: string) => void;
  /** Called after the permissions of a person have changed. */
  onMembersChanged: () => void;
  onTriggered: TestRouteDeps['onTriggered'];
  onCancelled: TestRouteDeps['onCancelled'];
}

/** Lists every route of the REST API, for the server and for the API document. */
export function apiRoutes(deps: RouteDeps): Route[] {
  const { config, now, openStream, secretBox, guard, relay, sender } = deps;
  const { read, write } = deps.storage;
  return [
    ...apiKeyRoutes({ read, write, now, onRevoked: deps.onRevoked }),
    ...applicationRoutes({ read, write, now, generateKey, onCreated: deps.onMembersChanged }),
    ...loginRoutes({ read, write, now, ...deps.signIn }),
    ...memberRoutes({
      read,
      write,
      now,
      publicUrl: config.publicUrl,
      onChanged: deps.onMembersChanged,
    }),
    ...auditRoutes({ read }),
    ...systemRoutes({ readSystem: deps.readSystem }),
    ...ingestRoutes({ read }),
    ...runRoutes({ read }),
    ...compareRoutes({ read }),
    ...sessionRoutes({ read }),
    ...scheduleRoutes({ read, write, now }),
    ...tagRoutes({ read, write, now }),
    ...taskTagRoutes({ read, write }),
    ...viewRoutes({ read, write, now }),
    ...taskRoutes({ read, write, now }),
    ...exampleRoutes({ read, write, now }),
    importRoute({ read, write, now }),
    traceExampleRoute({ read, write, now }),
    exportExamplesRoute({ read, openStream, authenticate: deps.authenticate }),
    ...testRoutes({
      read,
      write,
      now,
      openStream,
      onTriggered: deps.onTriggered,
      onCancelled: deps.onCancelled,
      authenticate: deps.authenticate,
    }),
    ...topicRoutes({ read, write, now }),
    ...traceRoutes({
      read,
      write,
      now,
      openStream,
      feed: deps.traceFeed,
      authenticate: deps.authenticate,
    }),
    ...validateWebhookRoutes({ read, now, secretBox, settings: config }),
    ...webhookRoutes({ read, write, now, secretBox, guard, settings: config }),
    ...deliveryRoutes({ read, sender }),
    ...webhookListenRoutes({
      relay,
      hasWebhook: async (application) => (await read('deliverableWebhook', { application })) !== null,
      authenticate: deps.authenticate,
    }),
    ...definitionRoutes({ read, write, now, judges: deps.judges }),
    ...definitionLinkRoutes({ write, now }),
    ...styleGuideRoutes({ read, write, now }),
    ...evalRoutes({ read }),
    ...evaluateRoutes({ read, write, now, onPlanned: deps.onTriggered }),
    ...documentRoutes({ read, write, now }),
    ...scrapeJobRoutes({ read, write, now, guard, onEnqueued: deps.onTriggered }),
    ...experimentRoutes({ read, write, now }),
    ...variantRoutes({ read, write, now, onTriggered: deps.onTriggered }),
    ...inferenceStepRoutes({ read, write, now }),
    ...annotationQueueRoutes({ read, write, now }),
    ...annotationQueueItemRoutes({ read, write, now }),
    ...humanAnnotationRoutes({ read, write, now }),
    ...quickstartRoutes({ read, write, now, onEnqueued: deps.onTriggered }),
    ...reportingRoutes({ read }),
  ];
}
