import type { Database } from '../../storage/database.ts';
import type { Owner } from '../../contract/owner.ts';
import { loadSubject } from '../../evaluate/load-subject.ts';
import { wholeDocument } from '../documents/store.ts';
import { documents as documentRows } from '../documents/record.ts';
import type { ReviewContent } from './contract.ts';

/** Most characters of a document that are shown. */
const MAX_DOCUMENT = 20_000;
const MAX_STEPS = 100;

/**
 * Returns what a reviewer judges: the conversation up to the trace, the tool calls of the app, and documents. Model, version and
 * time are left out, so that they do not sway the verdict.
 */
export function reviewContent(
  database: Database,
  { owner, traceId, documentIds }: { owner: Owner; traceId: Uint8Array; documentIds: readonly string[] },
): ReviewContent {
  const { application } = owner;
  const { input, output, turns, toolCalls, isTruncated } = loadSubject(database, {
    application,
    target: { traceId },
    hasTurns: true,
  });
  const known = documentRows.pick('id').byIds(database, application, documentIds);
  return {
    turns: turns.slice(0, -1).map((turn) => ({ input: turn.input, output: turn.output })),
    input,
    output,
    steps: toolCalls.slice(0, MAX_STEPS).map(({ name, arguments: given, result, isError }) => {
      return { name, arguments: given, result, isError };
    }),
    documents: documentIds
      .filter((id) => known.has(id))
      .map((id) => {
        const { title, content } = wholeDocument(database, { owner, id });
        return { id, title, content: content.slice(0, MAX_DOCUMENT) };
      }),
    isTruncated: isTruncated || toolCalls.length > MAX_STEPS,
  };
}
