import { detect } from '../detect/detect.ts';
import type { DetectedKind, Finding } from '../detect/finding.ts';
import { matchesOf } from '../detect/finding.ts';
import { isSecretName } from '../detect/secret.ts';
import { AppError } from '../errors.ts';
import { AttributeFilter } from './attribute-filter.ts';
import { jsonPieces, looksLikeJson, readJsonString, writeJsonString } from './json-text.ts';
import { compileOwnPattern } from './own-pattern.ts';
import { isInToken, isToken, Pseudonyms } from './pseudonym.ts';
import type { AppliedRules } from './rules.ts';
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
const MAX_CLEAN_NAMES = 2_000;
const MAX_CLEAN_LENGTH = 200;
/** Stands in the report for the keys of attributes themselves. */
const NAMES = '(names)';
const IDENTIFIER = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Masks the texts of one request of an application, and counts what it masked. */
export class Masker {
  readonly tally = new Tally();
  readonly attributes: AttributeFilter;
  private readonly kinds: ReadonlySet<DetectedKind>;
  private readonly patterns: readonly { name: string; expression: RegExp }[];
  private readonly pseudonyms: Pseudonyms;
  private readonly cleanNames: Set<string>;
  private readonly startedAt = performance.now();
  private growth = 0;
  private readonly maxMs: number;

  constructor({ kinds, patterns, attributes, pseudonyms, cleanNames }: CompiledRules, maxMs = MAX_MS) {
    this.maxMs = maxMs;
    this.cleanNames = cleanNames;
    this.kinds = kinds;
    this.patterns = patterns;
    this.attributes = attributes;
    this.pseudonyms = pseudonyms;
  }

  /**
   * Masks a text; returns the same text if there is nothing to mask. The report names its attribute; its own name
   * tells whether all of it is a secret.
   */
  text(text: string, attribute: string, name = attribute): string {
    if (this.kinds.has('secret') && isSecret(text, name)) return this.replace('secret', text, attribute);
    return this.part(text, attribute, 0);
  }

  /** Masks the key of an attribute, or the name of a member. */
  name(name: string): string {
    if (name.length < SHORTEST || this.cleanNames.has(name)) return name;
    const masked = this.plain(name, NAMES, false);
    if (masked !== name) return masked;
    if (this.cleanNames.size >= MAX_CLEAN_NAMES) this.cleanNames.clear();
    if (name.length <= MAX_CLEAN_LENGTH) this.cleanNames.add(name);
    return name;
  }

  /** Returns the token of an integer that is the number of a card; null for other integers. */
  integer(digits: string, attribute: string): string | null {
    const masked = digits.length < 13 ? digits : this.part(digits, attribute, MAX_JSON_DEPTH);
    return masked === digits ? null : masked;
  }

  private part(text: string, attribute: string, depth: number): string {
    if (text.length < SHORTEST && this.patterns.length === 0) return text;
    if (IDENTIFIER.test(text) || isToken(text)) return text;
    if (depth < MAX_JSON_DEPTH && looksLikeJson(text)) return this.json(text, attribute, depth);
    return this.plain(text, attribute, false);
  }

  /** Masks each string of a JSON text, so that it stays valid JSON. */
  private json(text: string, attribute: string, depth: number): string {
    let masked = '';
    let copied = 0;
    /** The last string if it may be the name of a member, then that name. */
    let [last, name] = ['', ''];
    for (const { start, end, isString } of jsonPieces(text)) {
      const piece = text.slice(start, end);
      if (!isString) name = piece.replaceAll(/\s/g, '') === '":"' ? last : '';
      const changed = isString
        ? this.jsonString(piece, name, { attribute, depth })
        : this.plain(piece, attribute, true);
      if (isString) last = piece;
      if (changed === piece) continue;
      masked += text.slice(copied, start) + changed;
      copied = end;
    }
    return copied === 0 ? text : masked + text.slice(copied);
  }

  private jsonString(
    written: string,
    name: string,
    { attribute, depth }: { attribute: string; depth: number },
  ): string {
    const said = written.includes('\\') ? readJsonString(written) : written;
    if (said === null) return this.plain(written, attribute, false);
    const masked =
      name !== '' && this.kinds.has('secret') && isSecret(said, name)
        ? this.replace('secret', said, attribute)
        : this.part(said, attribute, depth + 1);
    return masked === said ? written : writeJsonString(masked);
  }

  /** Masks what is found in a text; `isJson` for the numbers of a JSON text, whose tokens need quotes. */
  private plain(text: string, attribute: string, isJson: boolean): string {
    const findings = this.find(text);
    if (findings.length === 0) return text;
    const limit = isJson ? Infinity : MAX_TIMES * text.length + MAX_MORE;
    let masked = '';
    let copied = 0;
    for (const { kind, start, end } of findings) {
      if (isInToken(text, start)) continue;
      if (masked.length > limit) return this.replace(kind, text, attribute);
      const token = this.replace(kind, text.slice(start, end), attribute);
      masked += text.slice(copied, start) + (isJson && isNumber(text, start, end) ? `"${token}"` : token);
      copied = end;
    }
    return masked + text.slice(copied);
  }

  private find(text: string): readonly Finding<string>[] {
    this.checkTime();
    let found: Finding<string>[] = [];
    for (const { name, expression } of this.patterns) {
      for (const { start, end } of matchesOf(text, expression)) {
        found.push({ kind: name, start, end });
        // Each match is found in linear time, but a text may have as many matches as characters.
        this.checkTime();
      }
      this.checkTime();
    }
    if (found.length > 1) found = withoutOverlaps(found);
    return detect<string>(text, this.kinds, found);
  }

  private replace(kind: string, value: string, attribute: string): string {
    if (isToken(value)) return value;
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

  private checkTime(): void {
    if (performance.now() - this.startedAt > this.maxMs)
      throw new AppError(
        'too_large',
        `masking this request takes more than ${this.maxMs / 1_000} s; send smaller batches, or simplify the patterns`,
      );
  }
}

/** Parts of rules that requests share. */
export interface CompiledRules {
  kinds: ReadonlySet<DetectedKind>;
  patterns: readonly { name: string; expression: RegExp }[];
  attributes: AttributeFilter;
  pseudonyms: Pseudonyms;
  /** Names in which nothing was found. */
  cleanNames: Set<string>;
}

export function compileRules({ rules, key }: Omit<AppliedRules, 'version'>): CompiledRules {
  return {
    kinds: new Set(rules.detectors),
    patterns: rules.patterns.flatMap(({ name, pattern }) => {
      const expression = compileOwnPattern(pattern);
      if (typeof expression === 'string') throw new Error(`the pattern ${name} ${expression}`);
      return [{ name, expression }];
    }),
    attributes: new AttributeFilter(rules),
    pseudonyms: new Pseudonyms(key),
    cleanNames: new Set(),
  };
}

const isSecret = (text: string, name: string): boolean =>
  text.length >= SHORTEST_SECRET && isSecretName(name) && !isToken(text);

const DIGITS = /^-?\d+$/;
const isNumber = (text: string, start: number, end: number): boolean => DIGITS.test(text.slice(start, end));

/** Removes findings that overlap earlier ones; of those with one start, the first pattern counts. */
function withoutOverlaps(found: Finding<string>[]): Finding<string>[] {
  const sorted = found.toSorted((a, b) => a.start - b.start);
  let end = 0;
  return sorted.filter((one) => {
    if (one.start < end) return false;
    end = one.end;
    return true;
  });
}
