import type { Config } from '../config.ts';
import { memoryDefaults, memoryLimitBytes } from '../config/machine.ts';
import type { GuardedClient } from '../deliver/guarded-client.ts';
import { ParallelLimits } from '../deliver/parallel-limits.ts';
import { createProbe } from '../deliver/probe-endpoint.ts';
import { Relay } from '../deliver/relay.ts';
import { PER_APPLICATION } from '../deliver/service.ts';
import { signedPost } from '../deliver/signed-post.ts';
import { traceClient } from '../deliver/trace-client.ts';
import type { SealedWebhook } from '../deliver/delivery-store.ts';
import { unsealSecrets, unsealWebhook } from '../deliver/webhook-seal.ts';
import { Judge } from '../evaluate/judge/judge.ts';
import { createJudgeEstimates } from '../evaluate/judge/estimates.ts';
import { createJudges } from '../evaluate/judge/judges.ts';
import type { JudgesSettings } from '../evaluate/judge/settings.ts';
import { scorerSlots } from '../evaluate/scorer/scorer-slots.ts';
import { createScore } from '../evaluate/scorer/scorers.ts';
import { createOwnRulesCache, type OwnRulesCache } from '../ingest/own-rules-cache.ts';
import { openIngest } from '../ingest/receiver.ts';
import { jobNumbers } from '../jobs/calls.ts';
import { MaskingService } from '../resources/masking/service.ts';
import { webhookSecrets } from '../resources/validate-webhook/calls.ts';
import { createClockGuard } from '../runtime/clock-guard.ts';
import type { Log } from '../runtime/log.ts';
import { MemoryBudget } from '../runtime/memory-budget.ts';
import { createMetrics } from '../runtime/metrics.ts';
import type { Organisations } from '../runtime/organisations.ts';
import { watchIngestLimits } from '../server/ingest-limits.ts';
import { OrganisationUsage } from '../server/organisation-usage.ts';
import { createPools } from '../server/pools.ts';
import { openPostgresStorage } from '../storage/postgres/client.ts';
import { openSqliteStorage } from '../storage/sqlite/client.ts';
import type { Replicas } from '../storage/replicas.ts';
import { traceStorage } from '../storage/trace-storage.ts';
import type { PriceTable } from '../traces/prices/model-price.ts';
import { followOthers } from '../traces/follow-others.ts';
import { TraceFeed } from '../traces/trace-feed.ts';
import { storeFile } from './data-folder.ts';
import { databaseOf } from './database.ts';
import { findSnapshots } from './find-snapshots.ts';
import { openOutbound } from './outbound.ts';
import type { OpenedTraces } from './own-traces.ts';

/** Settings and parts that a start has before it opens the store. */
export interface Started {
  config: Config;
  log: Log;
  /** Called when a thread died, after which the server cannot continue. */
  onDeath: (error: Error) => void;
  prices: PriceTable;
  judgesSettings: JudgesSettings;
  /** Time when the store last changed, in Unix milliseconds; null for a new store. */
  lastChangeAt: number | null;
  ownTraces: OpenedTraces;
  organisations: Organisations;
}

export type Parts = ReturnType<typeof openParts>;

/**
 * Opens the parts that requests and background work need, each by the name under which features declare it. Their closing
 * is deferred to `running`.
 */
