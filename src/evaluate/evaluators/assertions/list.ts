import type { Assertion } from './assertion.ts';
import { cost, latency, tokens } from './budget.ts';
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
import { containsJson, isJson } from './json.ts';
import { numeric } from './numeric.ts';
import { isRefusal } from './refusal.ts';
import { regex } from './regex.ts';
import { noPii, noPromptLeak } from './safety.ts';
import { bleu, f1, levenshtein, rougeL } from './similarity.ts';
import { errorFree, stepCount, traceErrorSpans, traceSpanCount, traceSpanDuration } from './spans.ts';
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
  numeric,
  'word-count': wordCount,
  'is-refusal': isRefusal,
  'no-pii': noPii,
  'no-prompt-leak': noPromptLeak,
  levenshtein,
  'rouge-l': rougeL,
  bleu,
  f1,
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
