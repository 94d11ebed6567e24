import type { paths } from '../../api/generated/schema.ts';
import { KNOWN_KINDS } from '../trace/kinds.ts';

export type TracesQuery = NonNullable<paths['/v0/traces']['get']['parameters']['query']>;

/** One condition of a filter line: `errors:yes`, `duration:>2s`, or a word to search for. */
export interface Term {
  /** Name before the colon; empty for words to search for. */
  name: string;
  value: string;
}

/** Something that a term can be about. */
interface Field {
  name: string;
  hint: string;
  /** Values to suggest. */
  values: readonly string[];
  /** Adds the term to the query; returns what is wrong with its value, or null. */
  apply: (query: TracesQuery, value: string, now: number) => string | null;
}

type ListName = 'model' | 'tag' | 'environment' | 'provider' | 'sessionId' | 'userId' | 'testId' | 'kind';
const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const listField = (name: string, hint: string, column: ListName, values: readonly string[] = []): Field => ({
  name,
  hint,
  values,
  apply: (query, value) => {
    if (column === 'kind') {
      if (!KNOWN_KINDS.includes(value.toUpperCase())) return `must be one of ${KNOWN_KINDS.join(', ')}`;
      value = value.toUpperCase();
    }
    Object.assign(query, { [column]: [...(query[column] ?? []), value] });
    return null;
  },
});

const rangeField = (
  name: string,
  hint: string,
  [least, most]: readonly [keyof TracesQuery, keyof TracesQuery],
  read: (text: string) => number | null,
  values: readonly string[],
): Field => ({
  name,
  hint,
  values,
  apply: (query, value) => {
    const [, sign = '>', text = ''] = /^(>=|<=|>|<)?(.+)$/.exec(value) ?? [];
    const limit = read(text);
    if (limit === null) return `must be a limit such as ${values[0]}`;
    Object.assign(query, { [sign.startsWith('<') ? most : least]: limit });
    return null;
  },
});

/** Reads a length of time such as `2s`, `500ms` or `1.5min`; a bare number is milliseconds. */
export function readDuration(text: string): number | null {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|min|m|h|d)?$/.exec(text) ?? [];
  return number === undefined ? null : Number(number) * (UNITS[unit ?? 'ms'] ?? 1);
}

const readNumber = (text: string): number | null =>
  /^\$?\d+(?:\.\d+)?$/.test(text) ? Number(text.replace('$', '')) : null;
const readWhole = (text: string): number | null => {
  const number = readNumber(text.replace(/k$/i, ''));
  return number === null ? null : Math.round(number * (/k$/i.test(text) ? 1000 : 1));
};

const readDate = (text: string): string | null => {
  const at = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
};

const dateField = (name: string, hint: string, column: 'startDate' | 'endDate'): Field => ({
  name,
  hint,
  values: [],
  apply: (query, value) => {
    const date = readDate(value);
    if (date === null) return 'must be a day or a moment such as 2026-03-31 or 2026-03-31T10:00';
    query[column] = date;
    return null;
  },
});

