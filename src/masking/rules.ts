import type { DetectedKind } from '../detect/finding.ts';

/** A pattern of an application for values that no detector knows. */
export interface OwnPattern {
  /** Name in the tokens that replace its matches. */
  name: string;
  /** Regular expression that runs in linear time. */
  pattern: string;
}

/** Rules by which an application masks what it receives. */
export interface MaskingRules {
  detectors: readonly DetectedKind[];
  patterns: readonly OwnPattern[];
  /** Keys of attributes that are removed; a trailing `*` stands for any ending. */
  removeAttributes: readonly string[];
  /** Keys of the only attributes that are kept; null keeps all. */
  keepAttributes: readonly string[] | null;
  /** Keys of attributes whose values are stored as they are. */
  exemptAttributes: readonly string[];
}

export const NO_RULES: MaskingRules = {
  detectors: [],
  patterns: [],
  removeAttributes: [],
  keepAttributes: null,
  exemptAttributes: [],
};

/** Rules of an application with the key of its pseudonyms, for the thread that applies them. */
export interface AppliedRules {
  /** Distinguishes these rules from earlier ones of the application. */
  version: string;
  rules: MaskingRules;
  /** Secret of the application from which its pseudonyms are computed. */
  key: Uint8Array;
  /** Names of own patterns that are too slow and are not searched in long texts, which are masked completely instead. */
  suspended: readonly string[];
}

/** An own pattern that was found to be too slow. */
export interface SlowPattern {
  name: string;
  /** Milliseconds that it took for each million characters. */
  msPerMillion: number;
}

/** Reports whether the rules change nothing. */
export const isEmpty = ({ detectors, patterns, removeAttributes, keepAttributes }: MaskingRules): boolean =>
  detectors.length + patterns.length + removeAttributes.length === 0 && keepAttributes === null;
