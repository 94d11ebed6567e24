import type { Io } from './io.ts';
import { printJson, readServer, rowLimit, withoutWords } from './read-server.ts';
import { table } from './tables.ts';
import { countText, durationText, timeText, truncate } from './terminal-text.ts';

const TEXT_WIDTH = 40;

/** Lists the latest traces, newest first. */
export async function listTraces(args: readonly string[], io: Io): Promise<void> {
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
  if (flags.has('--json')) {
    printJson(io, listed);
    return;
  }
  const { data, pagination } = listed;
  if (data.length === 0) {
    io.out('There is no such trace yet.\n');
    return;
  }
  const rows = data.map((trace) => [
    trace.id,
    timeText(trace.timestamp),
    durationText(trace.durationMs),
    String(trace.spanCount),
    String(trace.errorCount),
    truncate(trace.rootName, TEXT_WIDTH),
    truncate(trace.input ?? '-', TEXT_WIDTH),
  ]);
  io.out(table(['TRACE', 'STARTED (UTC)', 'DURATION', 'SPANS', 'ERRORS', 'NAME', 'INPUT'], rows));
  io.out(`\n${data.length} of ${countText(pagination.total, 'trace')}. Draw one: ${io.program} trace ID\n`);
}
