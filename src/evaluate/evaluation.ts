import { AppError } from '../errors.ts';
import { FairQueue } from '../runtime/fair-queue.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { EvaluateThread, type TurnEnd } from './evaluate-thread.ts';
import type { AppliedDefinition, Verdict } from './evaluator.ts';
import { DefinitionConduct, suspendedReason } from './definition-conduct.ts';
import type { Subject } from './subject.ts';

/** Calls under way or waiting, in all and of one application; more are rejected. Each holds its subject. */
const MAX_CALLS = 256;
const MAX_PER_APPLICATION = 128;
/** Milliseconds for which a call keeps its thread while others wait; a definition in progress is always finished. */
const SLICE_MS = 20;
/** A rule that takes longer is run apart from the others from then on. */
const SLOW_MS = 100;
/** Time limit of a definition in the thread of the quick ones, before it is run again apart from them. */
const QUICK_LIMIT_MS = 300;
/** Time limit of a definition. */
const LIMIT_MS = 2_000;

type EvaluationMetrics = Pick<
  Metrics,
  | 'evaluations'
  | 'evaluationSeconds'
  | 'evaluationWaitSeconds'
  | 'evaluationCalls'
  | 'suspendedDefinitions'
  | 'suspendedRules'
  | 'beforeScrape'
>;

/** Rules to be judged of one subject. */
export interface EvaluationCall {
  application: number;
  subject: Subject;
  definitions: readonly AppliedDefinition[];
  /** Called before the first rule runs, which waits for it. */
  onBegin?: () => Promise<void>;
}

interface WaitingCall extends EvaluationCall {
  /** Verdicts of the rules that have been applied, in their order. */
  verdicts: Verdict[];
  hasBegun: boolean;
  /** Time when it was last put into a queue, as `performance.now()` reports it. */
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
  /** The wall clock, for the time until which a rule is suspended. */
  now: () => number;
  /** A clock that only runs forward, in milliseconds. */
  elapsed?: () => number;
}

/**
 * Runs deterministic evaluators in two threads: one for rules that have been quick, one for those that were slow, so that
 * a rule that takes long holds up no quick one. In each thread applications take turns by the time they use. A rule that
 * takes too long, or that the thread dies of, fails alone; after a few such faults it is suspended.
 */
export class Evaluation {
  private readonly metrics: EvaluationMetrics;
  private readonly now: () => number;
  private readonly elapsed: () => number;
  private readonly conduct: DefinitionConduct;
  private readonly calls = new Set<WaitingCall>();
  private readonly quick: EvaluationWorker = worker('quick', QUICK_LIMIT_MS);
  private readonly slow: EvaluationWorker = worker('slow', LIMIT_MS);
  private isClosed = false;

  constructor({ metrics, now, elapsed = () => performance.now() }: EvaluationOptions) {
    this.metrics = metrics;
    this.now = now;
    this.elapsed = elapsed;
    this.conduct = new DefinitionConduct(elapsed);
    metrics.beforeScrape(() => {
      const suspended = this.conduct.suspended();
      metrics.suspendedDefinitions.set(suspended);
      metrics.suspendedRules.set(suspended);
      for (const { name, queue } of [this.quick, this.slow])
        metrics.evaluationCalls.set({ queue: name, lane: name }, queue.size);
    });
  }

  /** A verdict for each of the rules, in their order. Rejects as `unavailable` when too many wait or it is closed. */
  evaluateAll(given: EvaluationCall): Promise<Verdict[]> {
    if (this.isClosed) return Promise.reject(stopping());
    if (given.definitions.length === 0) return Promise.resolve([]);
    const ofApplication = [...this.calls].filter(({ application }) => application === given.application);
    if (this.calls.size >= MAX_CALLS || ofApplication.length >= MAX_PER_APPLICATION)
      return Promise.reject(new AppError('unavailable', 'too many evaluations wait; try again'));
    const { promise, resolve, reject } = Promise.withResolvers<Verdict[]>();
    const call = { ...given, verdicts: [], hasBegun: false, waitsSince: 0, resolve, reject };
    this.calls.add(call);
    this.place(call, null);
    return promise;
  }

