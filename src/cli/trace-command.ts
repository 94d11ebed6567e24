import { StartupError } from '../errors.ts';
import type { Io } from './io.ts';
import { printJson, readServer, type ServerReader } from './read-server.ts';
import { RejectedError } from './test-calls.ts';
import { drawTrace } from './trace-tree.ts';

const ID = /^(?:[\da-f]{32}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;
const MAX_SPANS = 1_000;

/** Draws the spans of one trace, which is named by its own id or by that of its test. */
export async function showTrace(args: readonly string[], io: Io): Promise<void> {
  const { flags, words, read } = readServer('trace', args, io);
  const [id, ...others] = words;
  if (id === undefined || others.length > 0 || !ID.test(id))
    throw new StartupError(
      `trace takes one id, of a trace or of a test${id === undefined ? '' : `, not ${JSON.stringify(words.join(' ').slice(0, 80))}`}; see traces and tests.`,
    );
  const trace = await findTrace(id, read);
  const params = { path: { id: trace.id }, query: { limit: MAX_SPANS } };
  const spans = await read((api, init) => api.GET('/v0/traces/{id}/spans', { params, ...init }));
  if (flags.has('--json')) printJson(io, { trace, spans: spans.data });
  else io.out(`${drawTrace(trace, spans.data)}\n`);
}

async function findTrace(id: string, read: ServerReader['read']) {
  const missing = (error: unknown): null => {
    if (error instanceof RejectedError && error.status === 404) return null;
    throw error;
  };
  const own = await read((api, init) =>
    api.GET('/v0/traces/{id}', { params: { path: { id } }, ...init }),
  ).catch(missing);
  if (own) return own.data;
  const params = { path: { testId: id } };
  const ofTest = id.includes('-')
    ? await read((api, init) => api.GET('/v0/traces/by-test/{testId}', { params, ...init })).catch(missing)
    : null;
  if (ofTest) return ofTest.data;
  throw new StartupError(
    `There is no trace ${id}, and no trace of a test with this id. Spans that were sent less than two seconds ago may still arrive; see traces.`,
  );
}
