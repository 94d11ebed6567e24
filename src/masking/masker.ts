import type { DetectedKind } from '../detect/finding.ts';
import { isSecretName } from '../detect/secret.ts';
import { AppError } from '../errors.ts';
import { inOneTurn, type Steps } from '../runtime/steps.ts';
import { AttributeFilter } from './attribute-filter.ts';
import { jsonPieces, looksLikeJson, readJsonString, writeJsonString } from './json-text.ts';
import { MaskingClock } from './masking-clock.ts';
import { compileOwnPattern } from './own-pattern.ts';
import { PatternCost } from './pattern-cost.ts';
import { isInToken, isPseudonym, Pseudonyms } from './pseudonym.ts';
import type { AppliedRules, SlowPattern } from './rules.ts';
import { searchAll } from './search-decoded.ts';
import { MAX_SLOW_TEXT, type SearchedPattern } from './search-patterns.ts';
import { Tally } from './tally.ts';

/** JSON in strings of JSON is read this deep; deeper strings are searched as they are written. */
const MAX_JSON_DEPTH = 6;
/** Length of the shortest text in which a detector finds anything. */
const SHORTEST = 6;
/** Length of the shortest value of a field that is named as a secret. */
const SHORTEST_SECRET = 4;
/** Longest time that masking one request may take; it is rejected after that. */
const MAX_MS = 10_000;
/** Largest masked text: so many times the length of the text, and so many characters more; a longer one becomes one token. */
const MAX_TIMES = 4;
const MAX_MORE = 1_000;
/** Most characters by which tokens may enlarge one request; it is rejected beyond them. */
const MAX_GROWTH = 16 * 1024 * 1024;
/** Number of findings that are replaced without a pause. */
const FEW_FINDINGS = 100;
const MAX_CLEAN_NAMES = 2_000;
const MAX_CLEAN_LENGTH = 200;
/** Stands in the report for the keys of attributes themselves. */
const NAMES = '(names)';
const IDENTIFIER = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Masks the texts of one request of an application, and counts what it masked. */
export class Masker {
  readonly tally = new Tally();
  readonly attributes: AttributeFilter;
  readonly kinds: ReadonlySet<DetectedKind>;
  readonly patterns: readonly SearchedPattern[];
  private readonly pseudonyms: Pseudonyms;
  private readonly cleanNames: Set<string>;
  private readonly clock: MaskingClock;
  private growth = 0;

  constructor({ kinds, patterns, attributes, pseudonyms, cleanNames }: CompiledRules, maxMs = MAX_MS) {
    this.clock = new MaskingClock(maxMs);
    this.cleanNames = cleanNames;
    this.kinds = kinds;
    this.patterns = patterns;
    this.attributes = attributes;
    this.pseudonyms = pseudonyms;
  }

  /** Patterns that were found to be too slow, with their speed. */
  get slowPatterns(): SlowPattern[] {
    return this.patterns.flatMap(({ name, cost: { measured } }) =>
      measured === null ? [] : [{ name, msPerMillion: measured }],
    );
  }

  /** Runs work that masks texts on the clock of this request. */
  run<T>(work: Steps<T>): Steps<T> {
    return this.clock.run(work);
  }

  /** Reports whether the turn is over, so that the caller pauses. */
  isTurnOver(): boolean {
    return this.clock.isTurnOver();
  }

  /** Gives other work its turn. Throws `too_large` when the request has taken all of its time. */
  pause(): Steps<void> {
    return this.clock.pause();
  }

  /** Masks a text like `textSteps`, without a pause. */
  text(text: string, attribute: string, name = attribute): string {
    return inOneTurn(this.run(this.textSteps(text, attribute, name)));
  }

  /**
   * Masks a text in steps; returns the same text if there is nothing to mask. The report names its attribute; its own
   * name tells whether all of it is a secret.
   */
  *textSteps(text: string, attribute: string, name = attribute): Steps<string> {
    if (this.kinds.has('secret') && isSecret(text, name)) return this.replace('secret', text, attribute);
    return yield* this.part(text, attribute, 0);
  }

  /** Masks the key of an attribute, or the name of a member. */
  *nameSteps(name: string): Steps<string> {
    if (name.length < SHORTEST || this.cleanNames.has(name)) return name;
    const masked = yield* this.plain(name, NAMES);
    if (masked !== name) return masked;
    if (this.cleanNames.size >= MAX_CLEAN_NAMES) this.cleanNames.clear();
    if (name.length <= MAX_CLEAN_LENGTH) this.cleanNames.add(name);
    return name;
  }

  /** Returns the token of an integer that is the number of a card; null for other integers. */
  *integerSteps(digits: string, attribute: string): Steps<string | null> {
    const masked = digits.length < 13 ? digits : yield* this.part(digits, attribute, MAX_JSON_DEPTH);
    return masked === digits ? null : masked;
  }

