import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '../errors.ts';
import { FairQueue } from '../runtime/fair-queue.ts';
import { alone, type GroupOf } from '../runtime/party.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { NO_TRACES, type OwnTraces } from '../runtime/own-traces/traces.ts';
import { EvaluateThread, type TurnEnd } from './evaluate-thread.ts';
import type { AppliedDefinition, Verdict } from './evaluator.ts';
import { DefinitionConduct, suspendedReason } from './definition-conduct.ts';
import type { Subject } from './subject.ts';

/**
 * Limits of calls in progress or waiting: in total, and of one organisation. Further calls are rejected, because each
 * occupies memory for its subject.
 */
const MAX_CALLS = 256;
const MAX_PER_ORGANISATION = 128;
/** Milliseconds for which a call keeps its thread while others wait. A definition in progress always finishes. */
const SLICE_MS = 20;
/** Milliseconds above which a definition counts as slow and runs in the thread for slow ones. */
const SLOW_MS = 100;
/** Time limits of a definition in milliseconds. */
export interface EvaluationLimits {
  /** Limit in the thread for quick definitions; beyond it, the definition runs again in the other one. */
  quickMs: number;
  slowMs: number;
}

const LIMITS: EvaluationLimits = { quickMs: 300, slowMs: 2_000 };

type EvaluationMetrics = Pick<
  Metrics,
  | 'evaluations'
  | 'evaluationSeconds'
  | 'evaluationWaitSeconds'
  | 'evaluationCalls'
  | 'suspendedDefinitions'
  | 'beforeScrape'
>;

/** Definitions to apply to one subject. */
export interface EvaluationCall {
  application: number;
  subject: Subject;
  definitions: readonly AppliedDefinition[];
  /** Called before the first definition runs, which waits for it. */
  onBegin?: () => Promise<void>;
}

interface WaitingCall extends EvaluationCall {
  /** Verdicts of the definitions that have run, in their order. */
  verdicts: Verdict[];
  hasBegun: boolean;
  /** Time when it was last enqueued, in the milliseconds of `performance.now()`. */
  waitsSince: number;
  resolve: (verdicts: Verdict[]) => void;
  reject: (error: Error) => void;
}

interface EvaluationWorker {
  name: 'quick' | 'slow';
  thread: EvaluateThread;
  queue: FairQueue<WaitingCall>;
  isBusy: boolean;
}

export interface EvaluationOptions {
  metrics: EvaluationMetrics;
  /** Default: none. */
  traces?: OwnTraces;
  /** Returns the wall-clock time in Unix milliseconds, which sets the end of a suspension. */
  now: () => number;
  /** Returns the milliseconds of a monotonic clock. */
  elapsed?: () => number;
  limits?: EvaluationLimits;
  /** Returns the organisation of an application. Default: each application is alone. */
  groupOf?: GroupOf;
}

/**
 * Runs deterministic evaluators in two threads, one for quick definitions and one for slow ones, so that slow
 * definitions never delay quick ones. In each thread, organisations take turns by the time they use, as do
 * the applications of each. A definition that
 * times out or ends the thread fails alone; after a few such faults it is suspended.
 */
export class EvaluatePool {
  private readonly metrics: EvaluationMetrics;
  private readonly traces: OwnTraces;
  private readonly now: () => number;
  private readonly elapsed: () => number;
  private readonly conduct: DefinitionConduct;
  private readonly calls = new Set<WaitingCall>();
  private readonly quick: EvaluationWorker;
  private readonly slow: EvaluationWorker;
  private readonly limits: EvaluationLimits;
  private readonly groupOf: GroupOf;
  private isClosed = false;

  constructor({
    metrics,
    traces = NO_TRACES,
    now,
    elapsed = () => performance.now(),
    limits = LIMITS,
    groupOf = alone,
  }: EvaluationOptions) {
    this.metrics = metrics;
    this.traces = traces;
    this.now = now;
    this.elapsed = elapsed;
    this.conduct = new DefinitionConduct(elapsed);
    this.limits = limits;
    this.groupOf = groupOf;
    this.quick = worker('quick', limits.quickMs, groupOf);
    this.slow = worker('slow', limits.slowMs, groupOf);
    metrics.beforeScrape(() => {
      metrics.suspendedDefinitions.set(this.conduct.suspended());
      for (const { name, queue } of [this.quick, this.slow])
        metrics.evaluationCalls.set({ queue: name }, queue.size);
    });
  }

  /**
   * Returns a verdict for each definition, in their order. Rejects with `unavailable` when too many calls wait or the
   * evaluation is closed.
   */
  evaluateAll(given: EvaluationCall): Promise<Verdict[]> {
    if (this.isClosed) return Promise.reject(stopping());
    if (given.definitions.length === 0) return Promise.resolve([]);
    const group = this.groupOf(given.application);
    const ofGroup = [...this.calls].filter(({ application }) => this.groupOf(application) === group);
    if (this.calls.size >= MAX_CALLS || ofGroup.length >= MAX_PER_ORGANISATION)
      return Promise.reject(new AppError('unavailable', 'too many evaluations wait; retry later'));
    const { promise, resolve, reject } = Promise.withResolvers<Verdict[]>();
    const { onBegin } = given;
    const call = {
      ...given,
      // Another call may give the thread to this one, and its span is not the parent of what happens then.
      ...(onBegin && this.traces.isOn && { onBegin: AsyncLocalStorage.bind(onBegin) }),
      verdicts: [],
      hasBegun: false,
      waitsSince: 0,
      resolve,
      reject,
    };
    const attributes = { 'touchstone.evaluation.definitions': given.definitions.length };
    return this.traces.child({ name: 'evaluate', attributes }, () => {
      this.calls.add(call);
      this.place(call, null);
      return promise;
    });
  }

