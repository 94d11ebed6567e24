import type { NativeOutcome } from './outcome.ts';
import { inOneTurn, type Steps } from '../../runtime/steps.ts';
import type { Patch } from './patch.ts';
import { applyAll } from './pairing.ts';
import { readEvents } from './read-events.ts';
import { SpanTable } from './span-table.ts';
import { type FindStored, lookUpStored } from './stored.ts';

/** Number of patches that take more than one turn. */
const MANY_PATCHES = 500;

/** Runs work of the thread in turns of its application. */
export type RunInTurns = <T>(work: Steps<T>) => Promise<T>;

/**
 * Converts the `events` of one `POST /v0/ingest` into OpenTelemetry spans. Invalid events are reported in `results`
 * and never throw; errors of `findStored` are passed on. `newTraceId` returns the 16 bytes of a random uuid. All
 * expensive work runs in turns.
 */
export async function convertEvents(
  events: readonly unknown[],
  newTraceId: () => Buffer,
  findStored: FindStored,
  inTurns: RunInTurns = async (work) => inOneTurn(work),
): Promise<NativeOutcome> {
  const read = await inTurns(readEvents(events, newTraceId));
  const { results, patches, received, rejected } = read;
  const stored = await lookUpStored(patches, findStored);
  const { aliases, ...finished } = await inTurns(applied(new SpanTable(stored), patches));
  return { results, ...finished, aliases, received, rejected };
}

function* applied(
  table: SpanTable,
  patches: readonly Patch[],
): Steps<ReturnType<SpanTable['finish']> & Pick<NativeOutcome, 'aliases'>> {
  const aliases = applyAll(table, patches);
  if (patches.length > MANY_PATCHES) yield;
  return { ...table.finish(), aliases };
}