  /** Ends the threads at once. What waits is rejected as `unavailable`. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const { reject } of this.calls) reject(stopping());
    this.calls.clear();
    for (const { queue } of [this.quick, this.slow]) queue.clear();
    await Promise.all([this.quick.thread.close(), this.slow.thread.close()]);
  }

  /** Puts the call into the queue for its next definition, or ends a call without one. */
  private place(call: WaitingCall, from: EvaluationWorker | null): void {
    const definition = this.nextDefinition(call);
    if (!definition) {
      this.calls.delete(call);
      call.resolve(call.verdicts);
      return;
    }
    const to = this.workerFor(call, definition);
    call.waitsSince = performance.now();
    // A call whose turn ended goes on before later ones of its application.
    if (to === from) to.queue.unshift(call.application, call);
    else to.queue.push(call.application, call);
    void this.serve(to);
  }

  /** Fails suspended rules, which need no thread; the first one that may run. */
  private nextDefinition(call: WaitingCall): AppliedDefinition | undefined {
    for (;;) {
      const definition = call.definitions[call.verdicts.length];
      const until = definition && this.conduct.suspendedUntil(call.application, definition);
      if (!definition || until === null || until === undefined) return definition;
      this.fail(call, suspendedReason(definition, this.now() + until - this.elapsed()), 'suspended');
    }
  }

  private workerFor({ application }: WaitingCall, definition: AppliedDefinition): EvaluationWorker {
    return this.conduct.isSlow(application, definition) ? this.slow : this.quick;
  }

  /** Gives turns until nothing waits. */
  private async serve(worker: EvaluationWorker): Promise<void> {
    if (worker.isBusy) return;
    worker.isBusy = true;
    for (let call = worker.queue.take(); call; call = worker.queue.take()) await this.giveTurn(worker, call);
    worker.isBusy = false;
  }

  private async giveTurn(worker: EvaluationWorker, call: WaitingCall): Promise<void> {
    this.metrics.evaluationWaitSeconds.observe(
      { queue: worker.name, lane: worker.name },
      (performance.now() - call.waitsSince) / 1000,
    );
    const definitions = this.definitionsOfTurn(worker, call);
    if (definitions.length === 0) {
      // Its next rule has been found to be slow, or was suspended, since it was put into this queue.
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

  /** The next rules of the call, up to one that is not to run here. */
  private definitionsOfTurn(worker: EvaluationWorker, call: WaitingCall): AppliedDefinition[] {
    const definitions: AppliedDefinition[] = [];
    for (const definition of call.definitions.slice(call.verdicts.length)) {
      const isSuspended = this.conduct.suspendedUntil(call.application, definition) !== null;
      if (isSuspended || this.workerFor(call, definition) !== worker) break;
      definitions.push(definition);
    }
    return definitions;
  }

  /** Keeps the verdict of the next rule. */
  private keep(call: WaitingCall, verdict: Verdict, seconds: number): void {
    const definition = call.definitions[call.verdicts.length];
    if (!definition) return;
    this.metrics.evaluations.inc({ type: definition.type, outcome: verdict.status.toLowerCase() });
    this.metrics.evaluationSeconds.observe({ type: definition.type }, seconds);
    call.verdicts.push(verdict);
    if (seconds * 1000 > SLOW_MS) this.conduct.noteSlow(call.application, definition);
  }

  /** The rule after the last verdict took too long, or the thread died of it. */
  private noteFault(worker: EvaluationWorker, call: WaitingCall, { outcome, reason }: TurnEnd): void {
    const definition = call.definitions[call.verdicts.length];
    if (!definition) return;
    if (worker === this.quick && outcome === 'timeout') {
      this.conduct.noteHeldUp(call.application, definition);
      return;
    }
    this.conduct.noteFault(call.application, definition);
    this.metrics.evaluationSeconds.observe({ type: definition.type }, LIMIT_MS / 1000);
    this.fail(call, reason, outcome);
  }

  private fail(call: WaitingCall, reason: string, outcome: string): void {
    const type = call.definitions[call.verdicts.length]?.type ?? '';
    this.metrics.evaluations.inc({ type, outcome });
    call.verdicts.push({ status: 'FAILED', reason });
  }
}

const worker = (name: EvaluationWorker['name'], limitMs: number): EvaluationWorker => {
  return { name, thread: new EvaluateThread(limitMs), queue: new FairQueue(), isBusy: false };
};

const stopping = (): AppError => new AppError('unavailable', 'the server is stopping');