export function openParts(running: AsyncDisposableStack, started: Started) {
  const { config, log, judgesSettings, lastChangeAt, organisations, onDeath, prices } = started;
  const { traces, numbers } = started.ownTraces;
  const now = Date.now;
  const outbound = openOutbound(config, log);
  const { secretBox } = outbound;
  const traced = (client: GuardedClient): GuardedClient =>
    traces.isOn ? traceClient(client, traces) : client;
  const client = traced(outbound.client);
  const database = databaseOf(config);
  const untraced =
    database === null
      ? openSqliteStorage(storeFile(config.dataDir), onDeath, organisations, prices)
      : openPostgresStorage(database, onDeath, organisations, prices);
  const system = database === null ? 'sqlite' : 'postgresql';
  const storage = traces.isOn ? traceStorage(untraced, traces, system) : untraced;
  running.defer(() => storage.close());
  const { read, write } = storage;
  const budget = new MemoryBudget(config.memoryBudgetBytes);
  const pools = createPools(budget, memoryDefaults(memoryLimitBytes()).responseBytes, {
    groupOf: organisations.groupOf,
    ...(config.organisationUploads !== null && { uploads: config.organisationUploads }),
  });
  const usage = new OrganisationUsage({ config, organisations, pools, read, now });
  const metrics = createMetrics({
    storeNumbers: () => storage.stats(),
    jobNumbers: () => read(jobNumbers, undefined),
    ownSpans: numbers,
    memory: budget,
    responseMemory: pools.responseMemory,
    uploads: pools.uploads,
    organisations: usage,
  });
  const { version, isShared, replicas, connectWriter, clearRemains } = storage;
  const store = { read, write, version, isShared, replicas, connectWriter, clearRemains };
  const shared = { ...started, ...store, secretBox, metrics, traces, now };
  const masking = new MaskingService(shared);
  const limits = watchIngestLimits({ ...shared, decoding: usage.decoding });
  running.defer(() => limits.stop());
  const traceFeed = openFeed(running, shared);
  const { maxBodyBytes, prepareThreads } = config;
  const ownRules = createOwnRulesCache(read);
  const onOwnRulesChanged = shareRules(replicas, masking, ownRules);
  const receiving = {
    ownRules: ownRules.of,
    budget,
    bodies: pools.bodies,
    feed: traceFeed,
    admit: limits.admit,
    masking,
  };
  const ingest = openIngest({ ...shared, ...receiving, maxBodyBytes, prepareThreads });
  running.defer(async () => {
    await ingest.close();
    await masking.close();
  });
  const relay = new Relay();
  const secretsOf = async (application: number) => {
    const sealed = await read(webhookSecrets, { application });
    return sealed && unsealSecrets(secretBox, sealed, now());
  };
  const judging = { ...shared, ...usage.ofJudges };
  const scorers = scorerSlots(metrics);
  return {
    ...shared,
    storage,
    budget,
    pools,
    usage,
    masking,
    traceFeed,
    ingest,
    relay,
    client,
    guard: outbound.guard,
    clientFor: (application: number): GuardedClient =>
      traced(relay.clientFor(application) ?? outbound.client),
    storeSpan: ingest.storeOwn,
    probeEndpoint: createProbe(client, (application) => relay.clientFor(application) !== null),
    unseal: (webhook: SealedWebhook) => unsealWebhook(secretBox, webhook, now()),
    onOwnRulesChanged,
    findSnapshots: () => findSnapshots(config),
    ...openModels(judgesSettings, judging),
    judgeEstimates: createJudgeEstimates(judgesSettings, judging),
    score: createScore(signedPost({ secretsOf, client, now }), scorers),
    scorers,
    webhookLimits: new ParallelLimits(PER_APPLICATION),
    isClockBelieved: createClockGuard({
      now,
      elapsed: () => performance.now(),
      lastKnownAt: lastChangeAt,
      onJump: (jumpMs) =>
        log.warn('the clock jumped; nothing is deleted by age until it was stable for a day', {
          jumpDays: Math.round(jumpMs / 86_400_000),
        }),
    }),
  };
}

/** Opens the judges, the model that writes prompts, and the one that drafts issues and evaluators. */
function openModels(settings: JudgesSettings, judging: ConstructorParameters<typeof Judge>[2]) {
  const judges = createJudges(settings, judging);
  const promptModel = settings.promptModel && new Judge(settings.promptModel, settings, judging);
  return { judges, promptModel, draftModel: judges.first ?? promptModel };
}

/** Forgets rules that other processes change. Returns what forgets own rules here and reports it to the others. */
function shareRules(
  { publish, subscribe }: Replicas,
  masking: MaskingService,
  ownRules: OwnRulesCache,
): (application: number) => void {
  subscribe('masking', (application) => masking.forRoutes.onMaskingChanged(Number(application)));
  subscribe('own rules', (application) => ownRules.forget(Number(application)));
  return (application) => {
    ownRules.forget(application);
    publish('own rules', String(application));
  };
}

function openFeed(
  running: AsyncDisposableStack,
  options: Omit<Parameters<typeof followOthers>[0], 'feed'>,
): TraceFeed {
  const feed = new TraceFeed();
  const others = followOthers({ ...options, feed });
  running.defer(() => others.stop());
  return feed;
}
