import { useEffect, useState } from 'react';
import type { ListedTrace } from '../../api/generated/schema.ts';
import { serverEvents } from '../api/events.ts';
import { useSession } from '../api/session.ts';
import { waitFor } from '../app/pause.ts';
import type { TracesQuery } from './query.ts';
import { LiveChanges, type LoadedList, type SeenTraces } from './live-changes.ts';

/** Pauses before a stream that ended is opened again, in milliseconds. */
const PAUSES_MS = [500, 2_000, 5_000, 15_000];
/** Milliseconds for which changes are collected before the page shows them. */
const COLLECT_MS = 300;

export interface LiveTraces {
  /** `lost` from a failure of the stream until it is open again. */
  connection: 'opening' | 'open' | 'lost';
  /** Rows of the list that have changed since it was loaded, by id. */
  changed: ReadonlyMap<string, ListedTrace>;
  /** Ids of the traces that are new since then. */
  newIds: ReadonlySet<string>;
  /** True if there may be more new traces. */
  isTruncated: boolean;
}

const NONE: LiveTraces = {
  connection: 'opening',
  changed: new Map(),
  newIds: new Set(),
  isTruncated: false,
};

/** Follows the changes of a list, undefined until it has loaded, while `isOn`. */
export function useLiveTraces(
  query: TracesQuery,
  isOn: boolean,
  list: LoadedList | undefined,
  seen: SeenTraces,
): LiveTraces {
  const { client } = useSession();
  const [live, setLive] = useState(NONE);
  const key = JSON.stringify(query);
  useEffect(() => {
    setLive(NONE);
    if (!isOn || list === undefined) return undefined;
    const stop = new AbortController();
    void follow(list, stop.signal);
    return () => stop.abort();

    async function follow(loaded: LoadedList, signal: AbortSignal): Promise<void> {
      const changes = collectChanges(new LiveChanges(loaded, seen), setLive);
      let lastId = String(loaded.since);
      for (let attempt = 0; !signal.aborted; attempt += 1) {
        try {
          const call = client.GET('/v0/traces/stream', {
            params: { query: JSON.parse(key) as TracesQuery, header: { 'last-event-id': lastId } },
            parseAs: 'stream',
            signal,
          });
          for await (const { name, data, id } of serverEvents(call)) {
            attempt = 0;
            if (id !== '') lastId = id;
            if (name === 'trace') changes.add(JSON.parse(data) as ListedTrace);
            else if (name === 'missed') changes.miss(data);
            else changes.open(Number(id));
          }
        } catch {
          // The list shows what is known; the next attempt may succeed.
        }
        if (!signal.aborted) changes.lose();
        await waitFor(PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)] ?? 0, signal);
      }
    }
  }, [client, key, isOn, list, seen]);
  return live;
}

/** Collects changes, so that a busy stream renders the page a few times a second. */
function collectChanges(changes: LiveChanges, publish: (live: LiveTraces) => void) {
  let connection: LiveTraces['connection'] = 'opening';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      const { rows, newIds, isTruncated } = changes;
      publish({ connection, changed: new Map(rows), newIds: new Set(newIds), isTruncated });
    }, COLLECT_MS);
  };
  return {
    add(trace: ListedTrace): void {
      changes.add(trace);
      soon();
    },
    /** Notes that changes were left out; among repeated ones only those of the newest traces matter, which the stream has. */
    miss(data: string): void {
      if ((JSON.parse(data) as { isRepeat?: boolean }).isRepeat) return;
      changes.isTruncated = true;
      soon();
    },
    open(at: number): void {
      changes.open(at);
      connection = 'open';
      soon();
    },
    lose(): void {
      connection = 'lost';
      soon();
    },
  };
}