  /** Ends the threads at once and rejects waiting calls with `unavailable`. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const { reject } of this.calls) reject(stopping());
    this.calls.clear();
    for (const { queue } of [this.quick, this.slow]) queue.clear();
    await Promise.all([this.quick.thread.close(), this.slow.thread.close()]);
  }

  /** Enqueues the call for its next definition, or ends a call that has none left. */
  private place(call: WaitingCall, from: EvaluationWorker | null): void {
    const definition = this.nextDefinition(call);
    if (!definition) {
      this.calls.delete(call);
      call.resolve(call.verdicts);
      return;
    }
    const to = this.workerFor(call, definition);
    call.waitsSince = performance.now();
    // A call whose turn has ended continues before later calls of its application.
    if (to === from) to.queue.unshift(call.application, call);
    else to.queue.push(call.application, call);
    void this.serve(to);
  }

  /** Records suspended definitions as failed, without a thread, and returns the next one that may run. */
  private nextDefinition(call: WaitingCall): AppliedDefinition | undefined {
    for (;;) {
      const definition = call.definitions[call.verdicts.length];
      const until = definition && this.conduct.suspendedUntil(call.application, definition);
      if (!definition || until === null || until === undefined) return definition;
      const isOfExample = this.conduct.suspendedUntil(call.application, withoutChecks(definition)) === null;
      const endsAt = this.now() + until - this.elapsed();
      this.fail(call, suspendedReason(definition, endsAt, isOfExample), 'suspended');
    }
  }

  private workerFor({ application }: WaitingCall, definition: AppliedDefinition): EvaluationWorker {
    return this.conduct.isSlow(application, definition) ? this.slow : this.quick;
  }

  /** Serves calls until none waits. */
  private async serve(worker: EvaluationWorker): Promise<void> {
    if (worker.isBusy) return;
    worker.isBusy = true;
    for (let call = worker.queue.take(); call; call = worker.queue.take()) await this.giveTurn(worker, call);
    worker.isBusy = false;
  }

  private async giveTurn(worker: EvaluationWorker, call: WaitingCall): Promise<void> {
    this.metrics.evaluationWaitSeconds.observe(
      { queue: worker.name },
      (performance.now() - call.waitsSince) / 1000,
    );
    const definitions = this.definitionsOfTurn(worker, call);
    if (definitions.length === 0) {
      // Since it was enqueued, its next definition has become slow or was suspended.
      this.place(call, null);
      return;
    }
    try {
      if (!call.hasBegun) await call.onBegin?.();
      call.hasBegun = true;
      if (this.isClosed) return;
      const turn = { subject: call.subject, definitions, sliceMs: SLICE_MS };
      const end = await worker.thread.judge(turn, (verdict, seconds) => this.keep(call, verdict, seconds));
      worker.queue.charge(call.application, end.tookMs);
      if (end.outcome === 'not-begun') throw new Error(end.reason);
      if (end.outcome !== 'done') this.noteFault(worker, call, end);
      this.place(call, worker);
    } catch (error) {
      this.calls.delete(call);
      call.reject(error as Error);
    }
  }

  /** Returns the next definitions of the call that belong into this thread. */
  private definitionsOfTurn(worker: EvaluationWorker, call: WaitingCall): AppliedDefinition[] {
    const definitions: AppliedDefinition[] = [];
    for (const definition of call.definitions.slice(call.verdicts.length)) {
      const isSuspended = this.conduct.suspendedUntil(call.application, definition) !== null;
      if (isSuspended || this.workerFor(call, definition) !== worker) break;
      definitions.push(definition);
    }
    return definitions;
  }

  /** Stores the verdict of the next definition. */
  private keep(call: WaitingCall, verdict: Verdict, seconds: number): void {
    const definition = call.definitions[call.verdicts.length];
    if (!definition) return;
    this.metrics.evaluations.inc({ type: definition.type, outcome: verdict.status.toLowerCase() });
    this.metrics.evaluationSeconds.observe({ type: definition.type }, seconds);
    call.verdicts.push(verdict);
    if (seconds * 1000 > SLOW_MS) this.conduct.noteSlow(call.application, definition);
  }

  /** Records that the definition after the last verdict timed out or ended the thread. */
  private noteFault(
    worker: EvaluationWorker,
    call: WaitingCall,
    { outcome, reason, isOfExample }: TurnEnd,
  ): void {
    const definition = call.definitions[call.verdicts.length];
    if (!definition) return;
    if (worker === this.quick && outcome === 'timeout') {
      this.conduct.noteHeldUp(call.application, definition, isOfExample);
      return;
    }
    this.conduct.noteFault(call.application, definition, isOfExample);
    this.metrics.evaluationSeconds.observe({ type: definition.type }, this.limits.slowMs / 1000);
    this.fail(call, reason, outcome);
  }

  private fail(call: WaitingCall, reason: string, outcome: string): void {
    const type = call.definitions[call.verdicts.length]?.type ?? '';
    this.metrics.evaluations.inc({ type, outcome });
    call.verdicts.push({ status: 'FAILED', reason });
  }
}

const worker = (name: EvaluationWorker['name'], limitMs: number, groupOf: GroupOf): EvaluationWorker => {
  return { name, thread: new EvaluateThread(limitMs), queue: new FairQueue(groupOf), isBusy: false };
};

const withoutChecks = (definition: AppliedDefinition): AppliedDefinition => ({
  ...definition,
  checks: undefined,
});

const stopping = (): AppError => new AppError('unavailable', 'the server is stopping');
