import { type FilterField, type FilterScreen, fieldNamed, filterFieldsOf } from '../../filter/fields.ts';
import { parseFilter } from '../../filter/parse.ts';
import type { FilterTerms } from '../../filter/term.ts';
import { type Token, filterTokens, filterValueText } from '../../filter/tokens.ts';
import type { Suggestion } from './contract.ts';

/** Most suggestions of a kind. */
const MAX_FIELDS = 8;
const MAX_VALUES = 10;

/** A value of a field, and the number of matches with it; null if it was not counted. */
export interface CountedValue {
  value: string;
  count: number | null;
}

/** The term at the cursor. */
export interface FilterPlace {
  start: number;
  end: number;
  isNegated: boolean;
  /** Field whose value is written; null while its name is. */
  field: FilterField | null;
  key: string | null;
  /** Values of the term before the one that is written, as they stand. */
  before: string;
  /** Part of the value, or of the name, before the cursor. */
  written: string;
  /** The terms besides the one at the cursor, without those with faults. */
  others: FilterTerms;
}

/** Finds the term at the cursor of a filter line. */
export function placeInLine(line: string, cursor: number, screen: FilterScreen): FilterPlace {
  const at = Math.min(cursor, line.length);
  const token = filterTokens(line).find(({ start, end }) => start < at && at <= end);
  const { start, end } = token ?? { start: at, end: at };
  const others = parseFilter(line.slice(0, start) + line.slice(end), screen).terms;
  const none = {
    start,
    end,
    isNegated: token?.isNegated ?? false,
    field: null,
    key: null,
    before: '',
    others,
  };
  if (!token) return { ...none, written: '' };
  if (token.name === null || at < token.valueStart) {
    const begin = start + (token.isNegated ? 1 : 0);
    return { ...none, written: line.slice(begin, Math.max(at, begin)) };
  }
  const field = fieldNamed(token.name) ?? null;
  if (!field || !filterFieldsOf(screen).includes(field)) return { ...none, written: line.slice(start, at) };
  return { ...none, field, key: token.key, ...valueAt(line, token, at) };
}

