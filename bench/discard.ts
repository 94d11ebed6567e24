import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { answerCall, type CallMessage } from '../src/runtime/thread-calls.ts';
import type { StoreOutcome, StoreSpans } from '../src/traces/store.ts';

/** A line to a "writer" that keeps nothing: what ingest could do at best, were storing free. */
export function connectDiscard(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port2.on('message', ({ id, name, args }: CallMessage) => {
    const outcome: StoreOutcome = {
      stored: name === 'storeSpans' ? (args as StoreSpans).received : 0,
      duplicate: 0,
      replaced: 0,
      refused: [],
    };
    answerCall(port2, id, name === 'storeSpans' ? outcome : []);
  });
  port2.unref();
  return port1;
}