const FIELDS: readonly Field[] = [
  {
    name: 'errors',
    hint: 'traces with failed spans',
    values: ['yes', 'no'],
    apply: (query, value) => {
      if (value !== 'yes' && value !== 'no') return 'must be yes or no';
      query.hasErrors = value === 'yes';
      return null;
    },
  },
  {
    name: 'last',
    hint: 'started in this time',
    values: ['1h', '24h', '7d', '30d'],
    apply: (query, value, now) => {
      const length = readDuration(value);
      if (length === null) return 'must be a length of time such as 24h';
      // Rounded down to minutes, so that the same filter remains the same request for a while.
      query.startDate = new Date(Math.floor((now - length) / 60_000) * 60_000).toISOString();
      return null;
    },
  },
  rangeField('duration', 'took longer or shorter', ['minDurationMs', 'maxDurationMs'], readDuration, [
    '>2s',
    '>10s',
    '<500ms',
  ]),
  rangeField('cost', 'cost more or less, in US dollars', ['minCost', 'maxCost'], readNumber, ['>0.01', '>1']),
  rangeField('tokens', 'used more or fewer tokens', ['minTokens', 'maxTokens'], readWhole, ['>1k', '>100k']),
  listField('model', 'a model that was called', 'model'),
  listField('kind', 'has a span of this kind', 'kind', KNOWN_KINDS),
  listField('environment', 'deployment environment', 'environment', ['production']),
  listField('provider', 'provider of a model', 'provider'),
  listField('tag', 'tag of the trace', 'tag'),
  listField('session', 'id of the session', 'sessionId'),
  listField('user', 'id of the user', 'userId'),
  listField('test', 'id of the test', 'testId'),
  dateField('from', 'started then or later', 'startDate'),
  dateField('to', 'started then or earlier', 'endDate'),
  {
    name: 'samples',
    hint: 'with samples of the webhook',
    values: ['yes'],
    apply: (query, value) => {
      if (value !== 'yes') return 'must be yes';
      query.includeSamples = true;
      return null;
    },
  },
];

const fieldOf = (name: string): Field | undefined => FIELDS.find((field) => field.name === name);

/** Splits a filter line into its terms; quotes keep words together. Words that belong to no field are searched for, together. */
export function parseTerms(line: string): Term[] {
  const terms: Term[] = [];
  const words: string[] = [];
  for (const [, name, quoted, bare, word] of line.matchAll(
    /(?:(\w+):(?:"([^"]*)"?|(\S+)))|("[^"]*"?|\S+)/g,
  )) {
    if (name !== undefined && fieldOf(name)) terms.push({ name, value: quoted ?? bare ?? '' });
    else words.push(word === undefined ? `${name}:${quoted ?? bare}` : word.replaceAll('"', ''));
  }
  if (words.length > 0) terms.push({ name: '', value: words.join(' ') });
  return terms;
}

/** Writes terms as a filter line. */
export const formatTerms = (terms: readonly Term[]): string =>
  terms
    .map(({ name, value }) => (name === '' ? value : `${name}:${/\s/.test(value) ? `"${value}"` : value}`))
    .join(' ');

/** Converts a filter line to the query of the API; `problems` has the terms that cannot be converted, with the reason. */
export function tracesQueryOf(
  line: string,
  now: number,
): { query: TracesQuery; problems: { term: Term; problem: string }[] } {
  const query: TracesQuery = {};
  const problems: { term: Term; problem: string }[] = [];
  for (const term of parseTerms(line)) {
    if (term.name === '') {
      query.search = term.value;
      continue;
    }
    const problem = fieldOf(term.name)?.apply(query, term.value, now) ?? null;
    if (problem !== null) problems.push({ term, problem });
  }
  return { query, problems };
}

export interface Suggestion {
  /** The complete line once the suggestion is chosen. */
  line: string;
  text: string;
  hint: string;
}

/** Suggests how the last word of the line can continue: names of fields, then their values. */
export function suggest(line: string, knownValues: (name: string) => readonly string[]): Suggestion[] {
  const [last = ''] = /\S*$/.exec(line) ?? [];
  const before = line.slice(0, line.length - last.length);
  const [, name, start] = /^(\w+):(.*)$/.exec(last) ?? [];
  const field = name === undefined ? undefined : fieldOf(name);
  if (field) {
    const values = [...new Set([...field.values, ...knownValues(field.name)])];
    return values
      .filter((value) => value.startsWith(start ?? '') && value !== start)
      .slice(0, 12)
      .map((value) => {
        const term = formatTerms([{ name: field.name, value }]);
        return { line: `${before}${term} `, text: term, hint: field.hint };
      });
  }
  return FIELDS.filter((one) => one.name.startsWith(last)).map((one) => ({
    line: `${before}${one.name}:`,
    text: `${one.name}:`,
    hint: one.hint,
  }));
}