/** Returns the value at the cursor and those before it. */
function valueAt(line: string, token: Token, at: number): { before: string; written: string } {
  const piece = token.pieces.find(({ start, end }) => start <= at && at <= end);
  const start = piece?.start ?? at;
  return {
    before: line.slice(token.valueStart, start),
    written: line.slice(start, at).replace(/^"/, ''),
  };
}

/** Returns the suggestions for a place: values of its field, or fields and the text itself. */
export function suggestionsAt(
  place: FilterPlace,
  values: readonly CountedValue[],
  screen: FilterScreen,
): Suggestion[] {
  return place.field
    ? ofValues(place, place.field, values, screen)
    : [...ofFields(place, screen), ...ofText(place), ...ofWords(place, values)];
}

/** Fewest characters for which words of texts are looked up. */
const MIN_WORD = 2;

/** Returns the field whose texts may complete what is written; null if none can. */
export function completedField({ field, written }: FilterPlace): 'input' | 'output' | 'text' | null {
  if (written.length < MIN_WORD || written.startsWith('/')) return null;
  if (field === null) return isWord(written) ? 'text' : null;
  return field.name === 'input' || field.name === 'output' || field.name === 'text' ? field.name : null;
}

const isWord = (written: string): boolean => /^[\p{L}\p{N}]/u.test(written) && !written.includes(':');

/** Most words that complete a word without a field: fields are suggested beside them. */
const MAX_WORDS = 5;

/** Returns words of texts that begin as the word at the cursor. */
const ofWords = ({ written, isNegated }: FilterPlace, words: readonly CountedValue[]): Suggestion[] =>
  words
    .filter(({ value }) => value !== written.toLowerCase())
    .slice(0, MAX_WORDS)
    .map(({ value, count }) => ({
      kind: 'TEXT',
      insert: `${isNegated ? '-' : ''}${filterValueText(value)}`,
      hint: 'in input or output',
      count,
    }));

/**
 * Counts the texts with each continuation of what is written: to the end of its last word. `texts` are the input and the output of
 * each record; only its beginning is read of a long one.
 */
export function completions(
  records: readonly (readonly (string | null)[])[],
  written: string,
): CountedValue[] {
  const wanted = written.toLowerCase();
  const escaped = wanted.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${escaped}[\\p{L}\\p{N}_'’-]*`, 'gu');
  const counts = new Map<string, number>();
  for (const record of records) {
    const found = new Set<string>();
    for (const text of record)
      for (const [match] of (text ?? '').toLowerCase().matchAll(pattern)) found.add(match);
    for (const match of found) {
      const value = match.replace(/['’_-]+$/, '').slice(0, MAX_COMPLETION);
      if (value.length > wanted.length) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, MAX_VALUES);
}

/** Most characters of a completion. */
const MAX_COMPLETION = 100;

function ofFields({ written, isNegated }: FilterPlace, screen: FilterScreen): Suggestion[] {
  const wanted = written.toLowerCase();
  const minus = isNegated ? '-' : '';
  const known = filterFieldsOf(screen).filter(({ name }) => name.startsWith(wanted));
  return known.slice(0, wanted === '' ? known.length : MAX_FIELDS).flatMap((field): Suggestion[] => {
    const insert = `${minus}${field.name}${field.hasKey ? '.' : ':'}`;
    const one: Suggestion = { kind: 'FIELD', insert, hint: field.hint, count: null };
    // Whoever has begun a name may want to exclude.
    return wanted === '' || isNegated || known.length > 2 || field.name === 'samples'
      ? [one]
      : [one, { kind: 'FIELD', insert: `-${insert}`, hint: 'exclude', count: null }];
  });
}

function ofText({ written, isNegated }: FilterPlace): Suggestion[] {
  if (!isWord(written)) return [];
  return [
    {
      kind: 'TEXT',
      insert: `${isNegated ? '-' : ''}${filterValueText(written)}`,
      hint: 'in input, output and every step',
      count: null,
    },
  ];
}

function ofValues(
  { written, before, isNegated, key }: FilterPlace,
  field: FilterField,
  counted: readonly CountedValue[],
  screen: FilterScreen,
): Suggestion[] {
  const counts = new Map(counted.map(({ value, count }) => [value.toLowerCase(), count]));
  const fixed =
    field.kind === 'field'
      ? filterFieldsOf(screen)
          .filter(({ canBeAbsent, hasKey }) => canBeAbsent && !hasKey)
          .map(({ name }) => name)
      : field.values;
  const known: CountedValue[] = [
    ...fixed.map((value) => ({ value, count: counts.get(value.toLowerCase()) ?? null })),
    ...counted.filter(({ value }) => !fixed.some((one) => one.toLowerCase() === value.toLowerCase())),
  ];
  const wanted = written.toLowerCase();
  const name = `${isNegated ? '-' : ''}${field.name}${key === null ? '' : `.${/^[^\s:",\\]+$/.test(key) ? key : JSON.stringify(key)}`}`;
  return known
    .filter(({ value }) => value.toLowerCase().includes(wanted) && value !== written)
    .toSorted((a, b) => Number(startsWith(b, wanted)) - Number(startsWith(a, wanted)))
    .slice(0, field.kind === 'field' ? known.length : MAX_VALUES)
    .map(({ value, count }) => ({
      kind: 'VALUE',
      insert: `${name}:${before}${RANGED.has(field.kind) ? value : filterValueText(value)}`,
      hint: field.hint,
      count,
    }));
}

const startsWith = ({ value }: CountedValue, wanted: string): boolean =>
  value.toLowerCase().startsWith(wanted);

/** Kinds of fields whose suggested values are comparisons and ranges. */
const RANGED: ReadonlySet<string> = new Set(['duration', 'dollars', 'count', 'share', 'length']);
