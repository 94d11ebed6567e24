import type { Given } from './content.ts';
import type { SpanView } from './conventions/span-view.ts';
import type { SpanMapping } from './mapping.ts';

/** Event that OpenInference records when the first part of a stream arrives. */
const FIRST_TOKEN_EVENT = 'First Token Stream Event';

/**
 * Returns the milliseconds from the start of a model call, in Unix nanoseconds, to the first part of its response. Senders
 * report them, or the time of that part.
 */
export function firstTokenOf(start: bigint, mapping: SpanMapping, view: SpanView): Given<number> | null {
  const rule = mapping.ruleOf('firstTokenMs');
  if (!rule) return null;
  const source = { vocabulary: rule.vocabulary, from: rule.key };
  if (rule.key === `event ${FIRST_TOKEN_EVENT}`) {
    const event = view.happenings.find(({ name }) => name === FIRST_TOKEN_EVENT);
    return event ? { value: Number(event.time - start) / 1e6, ...source } : null;
  }
  const amount = mapping.amount('firstTokenMs');
  if (amount > 0) return { value: amount, ...source };
  const at = Date.parse((mapping.text('firstTokenMs') ?? '').replaceAll('"', ''));
  const value = at - Number(start / 1_000n) / 1_000;
  return value >= 0 ? { value, ...source } : null;
}
