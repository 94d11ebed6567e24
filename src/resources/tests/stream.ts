import { AppError } from '../../errors.ts';
import { serverEvent, type StreamKind } from '../../runtime/event-streams.ts';
import { type Test, test } from './contract.ts';
import type { TestNews } from './store.ts';

const POLL_MS = 250;
/** Interval of heartbeats, shorter than the idle timeouts of proxies. */
const HEARTBEAT_MS = 15_000;
const LONGEST_MS = 15 * 60_000;

export const TEST_STREAMS: StreamKind = {
  name: 'test',
  plural: 'streams of tests',
  total: 100,
  perApplication: 25,
  longestMs: LONGEST_MS + HEARTBEAT_MS,
  lingerMs: 1_000,
};

/** Reads the events of a test after the event `seen`. */
export type Look = (seen: number) => Promise<TestNews>;

export interface TestEventsOf {
  /** State of the test at the beginning of the stream. */
  first: TestNews;
  look: Look;
  /** Returns the milliseconds of a monotonic clock. */
  clock: () => number;
  pause: (milliseconds: number) => Promise<unknown>;
  /** Reports whether the client has disconnected or may no longer read, or the server is stopping. */
  isStopped: () => boolean;
}

/** Yields a test as Server-Sent Events: its current state, each later one, and `end` when the test has ended. */
export async function* testEvents({
  first,
  look,
  clock,
  pause,
  isStopped,
}: TestEventsOf): AsyncGenerator<string, void> {
  const begun = clock();
  let [news, spokeAt] = [first, begun];
  while (!isStopped() && clock() - begun < LONGEST_MS) {
    if (news.test !== null) {
      yield serverEvent('test', test.parse(news.test));
      if (isOver(news.test)) {
        yield serverEvent('end', {});
        return;
      }
      spokeAt = clock();
    } else if (clock() - spokeAt >= HEARTBEAT_MS) {
      yield ': nothing new\n\n';
      spokeAt = clock();
    }
    await pause(POLL_MS);
    if (isStopped()) return;
    news = await orNothing(look, news.eventId);
  }
}

/** Treats a temporarily busy store like a test without news. */
async function orNothing(look: Look, seen: number): Promise<TestNews> {
  try {
    return await look(seen);
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') return { eventId: seen, test: null };
    throw error;
  }
}

const isOver = ({ status }: Test): boolean => status === 'COMPLETED' || status === 'FAILED';
