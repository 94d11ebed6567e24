import type { JsonValue } from '../span-wire.ts';
import { isObject } from '../../contract/is-object.ts';
import { type JsonObject } from './json.ts';
import { memberOf } from './members.ts';
import { requestedTier } from './picks.ts';
import type { Vocabulary } from './rule.ts';

/** Vocabulary of Langfuse's OpenTelemetry SDKs. Objects are sent as JSON text. */
export const LANGFUSE: Vocabulary = {
  name: 'langfuse',
  rules: [
    {
      key: 'langfuse.observation.type',
      field: 'kind',
      kinds: {
        generation: 'LLM',
        embedding: 'EMBEDDING',
        tool: 'TOOL',
        retriever: 'RETRIEVER',
        agent: 'AGENT',
        chain: 'CHAIN',
        guardrail: 'GUARDRAIL',
        evaluator: 'EVALUATOR',
      },
    },
    { key: 'langfuse.observation.input', field: 'input', json: true },
    { key: 'langfuse.observation.output', field: 'output', json: true },
    { key: 'langfuse.observation.input', field: 'inputMessages' },
    { key: 'langfuse.observation.output', field: 'outputMessages' },
    { key: 'langfuse.observation.model.name', field: 'model' },
    { key: 'langfuse.observation.model.parameters', field: 'parameters' },
    { key: 'langfuse.observation.model.parameters', field: 'serviceTier', pick: requestedTier },
    {
      key: 'langfuse.observation.usage_details',
      field: 'inputTokens',
      pick: (usage) => sumOf(usage, 'input'),
    },
    {
      key: 'langfuse.observation.usage_details',
      field: 'outputTokens',
      pick: (usage) => sumOf(usage, 'output'),
    },
    {
      key: 'langfuse.observation.usage_details',
      field: 'totalTokens',
      pick: (usage) => amountOf(usage, 'total', 'totalTokens', 'total_tokens'),
    },
    { key: 'langfuse.observation.usage_details', field: 'cacheReadTokens', pick: cacheRead },
    { key: 'langfuse.observation.usage_details', field: 'cacheWriteTokens', pick: cacheWrite },
    { key: 'langfuse.observation.usage_details', field: 'reasoningTokens', pick: reasoning },
    { key: 'langfuse.observation.usage_details', field: 'audioInputTokens', pick: audio('input') },
    { key: 'langfuse.observation.usage_details', field: 'audioOutputTokens', pick: audio('output') },
    { key: 'langfuse.observation.cost_details', field: 'cost', pick: totalCost },
    { key: 'langfuse.observation.completion_start_time', field: 'firstTokenMs' },
    { key: 'langfuse.version', field: 'version' },
    { key: 'langfuse.observation.level', field: 'level' },
    { key: 'langfuse.observation.status_message', field: 'statusMessage' },
    { key: 'langfuse.observation.prompt.name', field: 'promptName' },
    { key: 'langfuse.observation.prompt.version', field: 'promptVersion' },
    { key: 'langfuse.observation.metadata', field: 'metadata' },
    { key: 'langfuse.observation.metadata.*', field: 'metadata' },
    { key: 'langfuse.session.id', field: 'sessionId' },
    { key: 'langfuse.user.id', field: 'userId' },
    { key: 'langfuse.environment', field: 'environment' },
    { key: 'langfuse.trace.name', field: 'traceName' },
    { key: 'langfuse.trace.input', field: 'traceInput', json: true },
    { key: 'langfuse.trace.output', field: 'traceOutput', json: true },
    { key: 'langfuse.trace.tags', field: 'tags' },
    { key: 'langfuse.tags', field: 'tags' },
    { key: 'langfuse.trace.metadata', field: 'metadata' },
    { key: 'langfuse.trace.metadata.*', field: 'metadata' },
  ],
};

const CACHE_READ = /cache_read|cached/;
const CACHE_WRITE = /cache_(creation|write)/;

/**
 * Adds up the usage of a side. It is split into buckets that do not overlap: `input`, `input_cached_tokens`,
 * `output_reasoning_tokens` …; a side is the sum of the buckets with its name. OpenAI's own names, which some senders
 * pass on, are totals.
 */
function sumOf(usage: JsonValue, side: 'input' | 'output'): JsonValue | undefined {
  const total = amountOf(usage, side === 'input' ? 'prompt_tokens' : 'completion_tokens');
  if (total !== undefined) return total;
  return sumWhere(usage, (name) => name.includes(side));
}

function cacheRead(usage: JsonValue): JsonValue | undefined {
  return sumWhere(withDetails(usage), (name) => CACHE_READ.test(name));
}

function cacheWrite(usage: JsonValue): JsonValue | undefined {
  return sumWhere(withDetails(usage), (name) => CACHE_WRITE.test(name));
}

function reasoning(usage: JsonValue): JsonValue | undefined {
  return sumWhere(withDetails(usage), (name) => name.includes('reasoning'));
}

/** Returns a function that picks the tokens of audio of one side: `input_audio`, `input_audio_tokens`. */
function audio(side: 'input' | 'output'): (usage: JsonValue) => JsonValue | undefined {
  const other = side === 'input' ? 'prompt' : 'completion';
  return (usage) => {
    const flat = sumWhere(usage, (name) => name.includes('audio') && name.includes(side));
    if (flat !== undefined || !isObject(usage)) return flat;
    const details = usage[`${other}_tokens_details`] ?? usage[`${side}_tokens_details`] ?? null;
    return isObject(details) ? memberOf(details, 'audio_tokens') : undefined;
  };
}

/** Objects in which the APIs of OpenAI give parts of the tokens, which their totals include. */
const DETAILS = [
  'prompt_tokens_details',
  'input_tokens_details',
  'completion_tokens_details',
  'output_tokens_details',
];

function withDetails(usage: JsonValue): JsonValue {
  if (!isObject(usage)) return usage;
  const details = DETAILS.map((name) => usage[name]).filter(isObject);
  return Object.assign({ ...usage }, ...details) as JsonObject;
}

function totalCost(cost: JsonValue): JsonValue | undefined {
  return amountOf(cost, 'total') ?? sumWhere(cost, () => true);
}

/**
 * Adds up the members with these names. Returns one that is no amount as it was sent, so that nothing is calculated without it;
 * objects are details of others.
 */
function sumWhere(value: JsonValue, isWanted: (name: string) => boolean): JsonValue | undefined {
  if (!isObject(value)) return undefined;
  const wanted = Object.entries(value)
    .filter(([name, amount]) => isWanted(name) && isFilled(amount))
    .map(([, amount]) => amount);
  const unreadable = wanted.find((amount) => !(Number(amount) >= 0) || typeof amount === 'boolean');
  if (unreadable !== undefined || wanted.length === 0) return unreadable;
  return wanted.reduce<number>((sum, amount) => sum + Number(amount), 0);
}

const isFilled = (amount: JsonValue): boolean =>
  amount !== null && typeof amount !== 'object' && String(amount).trim() !== '';

function amountOf(value: JsonValue, ...names: string[]): JsonValue | undefined {
  const amounts: JsonObject = isObject(value) ? value : {};
  return names.map((name) => amounts[name]).find((amount) => amount !== undefined && isFilled(amount));
}
