import { AppError } from '../../errors.ts';
import { serverEvent, type StreamKind } from '../../runtime/event-streams.ts';
import type { WaitingTraces } from '../../traces/trace-feed.ts';

/** Pause between two looks, in which changes of a trace are collected to one event. */
const PAUSE_MS = 250;
/** Interval of heartbeats, shorter than the idle timeouts of proxies. */
const HEARTBEAT_MS = 10_000;
const LONGEST_MS = 15 * 60_000;
/** Most traces that are read at once. */
const MAX_PER_READ = 100;
/** Age of requests that may still have been waiting for their commit when an event was sent. */
const OVERLAP_MS = 10_000;

export const TRACE_STREAMS: StreamKind = {
  name: 'trace',
  plural: 'streams of traces',
  total: 100,
  perApplication: 25,
  longestMs: LONGEST_MS + HEARTBEAT_MS,
  lingerMs: 1_000,
};

export interface TraceEventsOf {
  waiting: WaitingTraces;
  /** False if the changes that are repeated for a client that reconnects are not all. */
  isRepeatComplete: boolean;
  /** Reads those of the traces that meet the filters of the stream. */
  read: (traceIds: Uint8Array[]) => Promise<unknown[]>;
  /** Returns the Unix time in milliseconds. */
  now: () => number;
  pause: (milliseconds: number) => Promise<unknown>;
  /** Reports whether the client has disconnected or may no longer read, or the server is stopping. */
  isStopped: () => boolean;
}

/**
 * Yields Server-Sent Events: `open`, then `trace` with each trace that is new or has grown, and `missed` if there were more
 * changes than the client has read. The id of an event is the time until which the client has seen all changes.
 */
export async function* traceEvents({
  waiting,
  isRepeatComplete,
  read,
  now,
  pause,
  isStopped,
}: TraceEventsOf): AsyncGenerator<string, void> {
  const begun = now();
  let spokeAt = begun;
  yield serverEvent('open', {}, String(begun));
  if (!isRepeatComplete) yield serverEvent('missed', { isRepeat: true });
  while (!isStopped() && now() - begun < LONGEST_MS) {
    const at = now();
    const text = await nextEvents(waiting, read, at);
    if (text !== '') {
      yield text;
      spokeAt = at;
    } else if (at - spokeAt >= HEARTBEAT_MS) {
      yield `id: ${at}\n: nothing new\n\n`;
      spokeAt = at;
    }
    await pause(PAUSE_MS);
  }
}

async function nextEvents(waiting: WaitingTraces, read: TraceEventsOf['read'], at: number): Promise<string> {
  const missed = waiting.takeMissed() ? serverEvent('missed', {}) : '';
  if (waiting.isEmpty) return missed;
  try {
    const traces = await read(waiting.take(MAX_PER_READ));
    return missed + traces.map((trace) => serverEvent('trace', trace, String(at))).join('');
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'unavailable')) throw error;
    // The store is busy for a moment.
    waiting.miss();
    return '';
  }
}

/** Returns the time since which changes are to be repeated for a client that reconnects; null if it does not. */
export function resumedSince(lastEventId: string | string[] | undefined, now: number): number | null {
  if (typeof lastEventId !== 'string' || !/^\d{1,15}$/.test(lastEventId)) return null;
  return Math.min(Number(lastEventId), now) - OVERLAP_MS;
}
