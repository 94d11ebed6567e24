import type { Log } from '../runtime/log.ts';
import { startTicker, type Ticker } from '../runtime/ticker.ts';

/** A request that was rejected before any route handled it. It contains no secrets. */
export interface RejectedRequest {
  requestId: string;
  method: string;
  path: string;
  /** Address of the client. */
  address: string;
  status: number;
  /** Message of the response. */
  reason: string;
  /** Public id of the API key; null if none was sent, or if the text is no key. */
  keyId: string | null;
}

/** The last request of an application that was rejected because of its credentials. */
export interface RejectedCredentials {
  /** Unix milliseconds. */
  at: number;
  status: number;
  message: string;
  keyId: string | null;
  method: string;
  path: string;
  requestId: string;
}

const TURN_MS = 60_000;
/** Lines of one sender in a turn; the rest is counted. */
const LINES_OF_SENDER = 5;
/** Lines of all senders in a turn. */
const LINES_OF_ALL = 100;
/** Most senders that are counted apart in a turn. */
const MAX_SENDERS = 1_000;
/** Senders whose omitted requests have a line of their own. */
const MAX_COUNTER_LINES = 20;
const MAX_APPLICATIONS = 1_000;

const MESSAGES = {
  credentials: 'a request was rejected because of its credentials',
  path: 'a request to an unknown path was rejected',
} as const;
type Kind = keyof typeof MESSAGES;

interface Sender {
  kind: Kind;
  keyId: string | null;
  address: string;
  omitted: number;
  logged: number;
}

interface Options {
  log: Log;
  now: () => number;
}

/**
 * Logs requests with invalid credentials and unknown paths: the first five a minute of each API key, or of each address
 * without one, then their number. Keeps the last rejected credentials of each application for its diagnosis.
 */
export class RejectedRequests {
  private readonly senders = new Map<string, Sender>();
  private readonly last = new Map<string, RejectedCredentials>();
  private readonly log: Log;
  private readonly now: () => number;
  private readonly ticker: Ticker;
  private lines = 0;
  /** Requests of senders beyond MAX_SENDERS. */
  private uncounted = 0;

  constructor({ log, now }: Options) {
    this.log = log;
    this.now = now;
    this.ticker = startTicker(TURN_MS, async () => this.endTurn());
  }

  /** Records a request with invalid credentials that concerns these applications (their ids). */
  rejectCredentials(request: RejectedRequest, applicationIds: Iterable<string>): void {
    const { status, reason: message, keyId, method, path, requestId } = request;
    for (const id of applicationIds) {
      this.last.delete(id);
      dropOldest(this.last, MAX_APPLICATIONS);
      this.last.set(id, { at: this.now(), status, message, keyId, method, path, requestId });
    }
    this.write('credentials', request, [...applicationIds][0]);
  }

  rejectPath(request: RejectedRequest): void {
    this.write('path', request);
  }

  /** Returns the last rejected credentials since the start of the server; null if there are none. */
  lastOf(applicationId: string): RejectedCredentials | null {
    return this.last.get(applicationId) ?? null;
  }

  /** Logs how many requests were omitted, and begins a new turn. */
  endTurn(): void {
    const omitted = [...this.senders.values()].filter((sender) => sender.omitted > 0);
    for (const { kind, keyId, address, omitted: requests } of omitted.slice(0, MAX_COUNTER_LINES)) {
      this.log.warn('further requests were rejected', { cause: kind, keyId, address, requests });
    }
    const rest =
      this.uncounted + omitted.slice(MAX_COUNTER_LINES).reduce((sum, sender) => sum + sender.omitted, 0);
    if (rest > 0) this.log.warn('further requests were rejected', { cause: 'other senders', requests: rest });
    this.senders.clear();
    this.lines = 0;
    this.uncounted = 0;
  }

  async close(): Promise<void> {
    await this.ticker.stop();
    this.endTurn();
  }

  private write(kind: Kind, request: RejectedRequest, applicationId?: string): void {
    const { keyId, address } = request;
    const name = `${kind} ${keyId ?? address}`;
    const sender = this.senders.get(name) ?? { kind, keyId, address, omitted: 0, logged: 0 };
    if (sender.logged >= LINES_OF_SENDER || this.lines >= LINES_OF_ALL) {
      if (this.senders.has(name) || this.senders.size < MAX_SENDERS) {
        sender.omitted += 1;
        this.senders.set(name, sender);
      } else this.uncounted += 1;
      return;
    }
    sender.logged += 1;
    this.lines += 1;
    this.senders.set(name, sender);
    this.log.warn(MESSAGES[kind], { ...request, applicationId });
  }
}

function dropOldest(entries: Map<string, unknown>, most: number): void {
  const [oldest] = entries.keys();
  if (entries.size >= most && oldest !== undefined) entries.delete(oldest);
}
