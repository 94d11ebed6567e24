import { AppError } from '../../errors.ts';
import { serverEvent, type StreamKind } from '../../runtime/event-streams.ts';
import { KEY_CHECK_MS } from '../api-keys/key-check.ts';
import { type Test, test } from './contract.ts';
import type { TestNews } from './store.ts';

const POLL_MS = KEY_CHECK_MS;
/** Interval of heartbeats, shorter than the idle timeouts of proxies. */
const HEARTBEAT_MS = 15_000;
const LONGEST_MS = 15 * 60_000;

export const TEST_STREAMS: StreamKind = {
  name: 'test',
  plural: 'streams of tests',
  total: 100,
  perApplication: 25,
  longestMs: LONGEST_MS + HEARTBEAT_MS,
};

/** Reads the events of a test after the event `seen`. */
export type Look = (seen: number) => Promise<TestNews>;

export interface TestEventsOf {
  /** Reports whether the key of the client is still valid. */
  isAllowed: () => Promise<boolean>;
  /** State of the test at the beginning of the stream. */
  first: TestNews;
  look: Look;
  /** Returns the milliseconds of a monotonic clock. */
  clock: () => number;
  pause: (milliseconds: number) => Promise<unknown>;
  /** Reports whether the client has disconnected or the server is stopping. */
  isStopped: () => boolean;
}

/** Yields a test as Server-Sent Events: its current state, each later one, and `end` when the test has ended. */
export async function* testEvents({
  first,
  look,
  clock,
  pause,
  isStopped,
  isAllowed,
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
    if (!(await isAllowed())) return;
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
