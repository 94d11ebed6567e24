import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import type { Log } from '../../runtime/log.ts';
import { KEY_CHECK_MS } from '../api-keys/key-check.ts';
import { type Test, test } from './contract.ts';
import type { TestNews } from './store.ts';

const POLL_MS = KEY_CHECK_MS;
/** Interval of heartbeats, shorter than the idle timeouts of proxies. */
const HEARTBEAT_MS = 15_000;
const LONGEST_MS = 15 * 60_000;
/** Most open streams: in total, and for one application. */
const MAX_STREAMS = 100;
const MAX_PER_APPLICATION = 25;

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
      yield event('test', test.parse(news.test));
      if (isOver(news.test)) {
        yield event('end', {});
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

const event = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

const isOver = ({ status }: Test): boolean => status === 'COMPLETED' || status === 'FAILED';

export interface OpenStream extends Pick<TestEventsOf, 'first' | 'look' | 'isAllowed'> {
  application: number;
}

/** Manages the streams of a server: at most MAX_STREAMS, of which an application has at most its share. */
export function testStreams({
  isClosing,
  log,
}: {
  isClosing: () => boolean;
  log: Log;
}): (given: OpenStream) => Readable {
  /** Number of open streams of each application. */
  const open = new Map<number, number>();
  const count = (application: number, change: number): void => {
    const left = (open.get(application) ?? 0) + change;
    if (left > 0) open.set(application, left);
    else open.delete(application);
  };
  const admit = (application: number): void => {
    if ((open.get(application) ?? 0) >= MAX_PER_APPLICATION)
      throw new AppError(
        'rate_limited',
        `The application has ${MAX_PER_APPLICATION} open streams of tests, the most allowed; close one and retry`,
        { retryAfter: 10 },
      );
    const total = open.values().reduce((sum, one) => sum + one, 0);
    if (total >= MAX_STREAMS)
      throw new AppError('unavailable', `${MAX_STREAMS} streams are open, the most of this server`, {
        retryAfter: 10,
      });
    count(application, 1);
  };
  return ({ application, ...given }) => {
    admit(application);
    // A waiting generator cannot be ended from outside, so it checks this itself.
    const isStopped = (): boolean => isClosing() || stream.destroyed;
    const events = testEvents({ ...given, clock: () => performance.now(), pause: sleep, isStopped });
    const stream: Readable = Readable.from(events, { objectMode: false });
    // A client that has stopped reading also blocks the events, including their end.
    const late = setTimeout(() => stream.destroy(), LONGEST_MS + HEARTBEAT_MS);
    late.unref();
    return stream
      .once('error', (error) => log.error('a stream of a test broke', { error }))
      .once('close', () => {
        clearTimeout(late);
        count(application, -1);
      });
  };
}
