import type { z } from 'zod';
import type { JsonValue } from '../../traces/span-wire.ts';
import { definitionConfigs } from '../definition-config.ts';
import type { DeterministicEvaluator, Verdict } from '../evaluator.ts';
import { type OverlapScores, agreement, overlap } from '../measures/overlap.ts';
import { compile } from '../pattern.ts';
import { settled } from '../statistics/settled.ts';
import { textOf } from '../subject.ts';
import { nfc } from '../../contract/text-forms.ts';
import { includesText } from '../text-search.ts';
import { sortedJson } from '../sorted-json.ts';
import { truncateReason, quote, quoteAll } from './assertions/assertion.ts';
import { findJson, jsonIn } from './assertions/find-json.ts';
import { itemsOf, MAX_COMPARED_ITEMS } from './items.ts';

type Config = z.output<typeof definitionConfigs.OUTPUT_MATCH>;

const PASS_THRESHOLD = 0.8;
const MAX_SHOWN = 20;

/**
 * `OUTPUT_MATCH`: compares the output with the expectation of the link to the task, as a text or as a list. `results`
 * for a text: `{ found, expected }`; for lists: `{ precision, recall, f1, tp, scoreMetric, matchMode, foundCount,
 * expectedCount, missing, unexpected }`, where `tp` is the number of correct items, `missing` lists the first `{ value,
 * have, need }` and `unexpected` the first items. Skipped without an expectation; fails without an output.
 */
export const outputMatch: DeterministicEvaluator = {
  judgedBy: 'rule',
  reads: () => ['output'],
  evaluate({ output }, { config, expected }) {
    if (expected === undefined || expected === null)
      return { status: 'SKIPPED', reason: 'neither the example nor the link to the task has an `expected`' };
    const parsed = definitionConfigs.OUTPUT_MATCH.parse(config);
    if (output === null) return verdict(parsed, 0, {}, 'the app gave no answer: there is no output');
    return parsed.type === 'list'
      ? matchLists(output, expected, parsed)
      : matchTexts(output, expected, parsed);
  },
};

/** Compares a text, or JSON as JSON. A list stands for itself, and for alternatives of which one must match. */
function matchTexts(output: JsonValue, expected: JsonValue, config: Config): Verdict {
  const extracted = extract(textOf(output) ?? '', config);
  if (extracted.length === 0) return verdict(config, 0, {}, 'the pattern matches nothing in the output');
  const found = extracted[0] ?? '';
  const alternatives = Array.isArray(expected) ? expected : [];
  const isRight = [expected, ...alternatives].some((wanted) => isMatch(found, wanted, config));
  const results = {
    found: truncateReason(fold(found, config)),
    expected: truncateReason(fold(textOf(expected) ?? '', config)),
  };
  const [yes, no] = config.matchMode === 'contains' ? ['contains', 'lacks'] : ['is', 'is not'];
  const said =
    alternatives.length > 0 ? `one of ${quoteAll(alternatives.map(textOrJson))}` : quote(results.expected);
  return verdict(config, isRight ? 1 : 0, results, `the output ${isRight ? yes : no} ${said}`);
}

function isMatch(found: string, wanted: JsonValue, config: Config): boolean {
  const folded = fold(found, config);
  const isContained = config.matchMode === 'contains';
  if (typeof wanted === 'string') {
    const text = fold(wanted, config);
    return isContained ? includesText(folded, text) : folded === text;
  }
  const text = fold(sortedJson(wanted), config);
  const json = jsonIn(found);
  if (json !== undefined && fold(sortedJson(json), config) === text) return true;
  if (!isContained) return false;
  if (typeof wanted !== 'object') return includesText(folded, text);
  return findJson(found).some((value) => fold(sortedJson(value), config) === text);
}

const textOrJson = (value: JsonValue): string => textOf(value) ?? '';

