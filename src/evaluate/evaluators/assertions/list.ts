import type { Assertion } from './assertion.ts';
import { cost, latency, tokens } from './budget.ts';
import { citations } from './citations.ts';
import {
  contains,
  containsAll,
  containsAny,
  containsNone,
  icontains,
  icontainsAll,
  icontainsAny,
  startsWith,
} from './contains.ts';
import { equals } from './equals.ts';
import { jsonDiff } from './json-diff.ts';
import { containsJson, isJson } from './json.ts';
import { language } from './language.ts';
import { numeric } from './numeric.ts';
import { isRefusal } from './refusal.ts';
import { regex } from './regex.ts';
import { noPii, noPromptLeak } from './safety.ts';
import { bleu, chrf, f1, levenshtein, rouge1, rouge2, rougeL } from './similarity.ts';
import { errorFree, stepCount, traceErrorSpans, traceSpanCount, traceSpanDuration } from './spans.ts';
import { isHtml, isSql, isXml } from './syntax.ts';
import { toolArguments, toolCalled, toolNotCalled, toolOrder } from './tools.ts';
import { wordCount } from './word-count.ts';

/** All types of checks by name; add a new one here. Some also have the name that promptfoo uses. */
export const ASSERTIONS = {
  equals,
  contains,
  icontains,
  'contains-any': containsAny,
  'icontains-any': icontainsAny,
  'contains-all': containsAll,
  'icontains-all': icontainsAll,
  'contains-none': containsNone,
  'starts-with': startsWith,
  regex,
  'is-json': isJson,
  'contains-json': containsJson,
  'json-diff': jsonDiff,
  'is-sql': isSql,
  'is-xml': isXml,
  'is-html': isHtml,
  numeric,
  'word-count': wordCount,
  language,
  'is-refusal': isRefusal,
  'no-pii': noPii,
  'no-prompt-leak': noPromptLeak,
  levenshtein,
  'rouge-1': rouge1,
  'rouge-n': rouge1,
  'rouge-2': rouge2,
  'rouge-l': rougeL,
  chrf,
  bleu,
  f1,
  citations,
  latency,
  cost,
  tokens,
  'tokens-used': tokens,
  'error-free': errorFree,
  'tool-called': toolCalled,
  'trajectory:tool-used': toolCalled,
  'tool-not-called': toolNotCalled,
  'tool-order': toolOrder,
  'trajectory:tool-sequence': toolOrder,
  'tool-arguments': toolArguments,
  'trajectory:tool-args-match': toolArguments,
  'step-count': stepCount,
  'trace-span-count': traceSpanCount,
  'trace-span-duration': traceSpanDuration,
  'trace-error-spans': traceErrorSpans,
} as const satisfies Record<string, Assertion>;

export type AssertionType = keyof typeof ASSERTIONS;
export const ASSERTION_TYPES = Object.keys(ASSERTIONS) as AssertionType[];
