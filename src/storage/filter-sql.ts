/** SQL of the values of a filter line. */
import { wildcardSource } from '../filter/patterns.ts';
import type { Bound, FilterTerm, FilterValue } from '../filter/term.ts';
import type { SqlValue } from './database.ts';
import { containsText, matchesText, patternOf } from './dialect.ts';
import type { SqlFragment } from './sql.ts';

/** Returns the condition that one of the texts has the value as a part, ignoring case unless a pattern distinguishes it. */
export function hasPart(value: FilterValue, ...texts: readonly string[]): SqlFragment {
  if (value.is === 'equal') return { sql: containsText('?', ...texts), values: [value.text] };
  return pattern(value, false, texts);
}

/** Returns the condition that one of the texts is the value. */
export function wholeOf(value: FilterValue, ...texts: readonly string[]): SqlFragment {
  if (value.is !== 'equal') return pattern(value, true, texts);
  return anyOf(texts.map((text) => ({ sql: `${text} = ?`, values: [value.text] })));
}

/** Returns the condition that one of the texts is the value, ignoring case: for titles, which people write. */
export function titled(value: FilterValue, ...texts: readonly string[]): SqlFragment {
  if (value.is !== 'equal') return pattern(value, true, texts);
  const source = wildcardSource([value.text], true);
  return matching(source, 'i', texts);
}

function pattern(value: FilterValue, isWhole: boolean, texts: readonly string[]): SqlFragment {
  if (value.is === 'wildcard')
    return matching(wildcardSource(value.parts, isWhole), isWhole ? '' : 'i', texts);
  if (value.is === 'regex') return matching(value.source, value.flags, texts);
  throw new Error(`a text is no ${value.is}`);
}

const matching = (source: string, flags: string, texts: readonly string[]): SqlFragment => ({
  sql: matchesText('?', '?', ...texts),
  values: [patternOf(source, flags), flags],
});

/** Returns the condition that an amount is within a range, whose bounds are converted to the unit of the column. */
export function within(
  value: FilterValue,
  amount: string,
  convert: (bound: number) => SqlValue = (bound) => bound,
): SqlFragment {
  if (value.is !== 'range') throw new Error(`an amount is no ${value.is}`);
  const side = (bound: Bound | null, sign: '<' | '>'): SqlFragment[] =>
    bound
      ? [{ sql: `${amount} ${sign}${bound.isInclusive ? '=' : ''} ?`, values: [convert(bound.amount)] }]
      : [];
  return eachOf([...side(value.min, '>'), ...side(value.max, '<')]);
}

/** Returns the condition that any (below: each) of the conditions holds. */
export const anyOf = (conditions: readonly SqlFragment[]): SqlFragment => joined(conditions, ' OR ', 'FALSE');
export const eachOf = (conditions: readonly SqlFragment[]): SqlFragment =>
  joined(conditions, ' AND ', 'TRUE');

const joined = (conditions: readonly SqlFragment[], by: string, none: string): SqlFragment =>
  conditions.length === 1 && conditions[0]
    ? conditions[0]
    : {
        sql: conditions.length === 0 ? none : `(${conditions.map(({ sql }) => sql).join(by)})`,
        values: conditions.flatMap(({ values }) => values),
      };

/** Returns the condition of a term, from that of each of its values. */
export function ofTerm(term: FilterTerm, ofValue: (value: FilterValue) => SqlFragment): SqlFragment {
  const condition = anyOf(term.values.map(ofValue));
  return term.isNegated ? unless(condition) : condition;
}

/** Returns the condition that a condition does not hold: that it is false, or unknown because a value is missing. */
export const unless = ({ sql, values }: SqlFragment): SqlFragment => ({
  sql: `((${sql}) IS NOT TRUE)`,
  values,
});