  private *part(text: string, attribute: string, depth: number): Steps<string> {
    if (text.length < SHORTEST && this.patterns.length === 0) return text;
    if (IDENTIFIER.test(text) || isPseudonym(text)) return text;
    if (depth < MAX_JSON_DEPTH && looksLikeJson(text)) return yield* this.json(text, attribute, depth);
    return yield* this.plain(text, attribute);
  }

  /** Masks each string of a JSON text, so that it stays valid JSON. */
  private *json(text: string, attribute: string, depth: number): Steps<string> {
    let masked = '';
    let copied = 0;
    /** The last string if it may be the name of a member, then that name. */
    let [last, name] = ['', ''];
    for (const { start, end, isString } of jsonPieces(text)) {
      const piece = text.slice(start, end);
      if (!isString) name = piece.replaceAll(/\s/g, '') === '":"' ? last : '';
      const unsearched = isString ? undefined : this.unsearched(piece);
      if (unsearched !== undefined) return this.replace(unsearched, text, attribute);
      const changed = yield* isString
        ? this.jsonString(piece, name, { attribute, depth })
        : this.plain(piece, attribute, true);
      if (isString) last = piece;
      if (changed === piece) continue;
      masked += text.slice(copied, start) + changed;
      copied = end;
    }
    return copied === 0 ? text : masked + text.slice(copied);
  }

  private *jsonString(
    written: string,
    name: string,
    { attribute, depth }: { attribute: string; depth: number },
  ): Steps<string> {
    const string = written.includes('\\') ? readJsonString(written) : written;
    if (string === null) return yield* this.plain(written, attribute);
    const masked =
      name !== '' && this.kinds.has('secret') && isSecret(string, name)
        ? this.replace('secret', string, attribute)
        : yield* this.part(string, attribute, depth + 1);
    return masked === string ? written : writeJsonString(masked);
  }

  /** Masks what is found in a text; `isJson` for the numbers of a JSON text, whose tokens need quotes. */
  private *plain(text: string, attribute: string, isJson = false): Steps<string> {
    const findings = yield* searchAll(text, this, this.clock);
    // What a suspended pattern was not searched in is masked completely.
    if (typeof findings === 'string') return inQuotes(this.replace(findings, text, attribute), isJson);
    if (findings.length === 0) return text;
    const limit = isJson ? Infinity : MAX_TIMES * text.length + MAX_MORE;
    let masked = '';
    let copied = 0;
    for (const { kind, start, end, value = text.slice(start, end) } of findings) {
      if (isInToken(text, start)) continue;
      if (masked.length > limit) return this.replace(kind, text, attribute);
      const token = this.replace(kind, value, attribute);
      masked += text.slice(copied, start) + inQuotes(token, isJson && isNumber(text, start, end));
      copied = end;
      if (findings.length > FEW_FINDINGS && this.clock.isTurnOver()) yield* this.clock.pause();
    }
    return masked + text.slice(copied);
  }

  /** Returns the name of a suspended pattern that would have to be searched in this text. */
  private unsearched(text: string): string | undefined {
    if (text.length <= MAX_SLOW_TEXT) return undefined;
    return this.patterns.find(({ cost }) => cost.isSlow)?.name;
  }

  private replace(kind: string, value: string, attribute: string): string {
    if (isPseudonym(value)) return value;
    this.tally.add(kind, attribute);
    const token = this.pseudonyms.tokenOf(kind, value);
    this.growth += token.length - value.length;
    if (this.growth > MAX_GROWTH)
      throw new AppError(
        'too_large',
        `masking makes this request longer by more than ${MAX_GROWTH} characters; send smaller batches, or use patterns that match longer texts`,
      );
    return token;
  }
}

/** Parts of rules that requests share. */
export interface CompiledRules {
  kinds: ReadonlySet<DetectedKind>;
  patterns: readonly SearchedPattern[];
  attributes: AttributeFilter;
  pseudonyms: Pseudonyms;
  /** Names in which nothing was found. */
  cleanNames: Set<string>;
}

export function compileRules({
  rules,
  key,
  suspended = [],
}: Pick<AppliedRules, 'rules' | 'key'> & Partial<Pick<AppliedRules, 'suspended'>>): CompiledRules {
  return {
    kinds: new Set(rules.detectors),
    patterns: rules.patterns.flatMap(({ name, pattern }) => {
      const expression = compileOwnPattern(pattern);
      if (typeof expression === 'string') throw new Error(`the pattern ${name} ${expression}`);
      return [{ name, expression, cost: new PatternCost(suspended.includes(name)) }];
    }),
    attributes: new AttributeFilter(rules),
    pseudonyms: new Pseudonyms(key),
    cleanNames: new Set(),
  };
}

const isSecret = (text: string, name: string): boolean =>
  text.length >= SHORTEST_SECRET && isSecretName(name) && !isPseudonym(text);

const DIGITS = /^-?\d+$/;
const isNumber = (text: string, start: number, end: number): boolean => DIGITS.test(text.slice(start, end));

const inQuotes = (token: string, isNeeded: boolean): string => (isNeeded ? `"${token}"` : token);
