import { setImmediate } from 'node:timers';
import type { Worker } from 'node:worker_threads';
import { AppError } from '../errors.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { startWorker } from '../runtime/worker.ts';
import type { Rule, Verdict } from './evaluator.ts';
import type { Subject } from './subject.ts';

/** What the thread is sent, one at a time. */
export interface EvaluateRequest {
  subject: Subject;
  rules: readonly Rule[];
}

/** What it sends back: that it begins, then, for each rule as soon as it is judged, the verdict. */
export type EvaluateMessage = { begins: true } | { verdict: Verdict; seconds: number };

/** What one rule may take. */
const LIMIT_MS = 2_000;
/** Calls under way or waiting; more are refused. Each holds its subject. */
const MAX_CALLS = 256;

interface Call extends EvaluateRequest {
  hasBegun: boolean;
  /** Of the rules so far, in their order. */
  verdicts: Verdict[];
  resolve: (verdicts: Verdict[]) => void;
  reject: (error: Error) => void;
}

/**
 * Runs deterministic evaluators in a thread of their own, which starts with the first call. A rule that takes too long, or
 * that the thread dies of, fails alone: the thread is replaced, and goes on with the rule after it.
 */
export class EvaluateThread {
  private readonly metrics: Pick<Metrics, 'evaluations' | 'evaluationSeconds'>;
  /** The first is under way. */
  private readonly calls: Call[] = [];
  private worker: Worker | null = null;
  private watchdog: NodeJS.Timeout | null = null;
  private isClosed = false;

  constructor(metrics: Pick<Metrics, 'evaluations' | 'evaluationSeconds'>) {
    this.metrics = metrics;
  }

  /** A verdict for each of the rules, in their order. Rejects as `unavailable` when too many wait or the thread is closed. */
  evaluateAll(subject: Subject, rules: readonly Rule[]): Promise<Verdict[]> {
    if (this.isClosed) return Promise.reject(stopping());
    if (rules.length === 0) return Promise.resolve([]);
    if (this.calls.length >= MAX_CALLS)
      return Promise.reject(new AppError('unavailable', 'too many evaluations wait; try again'));
    const { promise, resolve, reject } = Promise.withResolvers<Verdict[]>();
    this.calls.push({ subject, rules, hasBegun: false, verdicts: [], resolve, reject });
    if (this.calls.length === 1) this.send();
    return promise;
  }

  /** Ends the thread at once. What waits is rejected as `unavailable`. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.unwatch();
    for (const { reject } of this.calls.splice(0)) reject(stopping());
    const { worker } = this;
    this.worker = null;
    await worker?.terminate();
  }

  /** Hands what is left of the first call over. */
  private send(): void {
    const [call] = this.calls;
    if (!call) return;
    this.worker ??= this.start();
    call.hasBegun = false;
    const { subject, rules, verdicts } = call;
    const request: EvaluateRequest = { subject, rules: rules.slice(verdicts.length) };
    this.worker.postMessage(request, []);
  }

  private start(): Worker {
    const worker = startWorker('evaluate', null);
    let cause: Error | null = null;
    worker.on('message', (message: EvaluateMessage) => {
      if (worker === this.worker) this.receive(message);
    });
    worker.on('error', (error: Error) => (cause = error));
    worker.on('exit', (code) => {
      if (worker === this.worker) this.die(cause ?? new Error(`the evaluate thread ended with code ${code}`));
    });
    return worker;
  }

  private receive(message: EvaluateMessage): void {
    const [call] = this.calls;
    if (!call) return;
    if ('begins' in message) call.hasBegun = true;
    else this.take(call, message.verdict, message.verdict.status.toLowerCase(), message.seconds);
    if (call === this.calls[0]) this.watch();
    else {
      this.unwatch();
      this.send();
    }
  }

  /** Keeps the verdict of the next rule; a call that has all of them is over. */
  private take(call: Call, verdict: Verdict, outcome: string, seconds: number): void {
    const type = call.rules[call.verdicts.length]?.type ?? '';
    this.metrics.evaluations.inc({ type, outcome });
    this.metrics.evaluationSeconds.observe({ type }, seconds);
    call.verdicts.push(verdict);
    if (call.verdicts.length < call.rules.length) return;
    this.calls.shift();
    call.resolve(call.verdicts);
  }

  private watch(): void {
    this.unwatch();
    // A verdict that came while this thread was busy is received between the two.
    const watchdog = setTimeout(
      () => setImmediate(() => this.watchdog === watchdog && this.giveUp()),
      LIMIT_MS,
    );
    this.watchdog = watchdog;
  }

  private unwatch(): void {
    if (this.watchdog) clearTimeout(this.watchdog);
    this.watchdog = null;
  }

  private giveUp(): void {
    const { worker } = this;
    this.replace(`it took longer than ${LIMIT_MS / 1000} seconds`, 'timeout');
    void worker?.terminate();
  }

  /** The thread ended unasked: by the rule that it was at, or before it could begin. */
  private die(error: Error): void {
    const [call] = this.calls;
    if (call?.hasBegun) {
      this.replace(`the thread it ran in ended: ${error.message}`, 'crashed');
      return;
    }
    this.worker = null;
    this.calls.shift()?.reject(error);
    this.send();
  }

  /** Fails the rule that is under way, and goes on in a new thread with the one after it. */
  private replace(reason: string, outcome: string): void {
    this.unwatch();
    this.worker = null;
    const [call] = this.calls;
    if (call) this.take(call, { status: 'FAILED', reason }, outcome, LIMIT_MS / 1000);
    this.send();
  }
}

const stopping = (): AppError => new AppError('unavailable', 'the server is stopping');
