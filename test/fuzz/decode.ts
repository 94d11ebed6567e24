/** The preparing of request bodies in this thread, without HTTP and without a store: the cheapest inputs. */
import { AppError } from '../../src/errors.ts';
import { Preparer } from '../../src/ingest/prepare.ts';
import type { TracesReply } from '../../src/ingest/requests.ts';
import { MemoryBudget } from '../../src/runtime/memory-budget.ts';
import type { ThreadCaller } from '../../src/runtime/thread-calls.ts';
import type { NativeQuery } from '../../src/traces/native-steps.ts';
import type { StoreSpans } from '../../src/traces/store.ts';
import { SharedCount } from '../../src/runtime/shared-count.ts';
import { PRICES } from '../support/spans.ts';
import { eventsBody, type IngestBody, jsonBody, protobufBody } from './bodies.ts';
import { Dice, seedOf } from './dice.ts';
import { type Kind, type Outcome, showBytes } from './kind.ts';

const MAX_BODY = 4 * 1024 * 1024;
/** What a body that cannot be taken may be answered with. */
const REJECTIONS = new Set(['bad_request', 'too_large', 'invalid']);

/** A writer that takes everything: what the store does with it is the business of other kinds. */
const STORED = { stored: 0, duplicate: 0, replaced: 0, rejected: [] };
const writer = {
  timedCall: async (_name: string, slices: readonly StoreSpans[]) => ({
    value: slices.map(() => STORED),
    tookMs: 0,
  }),
  call: async (name: string, { queries = [] }: { queries?: NativeQuery[] }): Promise<unknown> => {
    if (name === 'findNativeSteps')
      return { answers: queries.map(() => ({ aliases: [], open: [] })), blocks: [], left: [] };
    return name === 'findAnswer' ? null : STORED;
  },
} as unknown as ThreadCaller;

/** A preparer whose store takes everything. */
export function newPreparer({ budgetBytes, maxBodyBytes }: { budgetBytes: number; maxBodyBytes: number }): {
  preparer: Preparer;
  budget: MemoryBudget;
} {
  const budget = new MemoryBudget(budgetBytes);
  const readers = new SharedCount();
  return { budget, preparer: new Preparer({ writer, budget, readers, maxBodyBytes, prices: PRICES }) };
}

async function prepared({ target, format, encoding, bytes }: IngestBody): Promise<Omit<Outcome, 'show'>> {
  const { preparer, budget } = newPreparer({ budgetBytes: 64 * 1024 * 1024, maxBodyBytes: MAX_BODY });
  const body = new Uint8Array(bytes);
  const request = { application: 1, keyId: 'key', at: 1_767_225_600_000, body, encoding, format };
  const faults: string[] = [];
  let answer = 'taken';
  try {
    const reply = await preparer.run(
      target,
      target === 'events' ? { ...request, idempotencyKey: null } : request,
      body,
    );
    if (target === 'traces' && (reply as TracesReply).counts.rejected > 0) answer = 'taken in part';
  } catch (error) {
    answer = error instanceof AppError ? error.code : 'crash';
    if (!REJECTIONS.has(answer)) faults.push(error instanceof Error ? String(error.stack) : String(error));
  }
  if (budget.used !== 0) faults.push(`${budget.used} bytes of the memory budget were not released`);
  return { answer, faults };
}

const decoding = (name: string, share: number, make: (dice: Dice) => IngestBody): Kind => ({
  name,
  share,
  concurrency: 1,
  run: async (seed, index) => {
    const body = make(new Dice(seedOf(seed, name, index)));
    const outcome = await prepared(body);
    return {
      ...outcome,
      show: () => `${body.target} ${body.format} ${body.encoding} ${showBytes(body.bytes)}`,
    };
  },
});

export const decodeKinds: readonly Kind[] = [
  decoding('decode protobuf', 40, protobufBody),
  decoding('decode JSON', 25, jsonBody),
  decoding('decode events', 10, eventsBody),
];
