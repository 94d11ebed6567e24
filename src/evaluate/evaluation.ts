import { AppError } from '../errors.ts';
import { FairQueue } from '../runtime/fair-queue.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { EvaluateThread, type TurnEnd } from './evaluate-thread.ts';
import type { Rule, Verdict } from './evaluator.ts';
import { RuleConduct, suspendedReason } from './rule-conduct.ts';
import type { Subject } from './subject.ts';

/** Calls under way or waiting, in all and of one application; more are rejected. Each holds its subject. */
const MAX_CALLS = 256;
const MAX_PER_APPLICATION = 128;
/** How long a call keeps its thread while others wait; a rule that was begun is judged to its end. */
const SLICE_MS = 20;
/** A rule that takes longer is run apart from the others from then on. */
const SLOW_MS = 100;
/** What a rule may take in the thread of the quick ones, before it is run again apart from them. */
const QUICK_LIMIT_MS = 300;
/** What a rule may take at all. */
const LIMIT_MS = 2_000;

type EvaluationMetrics = Pick<
  Metrics,
  | 'evaluations'
  | 'evaluationSeconds'
  | 'evaluationWaitSeconds'
  | 'evaluationCalls'
  | 'suspendedRules'
  | 'beforeScrape'
>;

/** Rules to be judged of one subject. */
export interface EvaluationCall {
  application: number;
  subject: Subject;
  rules: readonly Rule[];
  /** Called before the first rule runs, which waits for it. */
  onBegin?: () => Promise<void>;
}

interface WaitingCall extends EvaluationCall {
  /** Verdicts of the rules that have been applied, in their order. */
  verdicts: Verdict[];
  hasBegun: boolean;
  /** When it was last put into a queue, as `performance.now()` reports it. */
  waitsSince: number;
  resolve: (verdicts: Verdict[]) => void;
  reject: (error: Error) => void;
}

interface RuleWorker {
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
  private readonly conduct: RuleConduct;
  private readonly calls = new Set<WaitingCall>();
  private readonly quick: RuleWorker = worker('quick', QUICK_LIMIT_MS);
  private readonly slow: RuleWorker = worker('slow', LIMIT_MS);
  private isClosed = false;

  constructor({ metrics, now, elapsed = () => performance.now() }: EvaluationOptions) {
    this.metrics = metrics;
    this.now = now;
    this.elapsed = elapsed;
    this.conduct = new RuleConduct(elapsed);
    metrics.beforeScrape(() => {
      metrics.suspendedRules.set(this.conduct.suspended());
      for (const { name, queue } of [this.quick, this.slow])
        metrics.evaluationCalls.set({ queue: name, lane: name }, queue.size);
    });
  }

  /** A verdict for each of the rules, in their order. Rejects as `unavailable` when too many wait or it is closed. */
  evaluateAll(given: EvaluationCall): Promise<Verdict[]> {
    if (this.isClosed) return Promise.reject(stopping());
    if (given.rules.length === 0) return Promise.resolve([]);
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

  /** Has the call wait where its next rule is run; a call without one is over. */
  private place(call: WaitingCall, from: RuleWorker | null): void {
    const rule = this.nextRule(call);
    if (!rule) {
      this.calls.delete(call);
      call.resolve(call.verdicts);
      return;
    }
    const to = this.workerFor(call, rule);
    call.waitsSince = performance.now();
    // A call whose turn ended goes on before later ones of its application.
    if (to === from) to.queue.unshift(call.application, call);
    else to.queue.push(call.application, call);
    void this.serve(to);
  }

  /** Fails suspended rules, which need no thread; the first one that may run. */
  private nextRule(call: WaitingCall): Rule | undefined {
    for (;;) {
      const rule = call.rules[call.verdicts.length];
      const until = rule && this.conduct.suspendedUntil(call.application, rule);
      if (!rule || until === null || until === undefined) return rule;
      this.fail(call, suspendedReason(rule, this.now() + until - this.elapsed()), 'suspended');
    }
  }

  private workerFor({ application }: WaitingCall, rule: Rule): RuleWorker {
    return this.conduct.isSlow(application, rule) ? this.slow : this.quick;
  }

  /** Gives turns until nothing waits. */
  private async serve(worker: RuleWorker): Promise<void> {
    if (worker.isBusy) return;
    worker.isBusy = true;
    for (let call = worker.queue.take(); call; call = worker.queue.take()) await this.giveTurn(worker, call);
    worker.isBusy = false;
  }

  private async giveTurn(worker: RuleWorker, call: WaitingCall): Promise<void> {
    this.metrics.evaluationWaitSeconds.observe(
      { queue: worker.name, lane: worker.name },
      (performance.now() - call.waitsSince) / 1000,
    );
    const rules = this.rulesOfTurn(worker, call);
    if (rules.length === 0) {
      // Its next rule has been found to be slow, or was suspended, since it was put into this queue.
      this.place(call, null);
      return;
    }
    try {
      if (!call.hasBegun) await call.onBegin?.();
      call.hasBegun = true;
      if (this.isClosed) return;
      const turn = { subject: call.subject, rules, sliceMs: SLICE_MS };
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
  private rulesOfTurn(worker: RuleWorker, call: WaitingCall): Rule[] {
    const rules: Rule[] = [];
    for (const rule of call.rules.slice(call.verdicts.length)) {
      const isSuspended = this.conduct.suspendedUntil(call.application, rule) !== null;
      if (isSuspended || this.workerFor(call, rule) !== worker) break;
      rules.push(rule);
    }
    return rules;
  }

  /** Keeps the verdict of the next rule. */
  private keep(call: WaitingCall, verdict: Verdict, seconds: number): void {
    const rule = call.rules[call.verdicts.length];
    if (!rule) return;
    this.metrics.evaluations.inc({ type: rule.type, outcome: verdict.status.toLowerCase() });
    this.metrics.evaluationSeconds.observe({ type: rule.type }, seconds);
    call.verdicts.push(verdict);
    if (seconds * 1000 > SLOW_MS) this.conduct.noteSlow(call.application, rule);
  }

  /** The rule after the last verdict took too long, or the thread died of it. */
  private noteFault(worker: RuleWorker, call: WaitingCall, { outcome, reason }: TurnEnd): void {
    const rule = call.rules[call.verdicts.length];
    if (!rule) return;
    if (worker === this.quick && outcome === 'timeout') {
      this.conduct.noteHeldUp(call.application, rule);
      return;
    }
    this.conduct.noteFault(call.application, rule);
    this.metrics.evaluationSeconds.observe({ type: rule.type }, LIMIT_MS / 1000);
    this.fail(call, reason, outcome);
  }

  private fail(call: WaitingCall, reason: string, outcome: string): void {
    const type = call.rules[call.verdicts.length]?.type ?? '';
    this.metrics.evaluations.inc({ type, outcome });
    call.verdicts.push({ status: 'FAILED', reason });
  }
}

const worker = (name: RuleWorker['name'], limitMs: number): RuleWorker => {
  return { name, thread: new EvaluateThread(limitMs), queue: new FairQueue(), isBusy: false };
};

const stopping = (): AppError => new AppError('unavailable', 'the server is stopping');
