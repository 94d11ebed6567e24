import type { Content, StepEventType } from './contract.ts';
import type { AttributeName, AttributeValue } from './draft.ts';
import type { EventPhase, StepFacts, TraceEventFacts } from './facts.ts';
import { digest, matchKey, stepSpanId, traceSpanId, unnamedSpanId } from './ids.ts';
import { collectMetadata, type GivenMetadata, writeMetadata } from './metadata.ts';

/** Changes that one event makes to one span; absent fields stay unchanged. */
export interface Patch {
  traceId: Buffer;
  /** True if the trace id was generated for this call, so none of its spans can be stored. */
  isNewTrace: boolean;
  spanId: Buffer;
  /**
   * True if the sender chose the span, by an explicit id or as the trace itself. Otherwise the id derives from the
   * content.
   */
  isNamed: boolean;
  type: 'trace' | StepEventType;
  phase: EventPhase;
  time: bigint;
  /** Time of the end that the event reports; null for one that reports none. */
  endTime: bigint | null;
  /** Duration that the event reports, in nanoseconds. */
  duration: bigint | null;
  /** Number of earlier steps of the call with the same time in the same trace. */
  order: number;
  name: string | null;
  /** Parent of the span. `given` is the sender's own id of it, if the span id does not show it. */
  parent: { id: Buffer; given: string | null } | null;
  /** Attributes to set; null removes an attribute. */
  attributes: Map<AttributeName, AttributeValue | null>;
  metadata: GivenMetadata | null;
}

/** Reports whether a patch is an `llm` end that has to find its start. */
export function isUnnamedEnd(patch: Patch): boolean {
  return patch.phase === 'end' && !patch.isNamed;
}

/** Returns the match key of an `llm` start or end. */
export function patchMatch({ traceId, attributes, name }: Patch): Buffer {
  const model = attributes.get('gen_ai.request.model') ?? '';
  return matchKey(traceId, model, name ?? model, attributes.get('touchstone.group') ?? null);
}

const SPAN_KINDS: Readonly<Partial<Record<StepEventType, string>>> = {
  llm: 'LLM',
  tool: 'TOOL',
  retriever: 'RETRIEVER',
  reranker: 'RERANKER',
  embedding: 'EMBEDDING',
  agent: 'AGENT',
  guardrail: 'GUARDRAIL',
  evaluator: 'EVALUATOR',
  group: 'CHAIN',
};

export function tracePatch(facts: TraceEventFacts, traceId: Buffer, isNewTrace: boolean): Patch {
  const attributes: Patch['attributes'] = new Map([['touchstone.event', 'trace']]);
  setIfGiven(attributes, 'service.test.id', facts.testId);
  setIfGiven(attributes, 'session.id', facts.referenceId);
  setContent(attributes, 'input', facts.input);
  setContent(attributes, 'output', facts.output);
  return {
    traceId,
    isNewTrace,
    spanId: traceSpanId(traceId),
    isNamed: true,
    type: 'trace',
    phase: 'whole',
    time: facts.time,
    endTime: null,
    duration: null,
    order: 0,
    name: null,
    parent: null,
    attributes,
    metadata: collectMetadata(facts.metadata, facts.extras),
  };
}

/** Creates the patch of a step. `ordinals` counts the steps of a call without id and with equal content. */
export function stepPatch(
  facts: StepFacts,
  traceId: Buffer,
  isNewTrace: boolean,
  ordinals: Map<string, number>,
): Patch {
  const { type, phase, time, id } = facts;
  const patch: Omit<Patch, 'spanId'> = {
    traceId,
    isNewTrace,
    isNamed: id !== null,
    type,
    phase,
    time,
    endTime: facts.details.endTime,
    duration: facts.details.duration,
    order: 0,
    // A step without name takes the name of its model, also when that changes.
    name: facts.name === facts.model ? null : (facts.name?.toWellFormed() ?? null),
    parent: facts.parentId === null ? null : parentOf(traceId, facts.parentId),
    attributes: stepAttributes(facts),
    metadata: collectMetadata(facts.metadata, facts.extras),
  };
  if (id === null) return { ...patch, spanId: contentSpanId(patch, ordinals) };
  const spanId = stepSpanId(traceId, id);
  setIfGiven(patch.attributes, 'touchstone.id', unlessHex(id, spanId));
  return { ...patch, spanId };
}

function stepAttributes(facts: StepFacts): Patch['attributes'] {
  const attributes: Patch['attributes'] = new Map([['touchstone.event', facts.type]]);
  setIfGiven(attributes, 'openinference.span.kind', SPAN_KINDS[facts.type] ?? null);
  setIfGiven(attributes, 'gen_ai.request.model', facts.model);
  setContent(attributes, 'input', facts.input);
  setContent(attributes, 'output', facts.output);
  setIfGiven(attributes, 'gen_ai.usage.input_tokens', facts.inputTokens);
  setIfGiven(attributes, 'gen_ai.usage.output_tokens', facts.outputTokens);
  setIfGiven(attributes, 'touchstone.group', facts.group);
  setIfGiven(attributes, 'touchstone.key', facts.key);
  setIfGiven(attributes, 'touchstone.params', facts.params === null ? null : JSON.stringify(facts.params));
  for (const [name, value] of facts.details.attributes) attributes.set(name, value);
  return attributes;
}

function setContent(
  attributes: Patch['attributes'],
  side: 'input' | 'output',
  content: Content | null,
): void {
  if (content === null) return;
  const isText = typeof content === 'string';
  attributes.set(`${side}.value`, isText ? content.toWellFormed() : JSON.stringify(content));
  attributes.set(`${side}.mime_type`, isText ? null : 'application/json');
}

function setIfGiven(
  attributes: Patch['attributes'],
  name: AttributeName,
  value: AttributeValue | null,
): void {
  if (value !== null) attributes.set(name, typeof value === 'string' ? value.toWellFormed() : value);
}

function parentOf(traceId: Buffer, given: string): Patch['parent'] {
  const id = stepSpanId(traceId, given);
  return { id, given: unlessHex(given, id) };
}

/** Returns the sender's own id if the span id does not show it. */
function unlessHex(id: string, spanId: Buffer): string | null {
  return id === spanId.toString('hex') ? null : id.toWellFormed();
}

function contentSpanId(patch: Omit<Patch, 'spanId'>, ordinals: Map<string, number>): Buffer {
  const { traceId, type, phase, time, name, parent, attributes, metadata } = patch;
  const said = [type, phase, String(time), name, parent?.id.toString('hex'), [...attributes]];
  const content = digest(
    traceId,
    JSON.stringify(said),
    metadata === null ? '' : writeMetadata(metadata.entries),
  );
  const known = content.toString('latin1');
  const ordinal = ordinals.get(known) ?? 0;
  ordinals.set(known, ordinal + 1);
  return unnamedSpanId(traceId, content, ordinal);
}
