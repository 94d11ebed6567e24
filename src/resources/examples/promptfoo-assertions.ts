import { isObject } from '../../contract/is-object.ts';

/** Columns in which promptfoo has assertions: a list of them, or one as a text. */
const COLUMNS: ReadonlySet<string> = new Set(['assert', '__expected']);

export const hasAssertions = (column: string): boolean => COLUMNS.has(column);

interface Assertion {
  type: string;
  value?: unknown;
}

/** Fields of an example that assertions become. */
export interface KeptAssertions {
  expected?: unknown;
  rubric?: string;
  /** Assertions, and parts of them, that an example does not have. */
  lost: string[];
}

/** Types whose value is what the output has to be or to contain. */
const EXPECTED: ReadonlySet<string> = new Set(['equals', 'contains', 'icontains']);
const RUBRICS: ReadonlySet<string> = new Set(['llm-rubric', 'model-graded-closedqa', 'g-eval']);
/** Beginnings of a cell that stand for a type; a cell without one is the expected output. */
const TYPED = /^(?<type>[a-z][a-z-]*)(?:\([^)]*\))?:\s*(?<value>[^]*)$/;
const SHORT: Readonly<Record<string, string>> = {
  eval: 'javascript',
  fn: 'javascript',
  grade: 'llm-rubric',
  file: 'file',
};
/** Names of types that promptfoo has; other words before a colon belong to the text. */
const TYPE =
  /^(?:not-)?(?:equals|i?contains(?:-any|-all|-json|-sql|-html|-xml)?|i?starts-with|regex|is-(?:json|sql|html|xml|refusal|valid-[a-z-]+)|javascript|python|ruby|webhook|llm-rubric|model-graded-[a-z]+|g-eval|factuality|answer-relevance|context-[a-z]+|similar|classifier|moderation|guardrails|latency|cost|perplexity(?:-score)?|levenshtein|rouge-[a-z]+|bleu|gleu|meteor|word-count|select-best|max-score|pi|search-rubric|finish-reason|trajectory[a-z:-]*|trace-[a-z-]+|tool-call-f1|assert-set)$/;

/**
 * Reads assertions of promptfoo. Only equality and containment become the expected value, and a rubric the rubric: a value that
 * an output must not have, a pattern or a program would turn into its opposite.
 */
export function keptAssertions(sent: unknown): KeptAssertions {
  const assertions = assertionsIn(sent);
  if (assertions === null) return { expected: sent, lost: [] };
  const expected = assertions.find(({ type, value }) => EXPECTED.has(type) && value !== undefined);
  const rubric = assertions.find(({ type, value }) => RUBRICS.has(type) && typeof value === 'string');
  const lost = assertions.flatMap((one) => {
    if (one !== expected && one !== rubric) return [`the assertion ${one.type}`];
    const more = Object.keys(one).filter((name) => name !== 'type' && name !== 'value');
    return [
      ...(one === expected && one.type !== 'equals' ? [`the type ${one.type}`] : []),
      ...more.map((name) => `${name} of the assertion ${one.type}`),
    ];
  });
  return {
    ...(expected && { expected: expected.value }),
    ...(rubric && { rubric: rubric.value as string }),
    lost,
  };
}

/** Returns the assertions of a list or of a cell; null for a value that has no type and is the expected output itself. */
function assertionsIn(sent: unknown): Assertion[] | null {
  if (Array.isArray(sent)) return sent.length > 0 && sent.every(isAssertion) ? sent : null;
  if (isAssertion(sent)) return [sent];
  if (typeof sent !== 'string') return null;
  const { type = '', value = '' } = TYPED.exec(sent)?.groups ?? {};
  const known = Object.hasOwn(SHORT, type) ? SHORT[type] : type;
  return known !== undefined && (known === 'file' || TYPE.test(known)) ? [{ type: known, value }] : null;
}

const isAssertion = (value: unknown): value is Assertion =>
  isObject(value) && typeof value['type'] === 'string';
