import { setImmediate } from 'node:timers';
import type { Worker } from 'node:worker_threads';
import { startWorker } from '../runtime/worker.ts';
import type { AppliedDefinition, Verdict } from './evaluator.ts';
import type { Subject } from './subject.ts';

/** Request to the thread; one at a time. */
export interface EvaluateRequest {
  /** Subject to judge; null for the subject of the previous request. */
  subject: Subject | null;
  /** Definitions to apply; null for those of the previous request. */
  definitions: readonly AppliedDefinition[] | null;
  /** Milliseconds after which the thread begins no further definition. */
  sliceMs: number;
}

/**
 * Messages of the thread: it has begun, it runs the checks of the example, each verdict in turn, and it begins no further
 * definition.
 */
export type EvaluateMessage =
  | { begins: true }
  | { examples: true }
  | { verdict: Verdict; seconds: number }
  | { ends: true };

/** Definitions to apply to one subject, as many as fit into one turn. */
export interface EvaluateTurn {
  subject: Subject;
  definitions: readonly AppliedDefinition[];
  sliceMs: number;
}

export interface TurnEnd {
  /**
   * Outcome of the turn. `done`: no further definition was begun. `timeout`, `crashed`: the definition after the last
   * verdict timed out or ended the thread. `not-begun`: the thread ended before it began.
   */
  outcome: 'done' | 'timeout' | 'crashed' | 'not-begun';
  /** Reason why the thread ended; empty when it did not. */
  reason: string;
  /** True if the fault is of the checks of the example rather than of those of the definition. */
  isOfExample: boolean;
  /** Milliseconds for which the turn occupied the thread. */
  tookMs: number;
}

/** Milliseconds charged for starting a thread that replaces an ended one. */
const RESTART_MS = 100;
/** Share of its time limit for which the process must have computed before a definition is ended. */
const MIN_CPU_SHARE = 0.5;
/** Most periods of its time limit that a definition gets while the process hardly computes. */
const MAX_PERIODS = 10;

interface UnderWay {
  onVerdict: (verdict: Verdict, seconds: number) => void;
  resolve: (end: TurnEnd) => void;
  /** Milliseconds spent copying the subject, on both sides. */
  copyMs: number;
  begunAt: number | null;
  /** True while the checks of the example run. */
  isOfExample: boolean;
}

/**
 * Runs deterministic definitions in a separate thread, one turn at a time; the first turn starts the thread. A
 * definition that exceeds `limitMs` is ended together with the thread, which the next turn replaces. It is not charged for
 * periods in which the operating system gives the process no time.
 */
export class EvaluateThread {
  private readonly limitMs: number;
  private readonly cpuMs: () => number;
  private worker: Worker | null = null;
  private sent: Subject | null = null;
  private sentDefinitions: readonly AppliedDefinition[] = [];
  private underWay: UnderWay | null = null;
  private watchdog: NodeJS.Timeout | null = null;

  /** `cpuMs` returns the CPU time of the process so far, in milliseconds. */
  constructor(limitMs: number, cpuMs: () => number = processCpuMs) {
    this.limitMs = limitMs;
    this.cpuMs = cpuMs;
  }

  /** Runs one turn. Must not be called while a turn is in progress. */
  judge({ subject, definitions, sliceMs }: EvaluateTurn, onVerdict: UnderWay['onVerdict']): Promise<TurnEnd> {
    const { promise, resolve } = Promise.withResolvers<TurnEnd>();
    this.worker ??= this.start();
    const sentAt = performance.now();
    const request: EvaluateRequest = {
      subject: subject === this.sent ? null : subject,
      definitions: isSame(definitions, this.sentDefinitions) ? null : definitions,
      sliceMs,
    };
    this.sent = subject;
    this.sentDefinitions = definitions;
    this.worker.postMessage(request, []);
    const copyMs = 2 * (performance.now() - sentAt);
    this.underWay = { onVerdict, resolve, copyMs, begunAt: null, isOfExample: false };
    return promise;
  }

  /** Ends the thread at once; a turn in progress never resolves. */
  async close(): Promise<void> {
    this.underWay = null;
    await this.drop()?.terminate();
  }

  private start(): Worker {
    const worker = startWorker('evaluate', null);
    let cause: Error | null = null;
    worker.on('message', (message: EvaluateMessage) => {
      if (worker === this.worker) this.receive(message);
    });
    worker.on('error', (error: Error) => (cause = error));
    worker.on('exit', (code) => {
      if (worker !== this.worker) return;
      this.drop();
      const { message } = cause ?? new Error(`the thread ended with code ${code}`);
      const isBegun = this.underWay?.begunAt != null;
      this.end(isBegun ? 'crashed' : 'not-begun', `its thread ended: ${message}`);
    });
    return worker;
  }

  private receive(message: EvaluateMessage): void {
    const { underWay } = this;
    if (!underWay) return;
    underWay.isOfExample = 'examples' in message;
    // The time limit is of both parts together.
    if (underWay.isOfExample) return;
    this.unwatch();
    if ('ends' in message) {
      this.end('done', '');
      return;
    }
    if ('begins' in message) underWay.begunAt = performance.now();
    if ('verdict' in message) underWay.onVerdict(message.verdict, message.seconds);
    this.watch();
  }

  private watch(periods = MAX_PERIODS, cpuMsBefore = this.cpuMs()): void {
    // A verdict that arrived while this thread was busy is received between the two timers.
    const watchdog = setTimeout(() => setImmediate(() => this.watchdog === watchdog && look()), this.limitMs);
    this.watchdog = watchdog;
    const look = (): void => {
      const wasStarved = this.cpuMs() - cpuMsBefore < this.limitMs * MIN_CPU_SHARE;
      if (wasStarved && periods > 1) this.watch(periods - 1, cpuMsBefore);
      else this.giveUp();
    };
  }

  private unwatch(): void {
    if (this.watchdog) clearTimeout(this.watchdog);
    this.watchdog = null;
  }

  private giveUp(): void {
    void this.drop()?.terminate();
    this.end('timeout', `it took longer than ${this.limitMs / 1000} seconds`);
  }

  private end(outcome: TurnEnd['outcome'], reason: string): void {
    const { underWay } = this;
    if (!underWay) return;
    this.underWay = null;
    const { begunAt, copyMs, isOfExample, resolve } = underWay;
    const runMs = begunAt === null ? 0 : performance.now() - begunAt;
    const tookMs = copyMs + runMs + (outcome === 'done' ? 0 : RESTART_MS);
    resolve({ outcome, reason, isOfExample, tookMs });
  }

  /** Detaches the thread; the next turn starts another one. */
  private drop(): Worker | null {
    const { worker } = this;
    this.unwatch();
    this.worker = null;
    this.sent = null;
    this.sentDefinitions = [];
    return worker;
  }
}

function processCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Reports whether two lists have the same objects, as they have for subjects that were read together. */
const isSame = <T>(some: readonly T[], others: readonly T[]): boolean =>
  some.length === others.length && some.every((one, index) => one === others[index]);
