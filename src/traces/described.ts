import { contentOf, finishReasonsOf, type Given, messagesOf } from './content.ts';
import { isTruncatedJson } from './conventions/truncated-json.ts';
import { readParameters } from './conventions/parameters.ts';
import type { Field } from './conventions/rule.ts';
import { isMappedKey, RULE_SET_VERSION } from './conventions/rule-set.ts';
import { compose } from './conventions/sources.ts';
import type { SpanView } from './conventions/span-view.ts';
import { type CostExplanation, explainCost } from './explain-cost.ts';
import { firstTokenOf } from './first-token.ts';
import { dollars } from './format.ts';
import { REDACTED, type SpanMapping } from './mapping.ts';
import type { PriceList } from './prices/price-list.ts';
import { reportedTokens } from './reported-usage.ts';
import { sentCost } from './sent-cost.ts';
import { type SkeletonSpan, SpanFlag } from './span.ts';
import { SPAN_KINDS } from './span-kinds.ts';
import type { JsonValue } from './span-wire.ts';
import { wrongTimeUnit } from './time-unit.ts';

/** The mapped fields of a span, each with its vocabulary and key. */
export interface DescribedSpan {
  /** Version of the mapping rules. */
  ruleSet: number;
  fields: Partial<Record<Field, Given>>;
  /** Attributes that no rule reads. */
  unmapped: string[];
  /** Attributes whose content the sender hid. */
  redacted: string[];
  /** Attributes with truncated JSON, because of a limit of the sender. */
  truncated: string[];
  /** Calculation of the cost; null if the span reports no usage. */
  cost: CostExplanation | null;
  /** Warnings about values that cannot be correct. */
  warnings: string[];
}

const TOKENS = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'cacheWriteHourTokens',
  'audioInputTokens',
  'audioCacheReadTokens',
  'audioOutputTokens',
  'reasoningTokens',
] as const;
const TEXTS = [
  'model',
  'provider',
  'responseId',
  'toolName',
  'toolCallId',
  'toolDescription',
  'agentName',
  'promptName',
  'promptVersion',
  'promptTemplate',
  'errorType',
  'level',
  'statusMessage',
  'sessionId',
  'userId',
  'environment',
  'version',
  'traceName',
  'displayName',
  'serviceTier',
] as const;
const VALUES = ['promptVariables', 'traceInput', 'traceOutput'] as const;

/** Returns everything that the rules map for a span. `mapping` belongs to the same span, and `prices` are those of its application. */
export function describe(
  span: SkeletonSpan,
  view: SpanView,
  mapping: SpanMapping,
  prices: PriceList,
): DescribedSpan {
  const fields: DescribedSpan['fields'] = {};
  const give = (field: Field, given: Given | null): void => {
    if (given !== null) fields[field] = given;
  };
  const deterministic = (field: Field, value: JsonValue): void => {
    const rule = mapping.ruleOf(field);
    if (rule) give(field, { value, vocabulary: rule.vocabulary, from: rule.key });
  };

  give('kind', kindOf(mapping));
  give('input', contentOf(mapping, view, 'input'));
  give('output', contentOf(mapping, view, 'output'));
  give('inputMessages', messagesOf(mapping, view, 'input') as Given | null);
  give('outputMessages', messagesOf(mapping, view, 'output') as Given | null);
  for (const field of ['systemInstructions', 'toolDefinitions', 'documents', 'evaluations'] as const)
    if (mapping.has(field)) give(field, compose(view, field) as Given | null);
  if (mapping.has('parameters')) give('parameters', readParameters(view) ?? null);
  for (const field of TEXTS) deterministic(field, mapping.text(field));
  // Entities of all kinds have names.
  if (span.kind !== 'TOOL') delete fields.toolName;
  else fields.toolName ??= { value: span.name, vocabulary: 'otel', from: 'span name' };
  for (const field of VALUES) deterministic(field, mapping.json(field));
  for (const field of TOKENS) {
    const count = reportedTokens(mapping, field);
    if (count === mapping.count(field)) deterministic(field, count);
  }
  // With cached tokens that the sender counts apart.
  deterministic('inputTokens', span.inputTokens);
  give('finishReasons', finishReasonsOf(mapping, view));
  give('firstTokenMs', firstTokenOf(span.start, mapping, view));
  if (mapping.has('tags')) deterministic('tags', mapping.tags());
  deterministic('metadata', mapping.metadata());
  for (const field of ['inputCost', 'outputCost'] as const)
    deterministic(field, dollars(mapping.amount(field)));
  give('cost', costOf(span, mapping));

  const keys = [...view.keys()];
  const used = new Set(Object.values(fields).map(({ from }) => from));
  return {
    ruleSet: RULE_SET_VERSION,
    fields,
    unmapped: keys
      .filter((key) => !isMappedKey(key) && !used.has(key) && view.own?.reads(key) !== true)
      .sort(),
    redacted: keys.filter((key) => view.value(key) === REDACTED).sort(),
    truncated: keys.filter((key) => isTruncated(view.value(key))).sort(),
    cost: explainCost(span, mapping, prices),
    warnings: warningsOf(span),
  };
}

function kindOf(mapping: SpanMapping): Given | null {
  const kind = SPAN_KINDS[mapping.kind] ?? 'SPAN';
  const rule = mapping.ruleOf('kind') ?? (kind === 'LLM' ? mapping.ruleOf('model') : null);
  return rule && { value: kind, vocabulary: rule.vocabulary, from: rule.key };
}

function costOf(span: SkeletonSpan, mapping: SpanMapping): Given | null {
  const sent = sentCost(mapping);
  if (sent) return { value: dollars(sent.cost), vocabulary: sent.vocabulary, from: sent.keys.join(' + ') };
  if (!(span.flags & SpanFlag.costEstimated)) return null;
  return { value: dollars(span.cost), vocabulary: 'touchstone', from: 'price table' };
}

function isTruncated(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && isTruncatedJson(value);
}

function warningsOf({ flags, totalTokens, start }: SkeletonSpan): string[] {
  const warnings: string[] = [];
  if (flags & SpanFlag.oddTokens)
    warnings.push('more cached tokens than input tokens: counted as further input');
  if (flags & SpanFlag.dropped) warnings.push('the sender dropped attributes, events or links');
  if (flags & SpanFlag.tokensBelow && totalTokens > 0) warnings.push('tokens are counted on other spans');
  const unit = wrongTimeUnit(start);
  if (unit) warnings.push(`the times look like Unix ${unit}; OTLP times are in Unix nanoseconds`);
  return warnings;
}
