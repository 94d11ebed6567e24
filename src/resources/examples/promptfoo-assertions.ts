import { isObject } from '../../contract/is-object.ts';
import { checkValue, NO_VALUE, renderedValue } from './promptfoo-values.ts';
import { checksFault } from '../../evaluate/evaluators/assertions/schema.ts';

interface Assertion {
  type: string;
  value?: unknown;
  threshold?: unknown;
  weight?: unknown;
  metric?: unknown;
  /** Assertions of a set. */
  assert?: unknown;
  /** True if it is the text of a cell of CSV. */
  isCell?: boolean;
}

/** Fields of an example that assertions become. */
export interface KeptAssertions {
  expected?: unknown;
  rubric?: string;
  /** Rubrics that name a metric, by its name. */
  rubrics?: Record<string, string>;
  /** Thresholds of the rubrics that are texts to be similar to, by their name. */
  similar?: Record<string, number>;
  /** Checks of `ASSERT` that mean the same. */
  assertions: Record<string, unknown>[];
  /** Assertions, and parts of them, that an example does not have. */
  lost: string[];
}

const MAX_METRIC_CHARACTERS = 100;
/** Types whose value is what the output has to be or to contain. */
const EXPECTED: ReadonlySet<string> = new Set(['equals', 'contains', 'icontains']);
const RUBRICS: ReadonlySet<string> = new Set(['llm-rubric', 'model-graded-closedqa', 'g-eval']);
/** Beginnings of a cell that stand for a type; a cell without one is the expected output. */
const TYPED =
  /^(?<type>similar:[a-z]+(?=[(:])|[a-z][a-z\d-]*)(?:\((?<threshold>[\d.]+)\))?(?::\s*(?<value>[^]*))?$/;
const SHORT: Readonly<Record<string, string>> = {
  eval: 'javascript',
  fn: 'javascript',
  grade: 'llm-rubric',
  file: 'file',
};
/** Types that a cell may have without a value: other words, such as `contains`, may be the expected output. */
const VALUELESS = /^(?:[a-z]+(?:-[a-z\d]+)+|latency|cost|levenshtein|guardrails|moderation|perplexity)$/;
/** Names of types that promptfoo has; other words before a colon belong to the text. */
const TYPE =
  /^(?:not-)?(?:equals|i?contains(?:-any|-all|-json|-sql|-html|-xml)?|i?starts-with|regex|is-(?:json|sql|html|xml|refusal|valid-[a-z-]+)|javascript|python|ruby|webhook|llm-rubric|model-graded-[a-z]+|g-eval|factuality|answer-relevance|context-[a-z]+|similar(?::[a-z]+)?|classifier|moderation|guardrails|conversation-relevance|skill-used|agent-rubric|human|latency|cost|perplexity(?:-score)?|levenshtein|rouge-[a-z]+|bleu|gleu|meteor|word-count|select-best|max-score|pi|search-rubric|finish-reason|trajectory[a-z:-]*|trace-[a-z-]+|tool-call-f1|assert-set)$/;

/**
 * Reads assertions of promptfoo, each the value of a column. Only equality and containment become the expected value, and rubrics the
 * rubric: a value that an output must not have, a pattern or a program would turn into its opposite. What `ASSERT` has too becomes a check.
 */
export function keptAssertions(
  sent: readonly unknown[],
  {
    variables = {},
    threshold,
    cells = {},
  }: {
    variables?: Readonly<Record<string, unknown>>;
    threshold?: number | undefined;
    /** Settings of the assertions in cells of CSV. */
    cells?: CellSettings;
  } = {},
): KeptAssertions {
  const read = sent.map((one, index) => withCellSettings(assertionsIn(one, variables, cells), cells, index));
  const plain = sent.find((_one, index) => read[index] === null);
  const assertions = read.flatMap((list) => list ?? []);
  const expected = assertions.find(
    ({ type, value }) => EXPECTED.has(type) && value !== undefined && value !== NO_VALUE,
  );
  const rubrics = assertions.filter(({ type, value }) => RUBRICS.has(type) && rubricText(value) !== null);
  const similar = similarTexts(assertions);
  const checks = new Map(assertions.map((one) => [one, checkOf(one)]));
  const lost = assertions.flatMap((one) => {
    if (similar.kept.has(one))
      return settingsOf(one, ['threshold']).map((name) => `${name} of the assertion ${one.type}`);
    if (rubrics.includes(one))
      return settingsOf(one, metricOf(one) === '' ? [] : ['metric']).map(
        (name) => `${name} of the assertion ${one.type}`,
      );
    const check = checks.get(one);
    if (check)
      return settingsOf(one, Object.keys(check)).map((name) => `${name} of the assertion ${one.type}`);
    return [`the assertion ${one.type}`];
  });
  const kept = [...checks.values()].filter((check) => check !== null);
  // Without a threshold all checks must pass; with one, their weighted score must reach it.
  const isSet = threshold !== undefined && kept.length > 0;
  const set = isSet ? { type: 'assert-set', threshold, assertions: kept } : null;
  if ((set ? [set] : kept).some(isByShares)) lost.push('the score of levenshtein, which is 1 or 0');
  const isUsable = set === null || checksFault([set]).length === 0;
  if (!isUsable) lost.push('threshold');
  return {
    ...(plain !== undefined ? { expected: plain } : expected && { expected: expected.value }),
    ...withSimilar(rubricsByMetric(rubrics), similar),
    assertions: set && isUsable ? [set] : kept,
    lost,
  };
}

/** Settings of the assertions in cells of CSV, which have columns of their own. */
export interface CellSettings {
  /** True if a cell without a type is what the output has to equal. */
  isEquality?: boolean;
  metric?: string;
  /** Thresholds by the number of the assertion in the row, from 0. */
  thresholds?: ReadonlyMap<number, number>;
}

function withCellSettings(
  found: Assertion[] | null,
  { metric, thresholds }: CellSettings,
  index: number,
): Assertion[] | null {
  const threshold = thresholds?.get(index);
  return (
    found?.map((one) =>
      one.isCell
        ? { ...one, ...(metric !== undefined && { metric }), ...(threshold !== undefined && { threshold }) }
        : one,
    ) ?? null
  );
}

/** Reports whether a threshold decides by the score of `levenshtein`, which is a share in `ASSERT`. */
function isByShares({ threshold, assertions }: Record<string, unknown>): boolean {
  const checks = (assertions ?? []) as Record<string, unknown>[];
  return (
    (threshold !== undefined && checks.some(({ type }) => type === 'levenshtein')) || checks.some(isByShares)
  );
}

const SIMILAR: ReadonlySet<string> = new Set(['similar', 'similar:cosine']);

interface SimilarTexts {
  kept: ReadonlySet<Assertion>;
  texts: Record<string, string>;
  thresholds: Record<string, number>;
}

/** Returns the texts that the output must be similar to, one for each threshold, by the name of the definition that compares with it. */
function similarTexts(assertions: readonly Assertion[]): SimilarTexts {
  const found: SimilarTexts & { kept: Set<Assertion> } = { kept: new Set(), texts: {}, thresholds: {} };
  for (const one of assertions) {
    const { type, value, threshold = one.isCell ? SIMILAR_IN_CELL : CELL_THRESHOLD } = one;
    const isUsable = typeof threshold === 'number' && threshold > 0 && threshold <= 1;
    if (!SIMILAR.has(type) || typeof value !== 'string' || value === '' || !isUsable) continue;
    const name = `Similar (${threshold})`;
    if (Object.hasOwn(found.texts, name)) continue;
    found.texts[name] = value;
    found.thresholds[name] = threshold;
    found.kept.add(one);
  }
  return found;
}

const withSimilar = (
  { rubric, rubrics }: Pick<KeptAssertions, 'rubric' | 'rubrics'>,
  { kept, texts, thresholds }: SimilarTexts,
): Pick<KeptAssertions, 'rubric' | 'rubrics' | 'similar'> => ({
  ...(rubric !== undefined && { rubric }),
  ...((rubrics !== undefined || kept.size > 0) && { rubrics: { ...rubrics, ...texts } }),
  ...(kept.size > 0 && { similar: thresholds }),
});

/** Returns a rubric as a text, each criterion of a list in a line of its own; null if it is neither. */
function rubricText(value: unknown): string | null {
  if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string'))
    return value.join('\n');
  return typeof value === 'string' ? value : null;
}

/** Returns the rubrics without a metric as one, and those with one by its name. */
function rubricsByMetric(assertions: readonly Assertion[]): Pick<KeptAssertions, 'rubric' | 'rubrics'> {
  const groups = Map.groupBy(assertions, metricOf);
  const texts = [...groups].map(
    ([metric, group]) => [metric, group.map(({ value }) => rubricText(value)).join('\n')] as const,
  );
  const rubric = texts.find(([metric]) => metric === '')?.[1];
  const named = texts.filter(([metric]) => metric !== '');
  return {
    ...(rubric !== undefined && { rubric }),
    ...(named.length > 0 && { rubrics: Object.fromEntries(named) }),
  };
}

/** Returns the metric that a verdict counts for; an empty text if there is none that a definition could be named after. */
const metricOf = ({ metric }: Assertion): string =>
  typeof metric === 'string' && metric.length <= MAX_METRIC_CHARACTERS && !metric.includes('{{')
    ? metric.trim()
    : '';

/** Returns the settings of an assertion that are not kept. */
const settingsOf = (assertion: Assertion, kept: readonly string[]): string[] =>
  Object.keys(assertion).filter((name) => !['type', 'value', 'isCell', 'assert', ...kept].includes(name));

/** Types that mean in `ASSERT` what they mean in promptfoo. */
const SAME: ReadonlySet<string> = new Set([
  'equals',
  'contains',
  'icontains',
  'contains-any',
  'icontains-any',
  'contains-all',
  'icontains-all',
  'starts-with',
  'regex',
  'is-json',
  'contains-json',
  'latency',
  'cost',
  'levenshtein',
  'word-count',
  'is-refusal',
  'is-xml',
  'is-html',
  'assert-set',
]);
/** Threshold of a cell that names none, and of `similar` without one, as promptfoo takes it. */
const CELL_THRESHOLD = 0.75;
const SIMILAR_IN_CELL = 0.8;
/** Types whose threshold a cell may leave out. */
const THRESHOLDS: ReadonlySet<string> = new Set(['levenshtein', 'latency', 'cost']);

/** Returns the check of `ASSERT` that an assertion means; null if there is none. */
function checkOf({
  type: name,
  value,
  threshold,
  weight,
  assert,
  isCell,
}: Assertion): Record<string, unknown> | null {
  const isNegated = name.startsWith('not-');
  const type = isNegated ? name.slice('not-'.length) : name;
  if (!SAME.has(type)) return null;
  const nested = Array.isArray(assert) ? assert.filter(isAssertion).map(checkOf) : [];
  if (nested.includes(null) || (Array.isArray(assert) && nested.length < assert.length)) return null;
  const given = value === NO_VALUE ? NO_VALUE : checkValue(type, value);
  if (given === NO_VALUE) return null;
  const limit = threshold === undefined && isCell && THRESHOLDS.has(type) ? CELL_THRESHOLD : threshold;
  const check = {
    type,
    ...(given !== undefined && type !== 'latency' && type !== 'cost' && { value: given }),
    ...(nested.length > 0 && { assertions: nested }),
    ...(limit !== undefined && limit !== null && { threshold: limit }),
    ...(weight !== undefined && { weight }),
    ...(isNegated && { not: true }),
  };
  return checksFault([check]).length === 0 ? check : null;
}

/** Returns the assertions of a list or of a cell; null for a value that has no type and is the expected output itself. */
function assertionsIn(
  given: unknown,
  variables: Readonly<Record<string, unknown>>,
  { isEquality = false }: CellSettings,
): Assertion[] | null {
  const sent = isEquality && typeof given === 'string' ? given.trim() : given;
  const rendered = (one: Assertion): Assertion => ({
    ...one,
    ...(one.value !== undefined && { value: renderedValue(one.value, variables) }),
    ...(Array.isArray(one.assert) && {
      assert: one.assert.map((part: unknown) => (isAssertion(part) ? rendered(part) : part)),
    }),
  });
  if (Array.isArray(sent) && sent.some((one) => isObject(one)))
    return sent.map((one) => (isAssertion(one) ? rendered(one) : { type: 'without a type' }));
  if (isAssertion(sent)) return [rendered(sent)];
  if (typeof sent !== 'string') return null;
  const plain = isEquality ? [{ type: 'equals', value: sent, isCell: true }] : null;
  const { type = '', value, threshold } = TYPED.exec(sent)?.groups ?? {};
  // A word alone is the expected output, unless only a type has that name.
  if (value === undefined && threshold === undefined && !VALUELESS.test(type)) return plain;
  const known = Object.hasOwn(SHORT, type) ? SHORT[type] : type;
  return known !== undefined && (known === 'file' || TYPE.test(known))
    ? [
        rendered({
          type: known,
          value: value ?? '',
          isCell: true,
          ...(threshold !== undefined && { threshold: Number(threshold) }),
        }),
      ]
    : plain;
}

const isAssertion = (value: unknown): value is Assertion =>
  isObject(value) && typeof value['type'] === 'string';
