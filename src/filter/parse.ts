import { mostSimilar } from '../most-similar.ts';
import { amountText, readAmount, readDuration, readMoment } from './amounts.ts';
import { addsRows, type FilterField, type FilterScreen, fieldNamed, filterFieldsOf } from './fields.ts';
import { compileFilterPattern, wildcardSource } from './patterns.ts';
import type { Bound, FilterTerm, FilterTerms, FilterValue } from './term.ts';
import { type FilterFault, type Piece, quoted, type Token, filterTokens, filterValueText } from './tokens.ts';

/** Most terms of a filter, and values of a term. */
const MAX_TERMS = 50;
const MAX_VALUES = 50;

export interface ParsedFilter {
  /** The terms without faults. */
  terms: FilterTerms;
  /** Faults in the order of the line; a filter with faults must not be applied. */
  faults: readonly FilterFault[];
}

/** Parses the filter line of a screen. Every text either gives terms or faults. */
export function parseFilter(line: string, screen: FilterScreen): ParsedFilter {
  const faults: FilterFault[] = [];
  const terms: FilterTerm[] = [];
  const tokens = filterTokens(line);
  for (const token of tokens.slice(0, MAX_TERMS)) {
    const found = new TermReader(line, token, screen).read();
    faults.push(...found.faults);
    if (found.term) terms.push(found.term);
  }
  const beyond = tokens[MAX_TERMS];
  if (beyond) {
    const message = `A filter has at most ${MAX_TERMS} terms; got ${tokens.length}`;
    faults.push({ start: beyond.start, end: line.length, message, suggestion: null });
  }
  return { terms, faults };
}

/** Reads one token. */
class TermReader {
  private readonly line: string;
  private readonly token: Token;
  private readonly screen: FilterScreen;
  private readonly faults: FilterFault[];

  constructor(line: string, token: Token, screen: FilterScreen) {
    this.line = line;
    this.token = token;
    this.screen = screen;
    this.faults = [...token.faults];
  }

  read(): { term: FilterTerm | null; faults: readonly FilterFault[] } {
    const { token, faults } = this;
    const field = this.field();
    if (!field || faults.length > 0) return { term: null, faults };
    const { start, end, isNegated, key } = token;
    if (token.pieces.length > MAX_VALUES)
      this.fault(token, `A term has at most ${MAX_VALUES} values; got ${token.pieces.length}`);
    const values = token.pieces.map((piece) => this.value(field, piece)).filter((value) => value !== null);
    if (isNegated && addsRows(field.name))
      this.fault(token, `\`${field.name}\` cannot be negated`, `${field.name}:yes`);
    if (values.length > 1 && (field.kind === 'length' || field.kind === 'time' || addsRows(field.name)))
      this.fault(token, `\`${field.name}\` takes one value`);
    if (faults.length > 0) return { term: null, faults };
    return { term: { field: field.name, key, isNegated, values, start, end }, faults };
  }

  private fault(
    { start, end }: { start: number; end: number },
    message: string,
    suggestion: string | null = null,
  ): null {
    this.faults.push({ start, end, message, suggestion });
    return null;
  }

  /** Returns the field of the token, or null after noting why there is none. */
  private field(): FilterField | null {
    const { token } = this;
    const { name, key } = token;
    if (name === null) return fieldNamed('text') ?? null;
    const known = filterFieldsOf(this.screen);
    const field = fieldNamed(name);
    if (!field) return this.unknown(name, known);
    if (!known.includes(field)) return this.fault(token, `\`${field.name}\` is no field of ${this.screen}`);
    if (field.hasKey && (key === null || key === ''))
      return this.fault(
        token,
        `\`${field.name}\` needs a key`,
        this.withName(field.example.replace(/:.*/, '')),
      );
    if (!field.hasKey && key !== null)
      return this.fault(token, `\`${field.name}\` has no keys`, this.withName(field.name));
    return field;
  }

