import type { Log } from '../../runtime/log.ts';
import type { Metrics } from '../../runtime/metrics.ts';
import type { Ticker } from '../../runtime/ticker.ts';
import type { Read, Write } from '../../storage/calls.ts';
import { startLookout } from '../../storage/store-watch.ts';
import { drawLiveSessions, dueSessions, nextSessionAt, noteLiveSessions, planSessions } from '../calls.ts';
import type { DueSession } from './plan-sessions.ts';

const TICK_MS = 1_000;
/** Most traces that one query examines; one command may record the sessions of all of them. */
const MAX_EXAMINED = 5_000;
/** Most sessions that one command plans. */
const MAX_PLANNED = 100;
/** Longest time between two samples while traces arrive; a twentieth of the idle timeout if that is shorter. */
const MAX_PAUSE_MS = 30_000;

export interface SessionMonitoringOptions {
  read: Read;
  write: Write;
  metrics: Pick<Metrics, 'monitoredSessions'>;
  log: Log;
  now: () => number;
  /** Returns the version of the store; see `Storage`. */
  version: () => string;
  /** Called when evals were planned. */
  wake: () => void;
}

/**
 * Starts the evaluation of live sessions that are idle. As with live traces, storing a trace has no extra cost, and
 * no trace is read while no definition judges sessions.
 */
export function startSessionMonitoring(options: SessionMonitoringOptions): Ticker {
  const { version, now, log } = options;
  const monitor = new SessionMonitor(options);
  return startLookout({
    version,
    now,
    everyMs: TICK_MS,
    look: () => monitor.look(),
    onError: (error) => log.warn('live sessions were not monitored; retrying', { error }),
  });
}

class SessionMonitor {
  private readonly options: SessionMonitoringOptions;
  /** Key of the last trace that was examined; null before the first query, and while no definition judges sessions. */
  private after: number | null = null;
  /** Time before which no traces are examined, in Unix milliseconds. */
  private pauseUntil = 0;

  constructor(options: SessionMonitoringOptions) {
    this.options = options;
  }

  /** Samples sessions and plans those that are due. Returns when to look again; null when that depends on new traces. */
  async look(): Promise<number | null> {
    const { read, now } = this.options;
    const drawAt = await this.draw();
    let dueAt = await read(nextSessionAt, null);
    if (dueAt !== null && dueAt <= now()) {
      await this.plan();
      dueAt = await read(nextSessionAt, null);
    }
    const times = [drawAt, dueAt].filter((time) => time !== null);
    return times.length > 0 ? Math.min(...times) : null;
  }

  /** Samples sessions; returns when to do so again, null when that depends on new traces. */
  private async draw(): Promise<number | null> {
    const { read, write, metrics, now } = this.options;
    if (now() < this.pauseUntil) return this.pauseUntil;
    for (;;) {
      const found = await read(drawLiveSessions, { after: this.after, now: now(), limit: MAX_EXAMINED });
      const { isOn, last, drawn, hasMore, nextAt, idleMs } = found;
      // A start examines the traces since the last record again, so long stretches without sessions are recorded too.
      const hasNews = isOn ? this.after === null || drawn.length > 0 || hasMore : last !== null;
      if (hasNews) {
        const { added, dropped } = await write(noteLiveSessions, { drawn, last: isOn ? last : null });
        metrics.monitoredSessions.inc({ outcome: 'drawn' }, added);
        metrics.monitoredSessions.inc({ outcome: 'dropped' }, dropped);
      }
      this.after = isOn ? last : null;
      if (hasMore) continue;
      this.pauseUntil = isOn ? now() + Math.min(MAX_PAUSE_MS, idleMs / 20) : 0;
      return nextAt === null ? null : Math.max(nextAt, this.pauseUntil);
    }
  }

  private async plan(): Promise<void> {
    const { write, metrics, now, wake } = this.options;
    for (;;) {
      const due = await this.readDue();
      if (due.length === 0) return;
      const planned = await write(planSessions, { due, now: now() });
      metrics.monitoredSessions.inc({ outcome: 'planned' }, planned);
      if (planned > 0) wake();
    }
  }

  private async readDue(): Promise<DueSession[]> {
    const { read, log, now } = this.options;
    try {
      return await read(dueSessions, { now: now(), limit: MAX_PLANNED, hashes: true });
    } catch (error) {
      // The turns of one session may take too long to read. The others must not wait for it.
      log.warn('a live session was not compared with its last verdict', { error });
      return read(dueSessions, { now: now(), limit: 1, hashes: false });
    }
  }
}
