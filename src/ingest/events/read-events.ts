import { eachInTurns, type Steps } from '../../runtime/steps.ts';
import { formatUuid, parseId } from '../../traces/ids.ts';
import { MAX_ITEMS } from './contract.ts';
import { EventError, isTraceEvent, readStep, readTraceEvent, type StepFacts } from './facts.ts';
import type { Fields } from './fields.ts';
import type { EventResult } from './outcome.ts';
import { type Patch, stepPatch, tracePatch } from './patch.ts';

export interface ReadEvents {
  /** Results of the events, in order. */
  results: EventResult[];
  /** Patches of all valid events and their nested steps, in order. */
  patches: Patch[];
  /** Number of events and nested steps. */
  received: number;
  /** Number of rejected events and nested steps, by reason. */
  rejected: Record<string, number>;
}

interface Trace {
  id: Buffer;
  isNew: boolean;
}

/** Checks the events one by one, in steps. An invalid one is rejected with its nested steps; the others are unaffected. */
export function* readEvents(events: readonly unknown[], newTraceId: () => Buffer): Steps<ReadEvents> {
  const read: ReadEvents = { results: [], patches: [], received: 0, rejected: {} };
  const ordinals = new Map<string, number>();
  let itemsLeft = MAX_ITEMS - events.length;
  /** Trace of the last `trace` event, to which a step without traceId belongs. */
  let current: Trace | 'none' | 'failed' = 'none';

  yield* eachInTurns(events, (event) => {
    const items = 1 + countNested(event);
    read.received += items;
    try {
      if (isTraceEvent(event)) {
        current = 'failed';
        if (items - 1 > itemsLeft) throw tooManySteps(itemsLeft);
        const { trace, patches } = readWholeTrace(event, newTraceId, ordinals);
        current = trace;
        itemsLeft -= items - 1;
        for (const patch of patches) read.patches.push(patch);
        read.results.push({ success: true, id: formatUuid(trace.id) });
      } else {
        const step = readStep(event, '');
        const trace = traceOf(step, current);
        read.patches.push(stepPatch(step, trace.id, trace.isNew, ordinals));
        read.results.push({ success: true });
      }
    } catch (error) {
      if (!(error instanceof EventError)) throw error;
      read.rejected[error.reason] = (read.rejected[error.reason] ?? 0) + items;
      read.results.push({ success: false, error: error.message });
    }
  });
  setOrder(read.patches);
  return read;
}

/** Counts earlier steps with the same time in the same trace, so that a tree keeps the order in which they were sent. */
function setOrder(patches: readonly Patch[]): void {
  const ordersAt = new Map<string, Map<string, number>>();
  for (const patch of patches) {
    if (patch.type === 'trace' || patch.phase === 'end') continue;
    const place = `${patch.traceId.toString('latin1')} ${patch.time}`;
    const orders = ordersAt.get(place) ?? new Map<string, number>();
    ordersAt.set(place, orders);
    const spanId = patch.spanId.toString('latin1');
    patch.order = orders.get(spanId) ?? orders.size;
    orders.set(spanId, patch.order);
  }
}

function countNested(event: unknown): number {
  return isTraceEvent(event) && Array.isArray(event['steps']) ? event['steps'].length : 0;
}

function readWholeTrace(
  event: Fields,
  newTraceId: () => Buffer,
  ordinals: Map<string, number>,
): { trace: Trace; patches: Patch[] } {
  const facts = readTraceEvent(event);
  const isNew = facts.traceId === null;
  const trace = { id: facts.traceId === null ? newTraceId() : parseId(facts.traceId), isNew };
  const steps = facts.steps.map((step, place) => readNested(step, `steps.${place}.`, trace.id));
  const patches = [tracePatch(facts, trace.id, isNew)];
  for (const step of steps) patches.push(stepPatch(step, trace.id, isNew, ordinals));
  return { trace, patches };
}

function readNested(event: unknown, path: string, traceId: Buffer): StepFacts {
  const step = readStep(event, path);
  if (step.traceId !== null && !parseId(step.traceId).equals(traceId)) {
    throw new EventError(
      'invalid_event',
      `${path}traceId: differs from that of the enclosing event; omit it`,
    );
  }
  return step;
}

function traceOf(step: StepFacts, current: Trace | 'none' | 'failed'): Trace {
  if (step.traceId !== null) return { id: parseId(step.traceId), isNew: false };
  if (current === 'none') {
    throw new EventError('no_trace', 'traceId: required, because no trace event precedes this step');
  }
  if (current === 'failed') {
    throw new EventError('no_trace', 'traceId: required, because the trace event before this step failed');
  }
  return current;
}

function tooManySteps(itemsLeft: number): EventError {
  const left = Math.max(0, itemsLeft);
  return new EventError(
    'too_many_steps',
    `steps: a call accepts at most ${MAX_ITEMS} events and nested steps, of which ${left} were left for these; send them in several calls`,
  );
}