  private unknown(name: string, known: readonly FilterField[]): null {
    const { token, line } = this;
    const similar = mostSimilar(
      name,
      known.map((one) => one.name),
    );
    const field = similar === undefined ? undefined : fieldNamed(similar);
    const key = field?.hasKey === true && token.key !== null ? `.${keyText(token.key)}` : '';
    const suggestion = field
      ? this.withName(`${field.name}${key}`)
      : quoted(line.slice(token.start, token.end));
    return this.fault(token, `Unknown field “${name}”`, suggestion);
  }

  /** Returns the token with another name. */
  private withName(name: string): string {
    const { token, line } = this;
    return `${token.isNegated ? '-' : ''}${name}:${line.slice(token.valueStart, token.end)}`;
  }

  private value(field: FilterField, piece: Piece): FilterValue | null {
    switch (field.kind) {
      case 'text':
      case 'name':
      case 'error':
        return this.text(field, piece);
      case 'choice':
        return this.choice(field, piece, field.values);
      case 'field': {
        const names = filterFieldsOf(this.screen).filter(({ canBeAbsent }) => canBeAbsent);
        return this.choice(
          field,
          piece,
          names.map(({ name }) => name),
        );
      }
      case 'length':
        return this.length(field, piece);
      case 'time':
        return this.moment(field, piece);
      default:
        return this.range(field, piece);
    }
  }

  private text(field: FilterField, piece: Piece): FilterValue | null {
    if (piece.kind === 'regex') {
      const compiled = compileFilterPattern(piece.text, piece.flags);
      if (typeof compiled !== 'string') return { is: 'regex', source: piece.text, flags: piece.flags };
      const written = this.line.slice(piece.start, piece.end);
      return this.fault(piece, `The regular expression ${written} ${compiled}`, quoted(written));
    }
    if (piece.parts.length > 1) {
      const isWhole = field.kind !== 'text' && field.kind !== 'error';
      if (isWhole || compileIsUseful(piece.parts)) return { is: 'wildcard', parts: piece.parts };
      return this.fault(piece, 'A word with a wildcard needs a letter or digit', quoted(piece.text));
    }
    if (piece.text === '') return this.fault(piece, 'A value must not be empty', `has:${field.name}`);
    return { is: 'equal', text: piece.text };
  }

  private choice(field: FilterField, piece: Piece, choices: readonly string[]): FilterValue | null {
    const wanted = piece.text.toLowerCase();
    const [, key] = field.kind === 'field' ? (/^metadata\.(.+)$/is.exec(piece.text) ?? []) : [];
    if (piece.kind !== 'regex' && key !== undefined) return { is: 'equal', text: `metadata.${key}` };
    const found = choices.find((one) => one.toLowerCase() === wanted);
    if (piece.kind !== 'regex' && found === 'metadata')
      return this.fault(piece, '`metadata` needs a key', 'metadata.key');
    if (piece.kind !== 'regex' && found !== undefined) return { is: 'equal', text: found };
    const message = `\`${field.name}\` must be one of ${choices.join(', ')}`;
    return this.fault(piece, message, mostSimilar(piece.text, choices) ?? null);
  }

  private length(field: FilterField, piece: Piece): FilterValue | null {
    const amount = piece.kind === 'regex' ? null : readDuration(piece.text);
    if (amount === null)
      return this.fault(piece, `\`${field.name}\` must be a length of time such as 24h`, '24h');
    return { is: 'range', min: null, max: { amount, isInclusive: true } };
  }

  private moment(field: FilterField, piece: Piece): FilterValue | null {
    const moment = piece.kind === 'regex' ? null : readMoment(piece.text);
    if (moment === null) {
      const message = `\`${field.name}\` must be a day or a moment such as 2026-03-31 or 2026-03-31T10:00`;
      return this.fault(piece, message);
    }
    return field.name === 'from'
      ? { is: 'range', min: { amount: moment.first, isInclusive: true }, max: null }
      : { is: 'range', min: null, max: { amount: moment.last, isInclusive: true } };
  }

