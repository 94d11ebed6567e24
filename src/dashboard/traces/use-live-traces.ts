import { useEffect, useState } from 'react';
import type { ListedTrace } from '../../api/generated/schema.ts';
import { serverEvents } from '../api/events.ts';
import { useSession } from '../api/session.ts';
import { waitFor } from '../app/pause.ts';
import type { TracesQuery } from './filter.ts';

/** Pauses before a stream that ended is opened again, in milliseconds. */
const PAUSES_MS = [500, 2_000, 5_000, 15_000];
/** Most new traces that are kept; more are only known to be more. */
const MAX_NEW = 1_000;
/** Milliseconds for which changes are collected before the page shows them. */
const COLLECT_MS = 300;

export interface LiveTraces {
  isConnected: boolean;
  /** The traces that arrived or grew since `since`, by id, the latest change last. */
  changed: ReadonlyMap<string, ListedTrace>;
  /** True if there are more changes than `changed` contains. */
  isTruncated: boolean;
}

const NONE: LiveTraces = { isConnected: false, changed: new Map(), isTruncated: false };

interface Beginning {
  /** Time since which changes are wanted, in Unix milliseconds of the server. */
  since: number;
  /** Changes when everything is to begin again. */
  version: number;
}

/** Follows the traces that match a filter while `isOn`. */
export function useLiveTraces(query: TracesQuery, isOn: boolean, { since, version }: Beginning): LiveTraces {
  const { client } = useSession();
  const [live, setLive] = useState(NONE);
  const key = JSON.stringify(query);
  useEffect(() => {
    setLive(NONE);
    if (!isOn) return undefined;
    const stop = new AbortController();
    void follow(stop.signal);
    return () => stop.abort();

    async function follow(signal: AbortSignal): Promise<void> {
      const changes = collectChanges(setLive);
      let lastId = String(since);
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
            else if (name === 'missed') changes.miss();
            else changes.connect(true);
          }
        } catch {
          // The list shows what is known; the next attempt may succeed.
        }
        changes.connect(false);
        await waitFor(PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)] ?? 0, signal);
      }
    }
  }, [client, key, isOn, since, version]);
  return live;
}

/** Collects changes, so that a busy stream renders the page a few times a second. */
function collectChanges(publish: (live: LiveTraces) => void) {
  const changed = new Map<string, ListedTrace>();
  let isConnected = false;
  let isTruncated = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      publish({ isConnected, changed: new Map(changed), isTruncated });
    }, COLLECT_MS);
  };
  return {
    add(trace: ListedTrace): void {
      if (!changed.has(trace.id) && changed.size >= MAX_NEW) isTruncated = true;
      else {
        changed.delete(trace.id);
        changed.set(trace.id, trace);
      }
      soon();
    },
    miss(): void {
      isTruncated = true;
      soon();
    },
    connect(isOpen: boolean): void {
      isConnected = isOpen;
      soon();
    },
  };
}
