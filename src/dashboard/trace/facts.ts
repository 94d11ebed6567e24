import type { SpanIndex } from '../../span-index/reader.ts';
import { formatWhole } from '../format/number.ts';
import type { ListedFacts } from './use-listed-trace.ts';

/** Sums over all spans of a trace. */
export interface TraceTotals {
  spans: number;
  errors: number;
  placeholders: number;
  /** Spans of the service itself, which are in no other sum. */
  deliveries: number;
  orphans: number;
  cycles: number;
  skewed: number;
  open: number;
  modelCalls: number;
  tokens: number;
  /** US dollars; null when no span has a cost. */
  cost: number | null;
  isCostEstimated: boolean;
}

export function factsOf(index: SpanIndex): TraceTotals {
  const llm = index.header.kinds.indexOf('LLM');
  const facts: TraceTotals = {
    spans: 0,
    errors: 0,
    placeholders: 0,
    deliveries: 0,
    orphans: 0,
    cycles: 0,
    skewed: 0,
    open: 0,
    modelCalls: 0,
    tokens: 0,
    cost: null,
    isCostEstimated: false,
  };
  for (let row = 0; row < index.rows; row++) {
    if (index.isPlaceholder(row)) {
      facts.placeholders += 1;
      continue;
    }
    if (index.has(row, 'delivery')) {
      facts.deliveries += 1;
      continue;
    }
    facts.spans += 1;
    if (index.kinds[row] === llm) facts.modelCalls += 1;
    if (index.flags[row] !== 0) addFlags(facts, index, row);
    const usage = index.usageOf(row);
    if (usage === null) continue;
    if (!usage.isTokensBelow) facts.tokens += usage.totalTokens;
    if (!usage.isCostBelow && usage.cost !== null) facts.cost = (facts.cost ?? 0) + usage.cost;
  }
  return facts;
}

function addFlags(facts: TraceTotals, index: SpanIndex, row: number): void {
  if (index.has(row, 'error')) facts.errors += 1;
  if (index.has(row, 'orphan')) facts.orphans += 1;
  if (index.has(row, 'cycle')) facts.cycles += 1;
  if (index.has(row, 'skew')) facts.skewed += 1;
  if (index.has(row, 'open')) facts.open += 1;
  if (index.has(row, 'costEstimated')) facts.isCostEstimated = true;
}

const plural = (count: number, one: string, many: string): string =>
  `${formatWhole(count)} ${count === 1 ? one : many}`;

/** Explains in words what is odd about a trace, a sentence each with a short name. */
export function oddities(
  facts: TraceTotals,
  index: SpanIndex,
  listed: ListedFacts | undefined,
): { name: string; explanation: string }[] {
  const found: { name: string; explanation: string }[] = [];
  const add = (count: number | boolean, name: string, explanation: string): void => {
    if (count) found.push({ name, explanation });
  };
  const { placeholders, orphans, cycles, skewed, open } = facts;
  add(
    placeholders,
    `${plural(placeholders, 'parent', 'parents')} not received`,
    `${plural(orphans, 'span hangs', 'spans hang')} under a placeholder.`,
  );
  add(
    cycles,
    'Loop of parents',
    `${plural(cycles, 'span names', 'spans name')} a parent that is below it; the loop is broken there.`,
  );
  add(
    skewed,
    'Clocks differ',
    `${plural(skewed, 'span starts', 'spans start')} before the parent, or had no valid times.`,
  );
  add(open, `${plural(open, 'call', 'calls')} still open`, 'The end has not arrived.');
  add(index.header.truncated, 'Tree truncated', 'The trace has more spans than the tree can show.');
  for (const flag of listed?.flags ?? []) {
    const words = FLAGS[flag];
    if (words) found.push({ name: words[0], explanation: words[1] });
  }
  return found;
}

const FLAGS: Readonly<Record<string, readonly [name: string, explanation: string]>> = {
  replaced: ['Spans replaced', 'Some spans arrived again with other content; the latest is shown.'],
  unpaired: ['End without start', 'A call ended whose start was never received.'],
  redacted: ['Content hidden', 'The sender hid some values.'],
  dropped: ['Attributes dropped', 'The sender dropped attributes, events or links of some spans.'],
  oddTokens: [
    'Odd token counts',
    'A span reports more cached tokens than input tokens. They are counted as further input.',
  ],
  sample: ['Sample', 'This trace belongs to a sample that tried out the webhook.'],
};
