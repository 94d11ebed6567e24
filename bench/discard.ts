import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { openEnvelope } from '../src/runtime/outbox.ts';
import { type CallEnvelope, ThreadResponder } from '../src/runtime/thread-calls.ts';
import type { PackedSlice } from '../src/traces/packed-slices.ts';
import type { StoreOutcome } from '../src/traces/store.ts';

/** A line to a "writer" that keeps nothing: what ingest could do at best, were storing free. */
export function connectDiscard(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  const responder = new ThreadResponder(port2);
  port2.on('message', (calls: CallEnvelope) => {
    openEnvelope(calls, ({ id, name, args }) => {
      responder.answer(id, name === 'storeSlices' ? (args as PackedSlice[]).map(discarded) : []);
    });
  });
  port2.unref();
  return port1;
}

const discarded = ({ received }: PackedSlice): StoreOutcome => ({
  stored: received,
  duplicate: 0,
  replaced: 0,
  rejected: [],
});
