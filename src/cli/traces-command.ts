import type { ListedTrace } from '../api/generated/schema.ts';
import type { Io } from './io.ts';
import { printList, readServer, rowLimit, withoutWords } from './read-server.ts';
import { formatTable } from './tables.ts';
import { durationText, timeText, truncateLine } from './terminal-text.ts';

const TEXT_WIDTH = 40;

/** Lists the latest traces, newest first. */
export async function tracesCommand(args: readonly string[], io: Io): Promise<void> {
  const { flags, words, read } = readServer('traces', args, io, {
    values: ['--search', '--session', '--limit'],
    switches: ['--errors'],
  });
  withoutWords('traces', words);
  const [search, session] = [flags.get('--search'), flags.get('--session')];
  const query = {
    limit: rowLimit(flags),
    ...(search !== undefined && { search }),
    ...(session !== undefined && { sessionId: [session] }),
    ...(flags.has('--errors') && { hasErrors: true }),
  };
  const listed = await read((api, init) => api.GET('/v0/traces', { params: { query }, ...init }));
  printList(io, flags, listed, { what: 'trace', tableOf, next: `Draw one: ${io.program} trace ID` });
}

const tableOf = (traces: readonly ListedTrace[]): string =>
  formatTable(
    ['TRACE', 'STARTED (UTC)', 'DURATION', 'SPANS', 'ERRORS', 'NAME', 'INPUT'],
    traces.map((trace) => [
      trace.id,
      timeText(trace.timestamp),
      durationText(trace.durationMs),
      String(trace.spanCount),
      String(trace.errorCount),
      truncateLine(trace.rootName, TEXT_WIDTH),
      truncateLine(trace.input ?? '-', TEXT_WIDTH),
    ]),
  );