  /** Reads `>2s`, `1s..5s`, `..5s` or, where amounts are exact, `5`. */
  private range(field: FilterField, piece: Piece): FilterValue | null {
    const found = piece.kind === 'regex' ? null : rangeOf(field, piece.text);
    if (found === 'reversed')
      return this.fault(
        piece,
        `The range of \`${field.name}\` begins above its end: ${piece.text}`,
        turned(piece.text),
      );
    if (found !== null) return found;
    const isAmount = readAmount(field.kind, piece.text) !== null;
    const message = `\`${field.name}\` must be a limit or a range such as ${field.example.replace(/^\w+:/, '')} or ${RANGES[field.kind] ?? ''}`;
    return this.fault(piece, message, isAmount ? `>=${piece.text}` : null);
  }
}

const RANGES: Readonly<Record<string, string>> = {
  duration: '1s..5s',
  dollars: '0.01..0.5',
  count: '10..20',
  share: '0.2..0.8',
};

const compileIsUseful = (parts: readonly string[]): boolean =>
  typeof compileFilterPattern(wildcardSource(parts, false), 'i') !== 'string';

const turned = (text: string): string => text.split('..').toReversed().join('..');

function rangeOf(field: FilterField, text: string): FilterValue | 'reversed' | null {
  const [, sign, limit] = /^(>=|<=|>|<)(.+)$/s.exec(text) ?? [];
  if (sign !== undefined && limit !== undefined) {
    const amount = readAmount(field.kind, limit);
    if (amount === null) return null;
    const bound: Bound = { amount, isInclusive: sign.endsWith('=') };
    return sign.startsWith('>')
      ? { is: 'range', min: bound, max: null }
      : { is: 'range', min: null, max: bound };
  }
  if (text.includes('..')) {
    const at = text.indexOf('..');
    const [from, to] = [text.slice(0, at), text.slice(at + 2)];
    const min = from === '' ? null : readAmount(field.kind, from);
    const max = to === '' ? null : readAmount(field.kind, to);
    if ((min === null && max === null) || (from !== '' && min === null) || (to !== '' && max === null))
      return null;
    if (min !== null && max !== null && min > max) return 'reversed';
    return { is: 'range', min: inclusive(min), max: inclusive(max) };
  }
  const amount = field.kind === 'duration' ? null : readAmount(field.kind, text);
  return amount === null ? null : { is: 'range', min: inclusive(amount), max: inclusive(amount) };
}

const inclusive = (amount: number | null): Bound | null =>
  amount === null ? null : { amount, isInclusive: true };

/** Returns the key of metadata as it stands behind the dot. */
const keyText = (key: string): string => (/^[^\s:",\\]+$/.test(key) ? key : quoted(key));

/** Writes terms as a filter line that means the same. */
export const printFilter = (terms: FilterTerms): string => terms.map((term) => printTerm(term)).join(' ');

/** Writes one term. */
function printTerm({ field, key, isNegated, values }: FilterTerm): string {
  const { kind } = fieldNamed(field) as FilterField;
  const name = `${field}${key === null ? '' : `.${keyText(key)}`}`;
  return `${isNegated ? '-' : ''}${name}:${values.map((value) => printValue(kind, value)).join(',')}`;
}

function printValue(kind: FilterField['kind'], value: FilterValue): string {
  switch (value.is) {
    case 'equal':
      return filterValueText(value.text);
    case 'wildcard':
      return value.parts.map((part) => part.replaceAll(/[\s,"\\*/]/g, '\\$&')).join('*');
    case 'regex':
      return `/${value.source}/${value.flags}`;
    default:
      return printRange(kind, value);
  }
}

function printRange(
  kind: FilterField['kind'],
  { min, max }: { min: Bound | null; max: Bound | null },
): string {
  if (kind === 'time') return new Date((min ?? max)?.amount ?? 0).toISOString();
  if (kind === 'length') return amountText(kind, max?.amount ?? 0);
  const text = (bound: Bound): string => amountText(kind, bound.amount);
  if (min && max) return `${text(min)}..${text(max)}`;
  if (min) return `>${min.isInclusive ? '=' : ''}${text(min)}`;
  return max ? `<${max.isInclusive ? '=' : ''}${text(max)}` : '';
}