function matchLists(output: JsonValue, expected: JsonValue, config: Config): Verdict {
  const found = foundItems(output, config).map((item) => fold(item, config));
  const wanted = itemsOf(expected).map((item) => fold(item, config));
  const { missing, unexpected, ...agreed } =
    config.matchMode === 'contains' ? containment(found, wanted) : equality(found, wanted);
  const metric = config.scoreMetric ?? 'f1';
  const results = {
    ...agreed,
    tp: found.length - unexpected.length,
    scoreMetric: metric,
    matchMode: config.matchMode ?? 'exact_unordered',
    foundCount: found.length,
    expectedCount: wanted.length,
    missing: shortages(missing, wanted),
    unexpected: unexpected.slice(0, MAX_SHOWN).map((item) => truncateReason(item)),
  };
  const note =
    Math.max(found.length, wanted.length) === MAX_COMPARED_ITEMS
      ? ` (of the first ${MAX_COMPARED_ITEMS})`
      : '';
  const reason = `of ${wanted.length} expected items ${missing.length} are missing, of ${found.length} found ${unexpected.length} are not expected${note}`;
  return verdict(config, agreed[metric], results, reason);
}

function foundItems(output: JsonValue, config: Config): string[] {
  if (!config.extract) return itemsOf(output);
  const extracted = extract(textOf(output) ?? '', config);
  const isList = config.extract.flags?.includes('g') || Array.isArray(config.extract.group);
  return isList ? itemsOf(extracted) : itemsOf(extracted[0] ?? '');
}

/**
 * Returns the matches of the pattern: all of them with the flag `g`, else the first. Of several groups, each one that
 * took part counts. Without a pattern, returns the text.
 */
function extract(text: string, { extract: given }: Config): string[] {
  if (!given) return [text];
  const pattern = compile(given);
  if (pattern === null) return [];
  const groups = [given.group ?? 0].flat();
  const found: string[] = [];
  for (const match of pattern.global ? text.matchAll(pattern) : [pattern.exec(text)]) {
    for (const group of groups) {
      const part = match?.[group];
      if (part !== undefined) found.push(part);
      if (found.length === MAX_COMPARED_ITEMS) return found;
    }
  }
  return found;
}

function fold(text: string, { ignoreCase }: Config): string {
  const trimmed = nfc(text).trim();
  return ignoreCase ? trimmed.toLowerCase() : trimmed;
}

type Match = OverlapScores & { missing: string[]; unexpected: string[] };

const equality = (found: readonly string[], wanted: readonly string[]): Match => ({
  ...overlap(found, wanted),
  missing: without(wanted, found),
  unexpected: without(found, wanted),
});

/** Returns the items without those in `other`; each occurrence there removes one. */
function without(items: readonly string[], other: readonly string[]): string[] {
  const left = Map.groupBy(other, (item) => item);
  return items.filter((item) => left.get(item)?.pop() === undefined);
}

/**
 * Compares lists by containment: an expected item is present when a found one contains it, and a found item is
 * correct when it contains an expected one.
 */
function containment(found: readonly string[], wanted: readonly string[]): Match {
  const missing = wanted.filter((one) => !found.some((item) => includesText(item, one)));
  const unexpected = found.filter((item) => !wanted.some((one) => includesText(item, one)));
  const agreed = agreement({
    right: found.length - unexpected.length,
    found: found.length,
    recalled: wanted.length - missing.length,
    expected: wanted.length,
  });
  return { ...agreed, missing, unexpected };
}

/** Returns the first items of which fewer were found than expected, with both numbers. */
function shortages(
  missing: readonly string[],
  wanted: readonly string[],
): { value: string; have: number; need: number }[] {
  const needs = Map.groupBy(wanted, (item) => item);
  return [...Map.groupBy(missing, (item) => item)].slice(0, MAX_SHOWN).map(([item, lacking]) => {
    const need = needs.get(item)?.length ?? 0;
    return { value: truncateReason(item), have: need - lacking.length, need };
  });
}

function verdict(
  { passThreshold = PASS_THRESHOLD }: Config,
  raw: number,
  results: Readonly<Record<string, unknown>>,
  reason: string,
): Verdict {
  const score = settled(raw);
  return { status: 'COMPLETED', score, normalised: score, passed: score >= passThreshold, results, reason };
}
