import type { EndpointWait } from '../runtime/endpoint-wait.ts';

/** Requests to an app at first; the number grows while it keeps up. */
const FIRST = 2;
/** An answer within this part of the time limit shows that the app keeps up. */
const QUICK = 1 / 3;
/** An answer after this part of the time limit shows that it soon will not. */
const SLOW = 2 / 3;
/** An app whose answers always take long keeps up as long as they take at most this many times as long as at first. */
const AS_AT_FIRST = 1.25;
/** Answers in a row after which a limit with which an app had too much to do is allowed once more; doubled each time, up to the most. */
const LEAST_PATIENCE = 32;
const MOST_PATIENCE = 1_024;
/** Weight of one answer in the mean of those at first. */
const WEIGHT = 0.25;
/** Most apps of which something is remembered. */
const MAX_KNOWN = 1_000;

/** Answer of an app to a request. */
export interface Answered {
  ms: number;
  timeoutMs: number;
  /** True if it did not answer in time, or said that it has too much to do. */
  isOverloaded: boolean;
}

/** Address of an app, of its application. */
export interface AppAddress {
  application: number;
  url: string;
}

const keyOf = ({ application, url }: AppAddress): string => `${application} ${url}`;

interface App {
  limit: number;
  running: number;
  /** False until the app has not kept up once: the limit grows with each answer, later with each round of them. */
  hasSlowed: boolean;
  /** Mean time of the answers at the first limit, in milliseconds, and their number. */
  firstMs: number;
  firstAnswers: number;
  /** Mean time of the last answers, in milliseconds. */
  meanMs: number;
  /** Largest limit; below that with which the app had too much to do, until it has answered long enough. */
  ceiling: number;
  /** Answers in a row, and those after which the ceiling rises. */
  calm: number;
  patience: number;
  started: number;
  /** `started` when the limit was lowered: answers to these requests do not lower it again. */
  loweredAt: number;
  waiting: (() => void)[];
}

/**
 * Limits the requests to each app by how it answers: an app that runs one test at a time would not answer the last of many
 * requests within their time limit, which would count against it. The limit grows while the app keeps up, and is halved when it
 * does not, as TCP limits what is on its way (additive increase, multiplicative decrease: RFC 5681). A test that is rejected has
 * failed, so a number with which the app had too much to do is allowed once more only after many answers.
 */
export class ParallelLimits {
  private readonly most: number;
  private readonly apps = new Map<string, App>();

  /** `most` requests at once, however well an app keeps up. */
  constructor(most: number) {
    this.most = most;
  }

  /** Number of requests to an app that may be in progress. */
  limitOf(of: AppAddress): number {
    return Math.floor(this.apps.get(keyOf(of))?.limit ?? FIRST);
  }

  /** Returns what tests of an app wait for; null if none waits, or if it takes as many at once as it may get. */
  waitOf(of: AppAddress): EndpointWait | null {
    const app = this.apps.get(keyOf(of));
    if (app === undefined || app.waiting.length === 0 || app.limit >= this.most) return null;
    const atOnce = Math.floor(app.limit);
    const expectedPerSecond = app.meanMs > 0 ? (atOnce * 1_000) / app.meanMs : null;
    return { atOnce, pausedMs: 0, ratePerSecond: null, expectedPerSecond };
  }

  /**
   * Waits for the turn of a request, first come, first served; call what it returns with the answer, or with null if none was
   * awaited. Throws the reason of an abort.
   */
  async enter(of: AppAddress, signal: AbortSignal): Promise<(answered: Answered | null) => void> {
    signal.throwIfAborted();
    const app = this.appOf(keyOf(of));
    if (app.running >= Math.floor(app.limit)) await turnOf(app, signal);
    else app.running += 1;
    const number = (app.started += 1);
    return (answered) => {
      app.running -= 1;
      if (answered !== null) this.learn(app, answered, number);
      startNext(app);
    };
  }

  /** Returns the numbers of requests in progress and of those that wait, and of the apps that did not keep up. */
  counts(): { running: number; waiting: number; slow: number } {
    const apps = [...this.apps.values()];
    return {
      running: apps.reduce((sum, { running }) => sum + running, 0),
      waiting: apps.reduce((sum, { waiting }) => sum + waiting.length, 0),
      slow: apps.filter(({ hasSlowed, limit }) => hasSlowed && limit < this.most).length,
    };
  }

  private appOf(key: string): App {
    let app = this.apps.get(key);
    if (app === undefined) {
      if (this.apps.size >= MAX_KNOWN) this.forgetIdle();
      app = {
        limit: FIRST,
        running: 0,
        hasSlowed: false,
        firstMs: 0,
        firstAnswers: 0,
        meanMs: 0,
        ceiling: this.most,
        calm: 0,
        patience: LEAST_PATIENCE,
        started: 0,
        loweredAt: 0,
        waiting: [],
      };
      this.apps.set(key, app);
    }
    return app;
  }

  private forgetIdle(): void {
    for (const [key, { running, waiting }] of this.apps)
      if (running === 0 && waiting.length === 0) this.apps.delete(key);
  }

  private learn(app: App, { ms, timeoutMs, isOverloaded }: Answered, number: number): void {
    app.meanMs += (app.meanMs === 0 ? 1 : WEIGHT) * (ms - app.meanMs);
    if (isOverloaded || ms > timeoutMs * SLOW) {
      app.hasSlowed = true;
      if (number <= app.loweredAt) return;
      app.loweredAt = app.started;
      if (isOverloaded) remember(app);
      app.limit = Math.max(1, isOverloaded ? app.limit / 2 : app.limit - 1);
      return;
    }
    app.calm += 1;
    if (app.calm >= app.patience && app.ceiling < this.most) [app.ceiling, app.calm] = [app.ceiling + 1, 0];
    if (app.limit <= FIRST) {
      app.firstAnswers += 1;
      app.firstMs += (app.firstAnswers === 1 ? 1 : WEIGHT) * (ms - app.firstMs);
    }
    // One answer does not show whether the app worked on the others meanwhile.
    const isAsAtFirst = app.firstAnswers >= FIRST && ms <= app.firstMs * AS_AT_FIRST;
    const keepsUp = ms <= timeoutMs * QUICK || isAsAtFirst;
    if (keepsUp) app.limit = Math.min(app.ceiling, app.limit + (app.hasSlowed ? 1 / app.limit : 1));
  }
}

/** Remembers that an app had too much to do with the number of requests that its limit allows. */
function remember(app: App): void {
  if (app.ceiling <= Math.floor(app.limit)) app.patience = Math.min(MOST_PATIENCE, app.patience * 2);
  app.ceiling = Math.max(1, Math.floor(app.limit) - 1);
  app.calm = 0;
}

/** Waits until another request has ended, which passes its place on. */
function turnOf(app: App, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onAbort = (): void => {
    app.waiting = app.waiting.filter((one) => one !== start);
    reject(signal.reason as Error);
  };
  const start = (): void => {
    signal.removeEventListener('abort', onAbort);
    resolve();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  app.waiting.push(start);
  return promise;
}

function startNext(app: App): void {
  while (app.running < Math.floor(app.limit)) {
    const next = app.waiting.shift();
    if (next === undefined) return;
    app.running += 1;
    next();
  }
}
