/**
 * Details that steps may report about their course. A value of another type than the expected one never rejects the step: it is
 * kept as metadata.
 */
import { jsonText } from '../../traces/conventions/json.ts';
import type { JsonValue } from '../../traces/span-wire.ts';
import type { AttributeName, AttributeValue } from './draft.ts';
import type { Fields } from './fields.ts';
import { parseTimestamp } from './timestamp.ts';

type Reader = (value: unknown) => AttributeValue | undefined;

const text: Reader = (value) =>
  typeof value === 'string' && value !== '' ? value.toWellFormed() : undefined;
const amount: Reader = (value) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
const STATUSES: ReadonlySet<unknown> = new Set(['success', 'error', 'timeout', 'pending']);

/** Attribute of each detail, and how its value is read; undefined for a value that is not valid. */
const ATTRIBUTES: Readonly<Record<string, readonly [AttributeName, Reader]>> = {
  status: ['touchstone.status', (value) => (STATUSES.has(value) ? (value as string) : undefined)],
  statusCode: ['touchstone.status_code', (value) => text(typeof value === 'number' ? String(value) : value)],
  error: ['touchstone.error', text],
  costAmount: ['gen_ai.usage.cost', amount],
  finishReason: ['gen_ai.response.finish_reasons', text],
  toolCallId: ['gen_ai.tool.call.id', text],
  guardrailAction: ['touchstone.guardrail.action', text],
  guardrailTriggered: [
    'touchstone.guardrail.triggered',
    (value) => (typeof value === 'boolean' ? value : undefined),
  ],
  guardrailType: ['touchstone.guardrail.type', text],
  evaluatorName: ['touchstone.evaluator.name', text],
  evaluationScore: [
    'touchstone.evaluation.score',
    (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined),
  ],
  evaluationLabel: ['touchstone.evaluation.label', text],
  evaluationExplanation: [
    'touchstone.evaluation.explanation',
    (value) => (typeof value === 'object' && value !== null ? jsonText(value as JsonValue) : text(value)),
  ],
};

export interface StepDetails {
  attributes: ReadonlyMap<AttributeName, AttributeValue>;
  /** Time of the end in Unix nanoseconds; null if the step reports none. */
  endTime: bigint | null;
  /** Duration in nanoseconds. */
  duration: bigint | null;
  /** Details that are not valid, to be kept as metadata. */
  rest: Fields;
}

/** Longest duration, in milliseconds: ten years. */
const MAX_DURATION_MS = 3.2e11;

/** Reads the details of a step that its schema has. */
export function readStepDetails(event: Fields, shape: object): StepDetails {
  const attributes = new Map<AttributeName, AttributeValue>();
  const rest: Record<string, unknown> = {};
  const given = (name: string): unknown =>
    Object.hasOwn(shape, name) ? (event[name] ?? undefined) : undefined;
  for (const [name, [attribute, read]] of Object.entries(ATTRIBUTES)) {
    const value = given(name);
    const found = read(value);
    if (found !== undefined) attributes.set(attribute, found);
    else if (value !== undefined) rest[name] = value;
  }
  const [end, duration] = [given('endTime'), given('durationMs')];
  const endTime = typeof end === 'string' || typeof end === 'number' ? parseTimestamp(end) : null;
  if (end !== undefined && endTime === null) rest['endTime'] = end;
  const milliseconds = amount(duration);
  const isDuration = typeof milliseconds === 'number' && milliseconds <= MAX_DURATION_MS;
  if (duration !== undefined && !isDuration) rest['durationMs'] = duration;
  return {
    attributes,
    endTime,
    duration: isDuration ? BigInt(Math.round(milliseconds * 1e6)) : null,
    rest,
  };
}
