import { foldCase } from '../contract/text-forms.ts';
import { compileFilterPattern, requiredLiteral, wildcardSource } from './patterns.ts';
import type { FilterValue } from './term.ts';

/** Compares texts with the values of a term, as SQL compares columns. */
export interface TextMatcher {
  /** Reports whether one of the values is a part of the text, or the text itself for names. */
  matches: (text: string) => boolean;
  /** Texts in lower-case ASCII letters of which every match has one; null if a match may have none. */
  literals: readonly string[] | null;
}

/** Returns the matcher of the values of a term; `isWhole` compares complete names. */
export function textMatcher(values: readonly FilterValue[], isWhole: boolean): TextMatcher {
  const tests = values.map((value) => testOf(value, isWhole));
  const literals = values.map(literalOf);
  return {
    matches: (text) => tests.some((test) => test(text)),
    literals: literals.some((literal) => literal === null) ? null : (literals as string[]),
  };
}

function testOf(value: FilterValue, isWhole: boolean): (text: string) => boolean {
  if (value.is === 'equal') {
    const { text: wanted } = value;
    if (isWhole) return (text) => text === wanted;
    const folded = foldCase(wanted);
    return (text) => foldCase(text).includes(folded);
  }
  if (value.is === 'range') return () => false;
  const pattern =
    value.is === 'regex'
      ? compileFilterPattern(value.source, value.flags)
      : compileFilterPattern(wildcardSource(value.parts, isWhole), isWhole ? '' : 'i');
  return (text) => typeof pattern !== 'string' && text.search(pattern) !== -1;
}

function literalOf(value: FilterValue): string | null {
  if (value.is === 'regex') return certain(requiredLiteral(value.source));
  const texts = value.is === 'equal' ? [value.text] : value.is === 'wildcard' ? value.parts : [];
  const runs = texts.flatMap((text) => text.match(/[A-Za-z]+/g) ?? []);
  return certain(runs.toSorted((a, b) => b.length - a.length)[0] ?? null);
}

/** Fewest letters of a literal that is worth looking for. */
const MIN_LITERAL = 3;

/**
 * Returns the literal in lower case if bytes of a span contain it wherever its texts do: values of other types than text, such as
 * `true`, are written as text only when they are shown.
 */
function certain(literal: string | null): string | null {
  const lower = literal?.toLowerCase() ?? '';
  if (lower.length < MIN_LITERAL || !/^[a-z]+$/.test(lower)) return null;
  return ['true', 'false', 'null'].some((word) => word.includes(lower)) ? null : lower;
}
