import { monotonicMillis } from './runtime.ts';

/** Actions of a sender of spans when its process ends. */
export interface AtEnd {
  /** Resolves when all spans that have ended are stored or lost. */
  flush: () => Promise<void>;
  /** Returns the number of spans that wait or are being sent. */
  pending: () => number;
  /** Called last, when nothing more can be sent. */
  report: () => void;
  /** True if SIGTERM and SIGINT end the process only after a flush. */
  flushOnSignals: boolean;
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Flushes in a row after which the end waits no longer, for listeners of the app that end a span whenever the event loop is empty. */
const MAX_FLUSHES = 10;
const IN_A_ROW_MILLIS = 100;

const senders = new Set<AtEnd>();
let flushes = 0;
let flushedAt = -Infinity;

/** Registers a sender until the returned function is called. */
export function whenProcessEnds(sender: AtEnd): () => void {
  // One listener for all: Node warns of more than ten.
  if (senders.size === 0) process.on('exit', reportAll).on('beforeExit', flushAll);
  senders.add(sender);
  listenToSignals();
  return () => {
    senders.delete(sender);
    if (senders.size === 0) process.off('exit', reportAll).off('beforeExit', flushAll);
    listenToSignals();
  };
}

/** A process with a listener does not end by the signal itself, so there is one only while a sender wants it. */
function listenToSignals(): void {
  const isWanted = [...senders].some(({ flushOnSignals }) => flushOnSignals);
  for (const signal of SIGNALS) {
    process.off(signal, flushAndEnd);
    if (isWanted) process.on(signal, flushAndEnd);
  }
}

function reportAll(): void {
  for (const { report } of senders) report();
}

/** The event loop is empty. What is sent now keeps the process until it is stored or lost. */
function flushAll(): void {
  // Listeners after this one may end spans too.
  process.nextTick(() => {
    const flushed = [...senders].filter(({ pending }) => pending() > 0);
    if (monotonicMillis() - flushedAt > IN_A_ROW_MILLIS) flushes = 0;
    if (flushed.length === 0 || flushes === MAX_FLUSHES) return;
    flushes += 1;
    void Promise.allSettled(flushed.map(({ flush }) => flush())).finally(() => {
      flushedAt = monotonicMillis();
    });
  });
}

/** Sends what has ended, then ends the process by the signal. A second signal ends it at once. */
function flushAndEnd(signal: NodeJS.Signals): void {
  process.off(signal, flushAndEnd);
  const flushed = [...senders].filter(({ flushOnSignals, pending }) => flushOnSignals && pending() > 0);
  void Promise.allSettled(flushed.map(({ flush }) => flush())).then(() => process.kill(process.pid, signal));
}
