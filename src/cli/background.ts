import { openDelivery, startDeliveryRecovery, startSchedules } from '../deliver/service.ts';
import { type CheckInputs, inputCheck } from '../evaluate/check-inputs.ts';
import { evaluateKinds } from '../evaluate/engine/engine.ts';
import { startMonitoring } from '../evaluate/engine/monitoring.ts';
import { startSessionMonitoring } from '../evaluate/engine/session-monitoring.ts';
import { EvaluatePool } from '../evaluate/evaluate-pool.ts';
import { startMetricMaintenance } from '../evaluate/quality-metric-maintenance.ts';
import { startJobs } from '../jobs/runner.ts';
import { startPeopleMaintenance } from '../people/maintenance.ts';
import { canaryKind } from '../resources/definitions/canary-kind.ts';
import { startVerifiedJudges } from '../resources/definitions/verified-judges.ts';
import { type ErasureService, startErasures } from '../resources/erasures/service.ts';
import { promptWritingKinds } from '../resources/examples/writing/job.ts';
import { startVariantsKind } from '../resources/experiments/start-variants.ts';
import { issueMessageKinds } from '../resources/issue-webhook/message-kind.ts';
import { startIssueRelapses } from '../resources/issues/relapse-service.ts';
import { openQuickstarts } from '../resources/quickstarts/jobs.ts';
import { type RetentionService, startRetention } from '../resources/retention/service.ts';
import { startRunSetKind } from '../resources/run-sets/start-kind.ts';
import { scrapeKinds } from '../resources/scrape-jobs/run.ts';
import type { Organisations } from '../runtime/organisations.ts';
import type { OwnTraces } from '../runtime/own-traces/traces.ts';
import type { Replicas } from '../storage/replicas.ts';
import { startCompletion } from '../tests/completion.ts';
import { startOutcomeFill } from '../tests/outcome/fill-outcomes.ts';

/** Features that close what an earlier process has left open, before jobs run. */
const OPENED = [openDelivery, openQuickstarts] as const;
/** Kinds of jobs of the other features. */
const KINDS = [
  scrapeKinds,
  startVariantsKind,
  startRunSetKind,
  canaryKind,
  promptWritingKinds,
  evaluateKinds,
  issueMessageKinds,
] as const;
/** Services that enqueue jobs. They end before the jobs do. */
const PLANNERS = [
  startSchedules,
  startDeliveryRecovery,
  startCompletion,
  startMonitoring,
  startSessionMonitoring,
] as const;
/** Services that only compute and delete. */
const MAINTENANCE = [
  startMetricMaintenance,
  startPeopleMaintenance,
  startVerifiedJudges,
  startOutcomeFill,
  startIssueRelapses,
] as const;

type Features =
  | (typeof OPENED | typeof KINDS | typeof PLANNERS | typeof MAINTENANCE)[number]
  | typeof startJobs
  | typeof startErasures
  | typeof startRetention;
/** Everything that the features need together: the intersection of their parameters. */
type Needs = Features extends (options: infer All) => unknown ? All : never;

export interface BackgroundOptions extends Omit<Needs, 'wake' | 'kinds' | 'evaluatePool' | 'checkInputs'> {
  traces: OwnTraces;
  organisations: Organisations;
  replicas: Replicas;
}

/** Work that no request waits for, and the calls by which routes report what it must do. */
export interface Background {
  /** Wakes the job runner after jobs were enqueued. */
  onEnqueued: () => void;
  /** Aborts the request of a test if one is in progress. */
  onCancelled: (testId: string) => void;
  onErasurePending: ErasureService['wake'];
  onRetentionChanged: RetentionService['wake'];
  growth: RetentionService['growth'];
  checkInputs: CheckInputs;
  /** Judges by rules, in the threads of evaluators. */
  judgeByRules: EvaluatePool['evaluateAll'];
  /** Starts no further jobs, and gives those in progress some time to finish. */
  stop: () => Promise<void>;
}

/** Services that run while this process leads; those of its last term otherwise. */
interface Leading {
  erasures: ErasureService | null;
  retention: RetentionService | null;
}

/** Starts background work, including work that an earlier process left unfinished. */
export async function startBackground(options: BackgroundOptions): Promise<Background> {
  const delivery = await openDelivery(options);
  const quickstarts = await openQuickstarts(options);
  const { metrics, traces, now } = options;
  const evaluatePool = new EvaluatePool({ metrics, traces, now, groupOf: options.organisations.groupOf });
  const checkInputs = inputCheck(evaluatePool);
  const others = KINDS.flatMap((kindsOf) =>
    Object.entries(kindsOf({ ...options, evaluatePool, checkInputs })),
  );
  const kinds = { ...delivery.kinds, ...quickstarts, ...Object.fromEntries(others) };
  const jobs = startJobs({ ...options, kinds });
  const wake = (): void => jobs.wake();
  const { whileLeading, publish, subscribe } = options.replicas;
  const planners = PLANNERS.map((start) => whileLeading((given) => start({ ...options, ...given, wake })));
  const maintenance = MAINTENANCE.map((start) => whileLeading((given) => start({ ...options, ...given })));
  const leading: Leading = { erasures: null, retention: null };
  const erasures = whileLeading((given) => (leading.erasures = startErasures({ ...options, ...given })));
  const retention = whileLeading((given) => (leading.retention = startRetention({ ...options, ...given })));
  subscribe('erasure', () => leading.erasures?.wake());
  subscribe('retention', () => leading.retention?.wake());
  subscribe('cancelled', (testId) => delivery.cancel(testId));
  const stopAll = async (): Promise<void> => {
    for (const service of [retention, erasures, ...planners, jobs]) await service.stop();
    await evaluatePool.close();
    for (const service of maintenance) await service.stop();
  };
  let stopping: Promise<void> | undefined;
  return {
    onEnqueued: wake,
    onCancelled: (testId) => {
      delivery.cancel(testId);
      publish('cancelled', testId);
    },
    onErasurePending: () => {
      leading.erasures?.wake();
      publish('erasure', '');
    },
    onRetentionChanged: () => {
      leading.retention?.wake();
      publish('retention', '');
    },
    growth: () => leading.retention?.growth() ?? null,
    checkInputs,
    judgeByRules: (call) => evaluatePool.evaluateAll(call),
    stop: () => (stopping ??= stopAll()),
  };
}
