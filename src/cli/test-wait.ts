import type { Io } from './io.ts';
import { pause } from './test-calls.ts';
import { adviceOnWaiting, type ServerAccess, type StartedRunOfTests } from './test-runs.ts';

const POLL_MS = 1_000;
/** Interval between progress lines when the output is not a terminal. */
const LINE_MS = 15_000;
/** Interval between looks for a test that waits for spans. */
const ADVICE_MS = 16_000;
const CLEAR_LINE = '\r\x1b[K';

/** Progress of tests that were started. */
export interface TestProgress {
  total: number;
  /** Number of those that have not ended. */
  open: number;
  runs: readonly StartedRunOfTests[];
}

/**
 * Waits until all tests have ended, and shows the progress. Throws the reason of the server's signal when that
 * aborts.
 */
export async function waitForTests(
  server: ServerAccess,
  progress: () => Promise<TestProgress>,
  io: Io,
): Promise<void> {
  const started = performance.now();
  let shownAt = started;
  let advisedAt = started;
  let advised: string | null = null;
  try {
    for (;;) {
      const { open, total, runs } = await progress();
      const now = performance.now();
      const seconds = Math.round((now - started) / 1_000);
      const text = `${total - open} of ${total} tests ended after ${seconds} s`;
      if (io.isTerminal) io.out(CLEAR_LINE + text);
      else if (now - shownAt >= LINE_MS) {
        shownAt = now;
        io.out(`${text}\n`);
      }
      if (open === 0) return;
      if (now - advisedAt >= ADVICE_MS) {
        advisedAt = now;
        const advice = await adviceOnWaiting(server, runs);
        if (advice !== null && advice !== advised) io.err(`${io.isTerminal ? CLEAR_LINE : ''}${advice}\n`);
        advised = advice ?? advised;
      }
      await pause(POLL_MS, server.signal);
    }
  } finally {
    if (io.isTerminal) io.out(CLEAR_LINE);
  }
}
