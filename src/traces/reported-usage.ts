import type { Field } from './conventions/rule.ts';
import { MAX_AMOUNT, type SpanMapping } from './mapping.ts';
import type { TokenUsage } from './prices/calculation.ts';
import { SPAN_KINDS, type ObservationKind } from './span-kinds.ts';

const INPUT_ONLY: ReadonlySet<ObservationKind | undefined> = new Set<ObservationKind>([
  'EMBEDDING',
  'RERANKER',
]);

/** Fields of tokens that have a price; a cost without one of them would be too low. */
const PRICED: readonly Field[] = [
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'cacheWriteHourTokens',
  'audioInputTokens',
  'audioCacheReadTokens',
  'audioOutputTokens',
];

/** Tokens of one span as its sender counts them, brought to one form. */
export interface ReportedUsage extends TokenUsage {
  totalTokens: number;
  reasoningTokens: number;
  /** True if it is a guess that cached tokens are counted apart from the input. */
  isOdd: boolean;
  /** True if it is a guess that tokens of reasoning are counted apart from the output. */
  isReasoningOdd: boolean;
  /** Number of tokens in the total that are neither input nor output; 0 for a total alone. */
  rest: number;
}

/** Keys whose senders never count cached tokens as input, as the API of Anthropic does. */
const WITHOUT_CACHE: ReadonlySet<string> = new Set([
  'input_tokens',
  'event claude_code.api_request',
  'event api_request',
  // Logfire writes responses of other APIs there, too, but cached tokens are read from those of Anthropic alone.
  'response_data',
]);

const SUPPLEMENT = 'ai.response.providerMetadata';

/**
 * Returns a count of tokens. The AI SDK writes the metadata of a provider on spans around the call, too, so that it counts only
 * on spans that report their input, and not on that of a call with several steps, which has the metadata of the last one.
 */
export function reportedTokens(mapping: SpanMapping, field: Field): number {
  const isSupplement = mapping.ruleOf(field)?.key === SUPPLEMENT;
  const isAround = !mapping.has('inputTokens') || SPAN_KINDS[mapping.kind] === 'AGENT';
  return isSupplement && isAround ? 0 : mapping.count(field);
}

/** Reads the tokens that a span reports. Input includes cached tokens, and output those of reasoning. */
export function reportedUsage(mapping: SpanMapping): ReportedUsage {
  const given = mapping.count('totalTokens');
  const cacheReadTokens = mapping.count('cacheReadTokens');
  const cacheWriteHourTokens = reportedTokens(mapping, 'cacheWriteHourTokens');
  const cacheWriteTokens = writtenTokens(mapping, cacheWriteHourTokens);
  const reasoningTokens = mapping.count('reasoningTokens');
  const cachedTokens = cacheReadTokens + cacheWriteTokens;
  const isInputOnly = INPUT_ONLY.has(SPAN_KINDS[mapping.kind]);
  const hasInput = mapping.has('inputTokens');
  const hasOutput = mapping.has('outputTokens');
  let inputTokens = mapping.count('inputTokens');
  let outputTokens = mapping.count('outputTokens');
  // Calls without an output often report only their total.
  if (inputTokens === 0 && outputTokens === 0 && isInputOnly) inputTokens = given;

  const isMore = cachedTokens > inputTokens && hasInput;
  const sent = inputTokens + outputTokens;
  // Some senders count cached tokens apart from the input, or those of reasoning apart from the output.
  const isCacheApart =
    cachedTokens > 0 &&
    (WITHOUT_CACHE.has(mapping.ruleOf('inputTokens')?.key ?? '') ||
      ((hasOutput || isMore || isInputOnly) &&
        (given === sent + cachedTokens || given === sent + cachedTokens + reasoningTokens)));
  const isOdd = cachedTokens > inputTokens && !isCacheApart;
  if (isOdd || isCacheApart) inputTokens = Math.min(inputTokens + cachedTokens, MAX_AMOUNT);
  const isReasoningApart = reasoningTokens > 0 && given === inputTokens + outputTokens + reasoningTokens;
  // Reasoning is part of the output, so that there cannot be more of it.
  const isReasoningOdd =
    !isReasoningApart && hasOutput && reasoningTokens > outputTokens && (given === 0 || !hasInput);
  if (hasOutput && (isReasoningApart || isReasoningOdd))
    outputTokens = Math.min(outputTokens + reasoningTokens, MAX_AMOUNT);
  let rest = Math.max(0, given - inputTokens - outputTokens);
  if (rest > 0 && hasInput !== hasOutput && !isInputOnly) {
    if (hasInput) outputTokens += rest;
    else inputTokens += rest;
    rest = 0;
  }
  return {
    inputTokens,
    outputTokens,
    totalTokens: Math.max(given, inputTokens + outputTokens),
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens,
    cacheWriteHourTokens,
    audio: {
      inputTokens: mapping.count('audioInputTokens'),
      cacheReadTokens: mapping.count('audioCacheReadTokens'),
      outputTokens: mapping.count('audioOutputTokens'),
    },
    isOdd,
    isReasoningOdd,
    rest: inputTokens + outputTokens > 0 ? rest : 0,
  };
}

const MINUTES = /5m_input_tokens$/;

/** Returns all tokens written to a cache. Without a total, those kept for minutes and for an hour are added up. */
function writtenTokens(mapping: SpanMapping, hourTokens: number): number {
  const tokens = reportedTokens(mapping, 'cacheWriteTokens');
  if (hourTokens === 0) return tokens;
  return MINUTES.test(mapping.ruleOf('cacheWriteTokens')?.key ?? '')
    ? Math.min(tokens + hourTokens, MAX_AMOUNT)
    : Math.max(tokens, hourTokens);
}

/** Returns the keys of values that are no counts and without which the cost is unknown. */
export function unreadableCounts(mapping: SpanMapping): string[] {
  if (!mapping.hasUnreadable) return [];
  const isTotalNeeded =
    !mapping.has('inputTokens') ||
    (!mapping.has('outputTokens') && !INPUT_ONLY.has(SPAN_KINDS[mapping.kind]));
  const fields: readonly Field[] = isTotalNeeded ? [...PRICED, 'totalTokens'] : PRICED;
  const keys = fields.map((field) => mapping.unreadableKey(field));
  return [...new Set(keys.filter((key) => key !== null))];
}
