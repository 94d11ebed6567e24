import type { z } from 'zod';
import { parseJson } from '../../traces/conventions/json.ts';
import {
  type Content,
  llmEvents,
  MAX_FIELD_DEPTH,
  STEP_TYPES,
  type StepEventType,
  stepEvents,
  traceEvent,
} from './contract.ts';
import type { Fields } from './fields.ts';
import { readStepDetails, type StepDetails } from './step-details.ts';
import { isObject } from '../../contract/is-object.ts';

/**
 * Contents of one event, independent of the field names of its type. Null stands for an absent field; an empty id or
 * name counts as absent.
 */
export interface StepFacts {
  type: StepEventType;
  /** Part of the step that the event reports: half of an `llm` step; all other steps are `whole`. */
  phase: EventPhase;
  time: bigint;
  traceId: string | null;
  id: string | null;
  parentId: string | null;
  name: string | null;
  group: string | null;
  key: string | null;
  params: unknown;
  model: string | null;
  input: Content | null;
  output: Content | null;
  inputTokens: number | null;
  outputTokens: number | null;
  details: Omit<StepDetails, 'rest'>;
  metadata: Fields | null;
  extras: Fields;
}
export type EventPhase = 'whole' | 'start' | 'end';

export interface TraceEventFacts {
  time: bigint;
  traceId: string | null;
  testId: string | null;
  referenceId: string | null;
  input: Content | null;
  output: Content | null;
  metadata: Fields | null;
  extras: Fields;
  steps: readonly unknown[];
}

/** Error of a rejected event: the reason code for the ledger, and a message for the sender. */
export class EventError extends Error {
  override readonly name = 'EventError';
  readonly reason: string;

  constructor(reason: string, message: string) {
    super(message);
    this.reason = reason;
  }
}

const MAX_PROBLEMS_REPORTED = 3;

/** Fields of a parsed step of any type. */
interface StepBody {
  timestamp: bigint;
  traceId?: string | null | undefined;
  id?: string | null | undefined;
  parentId?: string | null | undefined;
  name?: string | null | undefined;
  group?: string | null | undefined;
  key?: string;
  params?: unknown;
  modelId?: string;
  input?: Content | null | undefined;
  toolInput?: Content | null | undefined;
  query?: Content;
  content?: Content;
  output?: Content | null | undefined;
  toolOutput?: Content | null | undefined;
  result?: Content;
  usage?:
    | { promptTokens?: number | null | undefined; completionTokens?: number | null | undefined }
    | null
    | undefined;
  metadata?: unknown;
}

export function isTraceEvent(event: unknown): event is Fields & { type: 'trace' } {
  return isObject(event) && event['type'] === 'trace';
}

/** Parses a `trace` event; its nested steps remain unparsed. */
export function readTraceEvent(event: Fields): TraceEventFacts {
  rejectDeepFields(event, '', 'steps');
  const body = parse(traceEvent, event, '');
  return {
    time: body.timestamp,
    traceId: body.traceId ?? null,
    testId: body.testId ?? null,
    referenceId: body.referenceId || null,
    input: body.input ?? null,
    output: body.output ?? null,
    metadata: metadataOf(body.metadata),
    extras: extrasOf(event, traceEvent.shape),
    steps: body.steps ?? [],
  };
}

/** Parses a step. `path` is the place of the event in its call and precedes each message: `steps.2.`, or nothing. */
export function readStep(event: unknown, path: string): StepFacts {
  if (!isObject(event)) throw invalid(`${path.replace(/\.$/, ': ')}must be an object`);
  const { type, phase, schema } = schemaOf(event, path);
  rejectDeepFields(event, path);
  const body: StepBody = parse<StepBody>(schema, event, path);
  const { rest, ...details } = readStepDetails(event, schema.shape);
  return {
    type,
    phase,
    time: body.timestamp,
    traceId: body.traceId ?? null,
    id: body.id || null,
    parentId: body.parentId || null,
    name: body.name || null,
    group: body.group || null,
    key: body.key ?? null,
    params: body.params ?? null,
    model: body.modelId ?? null,
    input: body.input ?? body.toolInput ?? body.query ?? body.content ?? null,
    output: body.output ?? body.toolOutput ?? body.result ?? null,
    inputTokens: body.usage?.promptTokens ?? null,
    outputTokens: body.usage?.completionTokens ?? null,
    details,
    metadata: metadataOf(body.metadata),
    extras: { ...extrasOf(event, schema.shape), ...rest },
  };
}

function schemaOf(event: Fields, path: string) {
  const type = event['type'] as StepEventType;
  if (type === 'llm') {
    const phase = event['event'];
    if (phase === 'start' || phase === 'end')
      return { type, phase: phase as EventPhase, schema: llmEvents[phase] };
    throw invalid(`${path}event: must be "start" or "end"`);
  }
  if (typeof type === 'string' && Object.hasOwn(stepEvents, type))
    return { type, phase: 'whole' as EventPhase, schema: stepEvents[type] };
  const types = path === '' ? ['trace', ...STEP_TYPES] : STEP_TYPES;
  throw invalid(`${path}type: must be one of ${types.join(', ')}`);
}

function parse<T>(schema: z.ZodType<T>, event: Fields, path: string): T {
  const parsed = schema.safeParse(event);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const reported = issues.slice(0, MAX_PROBLEMS_REPORTED);
  throw invalid(reported.map((issue) => `${path}${issue.path.join('.')}: ${issue.message}`).join('; '));
}

/** Returns metadata as fields. A text that is the JSON of an object is read; any other value becomes one field. */
function metadataOf(given: unknown): Fields | null {
  if (given === undefined || given === null) return null;
  const value = typeof given === 'string' ? parseJson(given) : given;
  if (isObject(value) && !isDeeper(value, MAX_FIELD_DEPTH)) return value;
  return { metadata: given };
}

/** Returns the fields that the schema does not have, including those of `usage`. */
function extrasOf(event: Fields, shape: object): Fields {
  const extras = without(event, shape);
  if (!Object.hasOwn(shape, 'usage') || !isObject(event['usage'])) return extras;
  const usage = without(event['usage'], llmEvents.end.shape.usage.unwrap().unwrap().shape);
  if (Object.keys(usage).length > 0) extras['usage'] = usage;
  return extras;
}

/** The result has no prototype, because a field may be named `__proto__`. */
function without(fields: Fields, named: object): Record<string, unknown> {
  const rest = Object.create(null) as Record<string, unknown>;
  for (const name of Object.keys(fields)) {
    if (!Object.hasOwn(named, name)) rest[name] = fields[name];
  }
  return rest;
}

function rejectDeepFields(event: Fields, path: string, except?: string): void {
  for (const name of Object.keys(event)) {
    if (name !== except && isDeeper(event[name], MAX_FIELD_DEPTH)) {
      throw invalid(
        `${path}${name.slice(0, 100)}: objects and arrays must be nested at most ${MAX_FIELD_DEPTH} levels deep`,
      );
    }
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const nested of Object.values(value)) if (isDeeper(nested, levels - 1)) return true;
  return false;
}

function invalid(message: string): EventError {
  return new EventError('invalid_event', message);
}
