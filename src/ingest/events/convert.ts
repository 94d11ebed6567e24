import type { NativeOutcome } from './outcome.ts';
import { applyAll } from './pairing.ts';
import { readEvents } from './read-events.ts';
import { SpanTable } from './span-table.ts';
import { type FindStored, lookUpStored } from './stored.ts';

/** Runs work of the thread when its turn has come. */
export type RunInTurn = <T>(work: () => T) => Promise<T>;

/**
 * Turns the `events` of one `POST /v0/ingest` into OpenTelemetry spans. Bad events are told in `results` and never
 * throw; what `findStored` throws passes through. `newTraceId` gives the 16 bytes of a random uuid. All that takes time is
 * done in turns.
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
