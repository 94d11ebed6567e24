import type { Database } from '../storage/database.ts';
import type { StoredTrace } from '../traces/load.ts';
import { OpenTrace } from '../traces/open-trace.ts';
import type { BoundedTexts } from './bounded-texts.ts';
import type { Turn } from './subject.ts';

/** Most traces of a conversation that are read, the latest ones. */
const MAX_TRACES = 50;

/** Loads the turns of a test, one of each of its traces, earliest first. */
export function loadTurns(
  database: Database,
  { traces, texts }: { traces: readonly StoredTrace[]; texts: BoundedTexts },
): { turns: Turn[]; isTruncated: boolean } {
  const turns = traces.slice(-MAX_TRACES).flatMap((stored): Turn[] => {
    const trace = new OpenTrace(database, stored);
    const [input, output] = [texts.take(trace.content('input')), texts.take(trace.content('output'))];
    // The trace of a delivery has neither.
    return input === null && output === null ? [] : [{ input, output }];
  });
  return { turns, isTruncated: traces.length > MAX_TRACES };
}
