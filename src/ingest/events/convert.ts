import type { NativeOutcome } from './outcome.ts';
import { applyAll } from './pairing.ts';
import { readEvents } from './read-events.ts';
import { SpanTable } from './span-table.ts';
import { type FindStored, lookUpStored } from './stored.ts';

/**
 * Turns the `events` of one `POST /v0/ingest` into OpenTelemetry spans. Bad events are told in `results` and never
 * throw; what `findStored` throws passes through. `newTraceId` gives the 16 bytes of a random uuid.
 */
export async function convertEvents(
  events: readonly unknown[],
  newTraceId: () => Buffer,
  findStored: FindStored,
): Promise<NativeOutcome> {
  const { results, patches, received, rejected } = readEvents(events, newTraceId);
  const table = new SpanTable(await lookUpStored(patches, findStored));
  const aliases = applyAll(table, patches);
  return { results, ...table.finish(), aliases, received, rejected };
}
