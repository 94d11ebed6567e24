import type { NativeOutcome } from './outcome.ts';
import { applyAll } from './pairing.ts';
import { readEvents } from './read-events.ts';
import { SpanTable } from './span-table.ts';
import { type FindStored, lookUpStored } from './stored.ts';

/** Runs work of the thread when the turn of its application has come. */
export type RunInTurn = <T>(work: () => T) => Promise<T>;

/**
 * Converts the `events` of one `POST /v0/ingest` into OpenTelemetry spans. Invalid events are reported in `results`
 * and never throw; errors of `findStored` are passed on. `newTraceId` returns the 16 bytes of a random uuid. All
 * expensive work runs in turns.
 */
export async function convertEvents(
  events: readonly unknown[],
  newTraceId: () => Buffer,
  findStored: FindStored,
  inTurn: RunInTurn = async (work) => work(),
): Promise<NativeOutcome> {
  const read = await inTurn(() => readEvents(events, newTraceId));
  const { results, patches, received, rejected } = read;
  const stored = await lookUpStored(patches, findStored);
  return inTurn(() => {
    const table = new SpanTable(stored);
    const aliases = applyAll(table, patches);
    return { results, ...table.finish(), aliases, received, rejected };
  });
}
