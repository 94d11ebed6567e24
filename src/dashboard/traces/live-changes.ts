import type { ListedTrace } from '../../api/generated/schema.ts';

/** Most new traces that are kept; more are only known to be more. */
const MAX_NEW = 1_000;
/** Most ids that are remembered as seen; the oldest are forgotten first. */
const MAX_SEEN = 10_000;

/** A list of traces as it was loaded. */
export interface LoadedList {
  /** Ids of its rows. */
  ids: ReadonlySet<string>;
  /** Time of the latest change of a row, in Unix milliseconds of the server; 0 for an empty list. */
  since: number;
  /** Start of the last row of a full page; traces that began later belong on the page. */
  oldest: number;
  /** Changes when everything begins again. */
  version: number;
}

/** Describes a list whose rows were loaded as `version`. On a page with fewer rows than `pageSize`, every trace has a place. */
export function loadedList(rows: readonly ListedTrace[], pageSize: number, version: number): LoadedList {
  const last = rows.length < pageSize ? undefined : rows.at(-1);
  return {
    ids: new Set(rows.map(({ id }) => id)),
    since: Math.max(0, ...rows.map(({ modifiedAt }) => Date.parse(modifiedAt))),
    oldest: last === undefined ? Number.NEGATIVE_INFINITY : Date.parse(last.timestamp),
    version,
  };
}

/** Ids of traces that the person has seen, in the list or in a count. */
export class SeenTraces {
  private readonly ids = new Set<string>();

  has(id: string): boolean {
    return this.ids.has(id);
  }

  add(ids: Iterable<string>): void {
    for (const id of ids) {
      this.ids.delete(id);
      this.ids.add(id);
    }
    for (const id of [...this.ids].slice(0, -MAX_SEEN)) this.ids.delete(id);
  }
}

/**
 * Collects the changes of a list that a stream reports. A stream repeats earlier changes when it begins, so that a trace is
 * new only if it was stored after the stream was opened or began after the last row, and was not seen before.
 */
export class LiveChanges {
  readonly rows = new Map<string, ListedTrace>();
  readonly newIds = new Set<string>();
  isTruncated = false;
  private readonly list: LoadedList;
  /** Time when the stream was first opened, in Unix milliseconds of the server. */
  private openedAt = Number.POSITIVE_INFINITY;
  private readonly seen: SeenTraces;

  constructor(list: LoadedList, seen: SeenTraces) {
    this.list = list;
    this.seen = seen;
  }

  open(at: number): void {
    this.openedAt = Math.min(this.openedAt, at);
  }

  add(trace: ListedTrace): void {
    if (this.list.ids.has(trace.id)) this.rows.set(trace.id, trace);
    else if (this.isNew(trace)) {
      if (this.newIds.size < MAX_NEW || this.newIds.has(trace.id)) this.newIds.add(trace.id);
      else this.isTruncated = true;
    }
  }

  private isNew({ id, createdAt, timestamp }: ListedTrace): boolean {
    if (this.seen.has(id)) return false;
    return Date.parse(createdAt) >= this.openedAt || Date.parse(timestamp) > this.list.oldest;
  }
}
