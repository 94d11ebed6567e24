import { AppError } from '../errors.ts';
import { applicationsWithTraces, storedByOrganisation, storedDays } from '../resources/retention/calls.ts';
import { measureDays, type MeasureDeps } from '../resources/retention/count-days.ts';
import { sumOfAmounts } from '../resources/retention/usage.ts';
import type { Log } from '../runtime/log.ts';
import type { Organisations } from '../runtime/organisations.ts';
import { startTicker } from '../runtime/ticker.ts';

const TICK_MS = 5_000;
/** Pause between two sums of what retention has counted. */
const SUM_PAUSE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Share of the limit from which on the log warns, and traces are counted often. */
const NEAR_SHARE = 0.8;
/** Pause after a count near the limit, as a multiple of its duration, so that counting takes few of the reads. */
const PAUSE_RATIO = 20;
const MAX_PAUSE_MS = 60_000;
/** Seconds after which a sender retries while the traces are counted. */
const RETRY_SECONDS = 3;

export interface StoredBytesOptions extends Pick<MeasureDeps, 'read' | 'write' | 'now'> {
  /** Returns the version of the store; see `Storage`. */
  version: () => string;
  /** Returns milliseconds of a clock that never jumps. */
  elapsed: () => number;
  organisations: Organisations;
  /** Most bytes of traces of an organisation; null = no limit. */
  limit: number | null;
  log: Log;
}

/** Watch over the bytes of the traces of each organisation. */
export interface StoredBytes {
  /**
   * Throws AppError `forbidden` if the organisation of an application stores as much as it may, and `rate_limited` if that is
   * only estimated so far.
   */
  admit: (application: number) => void;
  /** Counts what is due now. */
  refresh: () => Promise<void>;
  stop: () => Promise<void>;
}

/**
 * Keeps the stored bytes of organisations up to date. Between two counts, what was stored since is added, so that a request costs
 * no look at the store. Without a limit, only the sums of what retention has counted are read.
 */
export function watchStoredBytes(options: StoredBytesOptions): StoredBytes {
  const { organisations, limit } = options;
  const watch = new StoredBytesWatch(options);
  const first = watch.refresh();
  const ticker = startTicker(TICK_MS, () => watch.refresh());
  return {
    admit: (application) => {
      const id = limit === null ? null : organisations.idOf(application);
      if (limit === null || id === null || organisations.storedBytes(id) < limit) return;
      if (organisations.countedBytes(id) >= limit) throw overLimit(limit);
      throw new AppError(
        'rate_limited',
        `The organisation stores about ${limit} bytes of traces, the most allowed, and they are being counted; retry in a few seconds`,
        { retryAfter: RETRY_SECONDS },
      );
    },
    refresh: () => watch.refresh(),
    stop: async () => {
      watch.stop();
      await Promise.all([first, ticker.stop()]);
    },
  };
}

/** Senders do not repeat a request that is rejected so: it would be rejected until someone deletes traces. */
const overLimit = (limit: number): AppError =>
  new AppError(
    'forbidden',
    `The organisation stores ${limit} bytes of traces, the most allowed; delete traces, shorten retention, or ask the operator to raise TOUCHSTONE_ORGANISATION_STORED_BYTES`,
  );

interface LastCount {
  version: string;
  /** Time of its end, in milliseconds of `elapsed`. */
  at: number;
  tookMs: number;
}

class StoredBytesWatch {
  private readonly options: StoredBytesOptions;
  private readonly counts = new Map<string, LastCount>();
  private readonly warned = new Set<string>();
  private isStopped = false;
  private running: Promise<void> | null = null;
  private summed: { version: string; at: number } | null = null;

  constructor(options: StoredBytesOptions) {
    this.options = options;
  }

  stop(): void {
    this.isStopped = true;
  }

  /** Counts what is due now; calls during a count share it. */
  refresh(): Promise<void> {
    this.running ??= this.refreshOnce().finally(() => (this.running = null));
    return this.running;
  }

  private async refreshOnce(): Promise<void> {
    const { limit, log } = this.options;
    if (this.isStopped) return;
    try {
      if (limit === null || this.summed === null) await this.sum();
      if (limit !== null) await this.countDue(limit);
    } catch (error) {
      if (!this.isStopped) log.warn('stored bytes could not be counted; retrying later', { error });
    }
  }

  /** Reads what retention has counted last. */
  private async sum(): Promise<void> {
    const { read, version, elapsed, organisations } = this.options;
    const current = { version: version(), at: elapsed() };
    if (this.summed?.version === current.version) return;
    if (this.summed && current.at - this.summed.at < SUM_PAUSE_MS) return;
    const sums = new Map((await read(storedByOrganisation, null)).map(({ orgId, bytes }) => [orgId, bytes]));
    for (const { id } of organisations.list()) {
      const bytes = sums.get(id) ?? 0;
      // Unless retention has counted again, what was stored since still counts.
      if (bytes !== organisations.countedBytes(id))
        organisations.setStored(id, bytes, organisations.bytesSinceStart(id));
    }
    this.summed = current;
  }

  private async countDue(limit: number): Promise<void> {
    const { version, organisations, elapsed } = this.options;
    const due = organisations.list().filter(({ id, storedBytes }) => {
      const last = this.counts.get(id);
      if (!last) return true;
      const pause =
        storedBytes >= NEAR_SHARE * limit ? Math.min(MAX_PAUSE_MS, last.tookMs * PAUSE_RATIO) : HOUR_MS;
      return version() !== last.version && elapsed() - last.at >= pause;
    });
    if (due.length === 0) return;
    const applications = await this.options.read(applicationsWithTraces, null);
    for (const { id } of due) {
      if (this.isStopped) return;
      const own = applications.filter((application) => organisations.idOf(application) === id);
      await this.count(id, own, limit);
    }
  }

  private async count(id: string, applications: readonly number[], limit: number): Promise<void> {
    const { read, write, now, version, elapsed, organisations } = this.options;
    // Read first: what changes meanwhile is counted again, and what is stored meanwhile counts twice until then.
    const before = { version: version(), bytes: organisations.bytesSinceStart(id) };
    const begun = elapsed();
    let bytes = 0;
    for (const application of applications) {
      await measureDays({ read, write, now, isStopped: () => this.isStopped }, application);
      bytes += sumOfAmounts(await read(storedDays, { application })).bytes;
    }
    if (this.isStopped) return;
    organisations.setStored(id, bytes, before.bytes);
    this.counts.set(id, { version: before.version, at: elapsed(), tookMs: elapsed() - begun });
    this.warn(id, bytes, limit);
  }

  private warn(organisationId: string, bytes: number, limit: number): void {
    const isNear = bytes >= NEAR_SHARE * limit;
    if (isNear && !this.warned.has(organisationId))
      this.options.log.warn('an organisation stores nearly as many bytes of traces as it may', {
        organisationId,
        bytes,
        limit,
      });
    if (isNear) this.warned.add(organisationId);
    else this.warned.delete(organisationId);
  }
}
