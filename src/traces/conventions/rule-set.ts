import { SPAN_KINDS, type ObservationKind } from '../span-kinds.ts';
import { BRAINTRUST } from './braintrust.ts';
import { CLAUDE_CODE } from './claude-code.ts';
import { GOOGLE_ADK } from './google-adk.ts';
import { GENKIT } from './genkit.ts';
import { LAMINAR } from './laminar.ts';
import { LANGWATCH } from './langwatch.ts';
import { LIVEKIT } from './livekit.ts';
import { LOGFIRE } from './logfire.ts';
import { MASTRA } from './mastra.ts';
import { SPRING_AI } from './spring-ai.ts';
import { GEN_AI } from './gen-ai.ts';
import { LANGFUSE } from './langfuse.ts';
import { LANGSMITH } from './langsmith.ts';
import { MLFLOW } from './mlflow.ts';
import { OPENINFERENCE } from './openinference.ts';
import { OPENLLMETRY } from './openllmetry.ts';
import { OTEL } from './otel.ts';
import {
  AGENTOPS,
  HAYSTACK,
  LANGTRACE,
  MCP,
  OPIK,
  PIPECAT,
  SENTRY,
  VOLTAGENT,
  WEAVE,
} from './other-frameworks.ts';
import { PRECEDENCE } from './precedence.ts';
import { type Field, FIELDS, type Rule, type Vocabulary } from './rule.ts';
import { TOUCHSTONE } from './touchstone.ts';
import { VERCEL } from './vercel.ts';

/**
 * Version of the rules, stored with the mapped values. Increase it whenever a stored span would be mapped
 * differently.
 */
export const RULE_SET_VERSION = 9;

export const VOCABULARIES: readonly Vocabulary[] = [
  TOUCHSTONE,
  LANGFUSE,
  GEN_AI,
  OPENINFERENCE,
  OPENLLMETRY,
  VERCEL,
  LANGSMITH,
  MLFLOW,
  MASTRA,
  LOGFIRE,
  CLAUDE_CODE,
  SPRING_AI,
  GENKIT,
  LAMINAR,
  LANGWATCH,
  BRAINTRUST,
  LIVEKIT,
  GOOGLE_ADK,
  MCP,
  SENTRY,
  AGENTOPS,
  HAYSTACK,
  VOLTAGENT,
  PIPECAT,
  LANGTRACE,
  OPIK,
  WEAVE,
  OTEL,
];

/** A rule with precomputed lookups. */
export interface CompiledRule extends Rule {
  vocabulary: string;
  /** Index into FIELDS. */
  fieldIndex: number;
  /** Rank among the rules of its field; the lowest takes precedence. */
  rank: number;
  /**
   * Index into SPAN_KINDS for each attribute value as it is written and in lower case, for the field `kind`; or the one index that the presence of the
   * attribute means.
   */
  kindOf: ReadonlyMap<string, number> | number | null;
  /** True if the key is a prefix. */
  isOpen: boolean;
  /** Number of bytes after which the rest of the key becomes the name of an entry: own rules collect an object so. */
  collectsAfter?: number;
}

const NO_RULES: readonly CompiledRule[] = [];
const OPEN = /\.[*#]$/;

const exact = new Map<string, CompiledRule[]>();
/** Rules of open-ended keys, by their prefix, which ends with a dot. */
const open = new Map<string, CompiledRule[]>();
for (const { name, rules } of VOCABULARIES) for (const rule of rules) add(compile(rule, name));

function compile(rule: Rule, vocabulary: string): CompiledRule {
  const { kinds = null } = rule;
  return {
    ...rule,
    vocabulary,
    fieldIndex: FIELDS.indexOf(rule.field),
    rank: rankOf(rule),
    kindOf:
      kinds === null
        ? null
        : typeof kinds === 'string'
          ? kindIndex(kinds)
          : new Map(
              Object.entries(kinds).flatMap(([value, kind]) => [
                [value, kindIndex(kind)],
                [value.toLowerCase(), kindIndex(kind)],
              ]),
            ),
    isOpen: OPEN.test(rule.key),
  };
}

function rankOf({ key, field }: Rule): number {
  const rank = PRECEDENCE[field]?.indexOf(key) ?? 0;
  if (rank < 0) throw new Error(`the precedence of ${field} does not name ${key}`);
  return rank;
}

function kindIndex(kind: ObservationKind): number {
  return SPAN_KINDS.indexOf(kind);
}

function add(rule: CompiledRule): void {
  const [map, key] = rule.isOpen ? [open, rule.key.slice(0, -1)] : [exact, rule.key];
  const rules = map.get(key);
  if (rules) rules.push(rule);
  else map.set(key, [rule]);
}

/** Recently used keys. Bounded, because senders choose their keys. */
const knownKeys = new Map<string, readonly CompiledRule[]>();
const MAX_KNOWN_KEYS = 8_192;
/** Longest key that rules are looked up for: 255 bytes, behind `event `. */
const MAX_KEY = 'event '.length + 255;

/** Returns the rules that read an attribute, or an event as `event <name>`. */
export function rulesFor(key: string): readonly CompiledRule[] {
  if (key.length > MAX_KEY) return NO_RULES;
  let rules = knownKeys.get(key);
  if (rules === undefined) {
    if (knownKeys.size >= MAX_KNOWN_KEYS) knownKeys.clear();
    knownKeys.set(key, (rules = findRules(key)));
  }
  return rules;
}

/** A key with a rule of its own is not a parameter or message, but is kept as metadata. */
function findRules(key: string): readonly CompiledRule[] {
  const own = exact.get(key);
  const shared = openRules(key);
  if (own === undefined) return shared;
  const metadata = shared.filter(({ field }) => field === 'metadata');
  return metadata.length === 0 ? own : [...own, ...metadata];
}

/** Returns the rules of the longest prefix of `key` whose remainder they accept. */
function openRules(key: string): readonly CompiledRule[] {
  for (let dot = key.lastIndexOf('.', key.length - 2); dot > 0; dot = key.lastIndexOf('.', dot - 1)) {
    const rules = open.get(key.slice(0, dot + 1));
    if (rules === undefined) continue;
    const isIndex = /^(0|[1-9]\d{0,3})(\.|$)/.test(key.slice(dot + 1, dot + 6));
    const fitting = isIndex ? rules : rules.filter((rule) => rule.key.endsWith('*'));
    if (fitting.length > 0) return fitting;
  }
  return NO_RULES;
}

/** Reports whether a rule reads this attribute, and no other sender would mean something else by it. */
export function isMappedKey(key: string): boolean {
  return rulesFor(key).some(({ isCommonWord }) => isCommonWord !== true);
}

/** Returns every rule of a field, in order of precedence. */
export function rulesOfField(field: Field): CompiledRule[] {
  return [...exact.values(), ...open.values()]
    .flat()
    .filter((rule) => rule.field === field)
    .sort((a, b) => a.rank - b.rank);
}
