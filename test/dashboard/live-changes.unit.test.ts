import { expect, it } from 'vitest';
import type { ListedTrace } from '../../src/api/generated/schema.ts';
import { serverEvents } from '../../src/dashboard/api/events.ts';
import { LiveChanges, loadedList, SeenTraces } from '../../src/dashboard/traces/live-changes.ts';

const at = (ms: number): string => new Date(1_767_225_600_000 + ms).toISOString();
/** A trace that began at `start` and was stored at `stored`. */
const trace = (id: string, start: number, stored: number, modified = stored): ListedTrace =>
  ({ id, timestamp: at(start), createdAt: at(stored), modifiedAt: at(modified) }) as ListedTrace;

const PAGE = [trace('a', 20, 100), trace('b', 10, 100)];

it.each([
  ['a row that grew is no new trace', PAGE, trace('a', 20, 100, 200), 0],
  ['a repeated trace that shares its start with the last row is not new', PAGE, trace('c', 10, 100), 0],
  ['a repeated trace before the last row is not new', PAGE, trace('c', 5, 100), 0],
  ['an older trace that was stored after the last change of a row is not new', PAGE, trace('c', 5, 120), 0],
  ['an older trace that grew is not new', PAGE, trace('c', 5, 50, 200), 0],
  ['a trace that was stored later is new', PAGE, trace('c', 30, 200), 1],
  ['a trace that was stored later and began earlier is new', PAGE, trace('c', 5, 200), 1],
  ['a trace of the same moment that began after the last row is new', PAGE, trace('c', 15, 100), 1],
  ['every trace is new to an empty list', [], trace('c', 1, 1), 1],
])('%s', (_rule, rows, change, expected) => {
  const changes = new LiveChanges(loadedList(rows, 2, 0), new SeenTraces());
  changes.open(Date.parse(at(150)));
  changes.add(change);
  expect(changes.newIds.size).toBe(expected);
});

it('a trace that was counted once is not new again', () => {
  const seen = new SeenTraces();
  seen.add(['c']);
  const changes = new LiveChanges(loadedList(PAGE, 2, 0), seen);
  changes.add(trace('c', 30, 200));
  expect(changes.newIds.size).toBe(0);
});

it('repeated changes do not use up the limit of new ones, of which more than 1000 are only known to be more', () => {
  const changes = new LiveChanges(loadedList(PAGE, 2, 0), new SeenTraces());
  changes.open(Date.parse(at(150)));
  for (let n = 0; n < 5_000; n += 1) changes.add(trace(`old ${n}`, 10, 100));
  changes.add(trace('a', 20, 100, 300));
  for (let n = 0; n < 1_001; n += 1) changes.add(trace(`new ${n}`, 30, 300));
  expect([changes.newIds.size, changes.isTruncated, changes.rows.size]).toEqual([1_000, true, 1]);
});

it('a stream that falls silent is taken for broken', async () => {
  const data = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('event: open\ndata: {}\n\n')),
  });
  const response = new Response();
  const events = serverEvents(Promise.resolve({ data, response }), { silenceMs: 20 });
  expect((await events.next()).value).toEqual({ name: 'open', data: '{}', id: '' });
  await expect(events.next()).rejects.toThrow('The stream was silent for 20 ms.');
});
