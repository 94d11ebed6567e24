import type { GuardedClient } from '../deliver/guarded-client.ts';
import { DELIVER } from '../deliver/delivery-store.ts';
import { WRITE_PROMPTS } from '../deliver/trigger.ts';
import { type DeliveryServiceOptions, openDelivery } from '../deliver/service.ts';
import { type CheckInputs, inputCheck } from '../evaluate/check-inputs.ts';
import { evaluateKinds } from '../evaluate/engine/engine.ts';
import { startMonitoring } from '../evaluate/engine/monitoring.ts';
import { startSessionMonitoring } from '../evaluate/engine/session-monitoring.ts';
import { Evaluation } from '../evaluate/evaluation.ts';
import { startMetricMaintenance } from '../evaluate/quality-metric-maintenance.ts';
import type { Judge } from '../evaluate/judge/judge.ts';
import type { Judges } from '../evaluate/judge/judges.ts';
import type { Score } from '../evaluate/scorer/scorers.ts';
import { startJobs } from '../jobs/runner.ts';
import { startVariantsKind } from '../resources/experiments/start-variants.ts';
import { promptWritingKind } from '../resources/examples/writing/job.ts';
import { openQuickstarts } from '../resources/quickstarts/jobs.ts';
import { scrapeKind } from '../resources/scrape-jobs/run.ts';
import { SCRAPE } from '../resources/scrape-jobs/work.ts';
import type { Organisations } from '../runtime/organisations.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { OwnTraces } from '../runtime/own-traces/traces.ts';
import { startCompletion } from '../tests/completion.ts';
import type { CompletionSettings } from '../tests/next-step.ts';
import type { MadeCopy } from '../resources/erasures/contract.ts';
import { type ErasureService, startErasures } from '../resources/erasures/service.ts';
import { type RetentionService, startRetention } from '../resources/retention/service.ts';
import { startPeopleMaintenance } from '../people/maintenance.ts';
import type { Read, Write } from '../storage/calls.ts';

export interface BackgroundOptions extends DeliveryServiceOptions {
  read: Read;
  write: Write;
  /** Empties the log of the store; see `Storage`. */
  emptyLog: () => Promise<boolean>;
  findSnapshots: () => MadeCopy[];
  settings: CompletionSettings & { auditDays: number };
  metrics: Metrics;
  traces: OwnTraces;
  /** Client for web pages. */
  client: GuardedClient;
  judges: Judges;
  score: Score;
  /** Model that writes prompts; null when none is configured. */
  promptModel: Judge | null;
  /** True if other processes share the store; see `Storage`. */
  isShared: boolean;
  organisations: Organisations;
}

/** Work that no request waits for. */
export interface Background {
  /** Wakes the job runner after jobs were enqueued. */
  wake(): void;
  /** Aborts the request of a test if one is in progress. */
  cancel(testId: string): void;
  checkInputs: CheckInputs;
  erasures: Pick<ErasureService, 'wake'>;
  retention: Pick<RetentionService, 'wake' | 'growth'>;
  /** Starts no further jobs, and gives those in progress some time to finish. */
  stop(): Promise<void>;
}

/** Starts background work, including work that an earlier process left unfinished. */
export async function startBackground(options: BackgroundOptions): Promise<Background> {
  const { read, write, metrics, traces, log, now, settings, version, isShared, isClockBelieved } = options;
  const { groupOf } = options.organisations;
  const delivery = await openDelivery(options);
  const quickstarts = await openQuickstarts(options);
  const evaluation = new Evaluation({ metrics, traces, now, groupOf });
  const kinds = {
    [DELIVER]: delivery.kind,
    [SCRAPE]: scrapeKind(options),
    ...quickstarts,
    ...startVariantsKind(options),
    [WRITE_PROMPTS]: promptWritingKind({ ...options, checkInputs: inputCheck(evaluation) }),
    ...evaluateKinds({ ...options, evaluation }),
  };
  const jobs = startJobs({ write, metrics, traces, log, now, version, isShared, kinds });
  const wake = (): void => jobs.wake();
  const schedules = delivery.startSchedules(wake);
  const completion = startCompletion({ read, write, settings, log, now, version, wake });
  const monitoring = startMonitoring({ read, write, settings, metrics, log, now, version, wake });
  const sessionMonitoring = startSessionMonitoring({ read, write, metrics, log, now, version, wake });
  const metricMaintenance = startMetricMaintenance({ read, write, log, now, version });
  const peopleMaintenance = startPeopleMaintenance({ read, write, log, now, settings, isClockBelieved });
  const erasures = startErasures({
    read,
    write,
    emptyLog: options.emptyLog,
    findSnapshots: options.findSnapshots,
    log,
    now,
  });
  const retention = startRetention({ read, write, log, metrics, now, version, isClockBelieved });
  const stopAll = async (): Promise<void> => {
    await retention.stop();
    await erasures.stop();
    await schedules.stop();
    await completion.stop();
    await monitoring.stop();
    await sessionMonitoring.stop();
    await jobs.stop();
    await evaluation.close();
    await metricMaintenance.stop();
    await peopleMaintenance.stop();
  };
  let stopping: Promise<void> | undefined;
  return {
    wake,
    retention,
    erasures,
    cancel: (testId) => delivery.cancel(testId),
    checkInputs: inputCheck(evaluation),
    stop: () => (stopping ??= stopAll()),
  };
}
