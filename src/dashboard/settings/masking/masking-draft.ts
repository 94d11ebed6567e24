import type { Masking } from '../../../api/generated/schema.ts';
import { ApiError } from '../../../api/client.ts';

/** Detectors, with what each finds. */
export const DETECTORS = [
  ['email', 'Email addresses'],
  ['phone', 'Phone numbers'],
  ['card', 'Numbers of payment cards'],
  ['iban', 'Account numbers (IBAN)'],
  ['secret', 'Keys, tokens and passwords'],
] as const satisfies readonly (readonly [Masking['detectors'][number], string])[];

/** Rules as a person types them. Lists have one key per line. */
export interface TypedRules {
  detectors: Masking['detectors'];
  patterns: Masking['patterns'];
  removeAttributes: string;
  keepsAll: boolean;
  keepAttributes: string;
  exemptAttributes: string;
}
/** Rules as the API takes them. */
export type MaskingFields = Omit<Masking, 'suspended'>;
export type ListName = 'removeAttributes' | 'keepAttributes' | 'exemptAttributes';

export const typedRules = (rules: Masking): TypedRules => ({
  detectors: sorted(rules.detectors),
  patterns: rules.patterns,
  removeAttributes: rules.removeAttributes.join('\n'),
  keepsAll: rules.keepAttributes === null,
  keepAttributes: (rules.keepAttributes ?? []).join('\n'),
  exemptAttributes: rules.exemptAttributes.join('\n'),
});

/** Returns the rules as the API takes them. */
export const rulesOf = (typed: TypedRules): MaskingFields => ({
  detectors: sorted(typed.detectors),
  patterns: typed.patterns,
  removeAttributes: linesOf(typed.removeAttributes),
  keepAttributes: typed.keepsAll ? null : linesOf(typed.keepAttributes),
  exemptAttributes: linesOf(typed.exemptAttributes),
});

export const isSameRules = (a: TypedRules, b: TypedRules): boolean =>
  JSON.stringify(rulesOf(a)) === JSON.stringify(rulesOf(b));

/** Reports whether the rules change nothing of what arrives. */
export const masksNothing = ({ detectors, patterns, removeAttributes, keepAttributes }: Masking): boolean =>
  detectors.length + patterns.length + removeAttributes.length === 0 && keepAttributes === null;

/** Says what the server found wrong with the value at a path of the rules. */
export type ProblemAt = (...path: readonly string[]) => string | undefined;

/** Returns what a rejected call says about the rules in its body, which are at `root`. */
export function problemsOf(error: unknown, root: readonly string[]): ProblemAt {
  const issues = error instanceof ApiError ? error.issues : [];
  return (...path) => {
    const at = [...root, ...path].join('.');
    return issues.find((issue) => issue.path.join('.') === at)?.message;
  };
}

/** Says what is wrong with a list of keys: its first wrong line, or all of it. */
export function listProblem(rules: MaskingFields, name: ListName, problemAt: ProblemAt): string | undefined {
  const lines = rules[name] ?? [];
  const wrong = lines.findIndex((_, index) => problemAt(name, String(index)) !== undefined);
  return wrong === -1 ? problemAt(name) : `“${lines[wrong]}” ${problemAt(name, String(wrong))}`;
}

const sorted = (detectors: Masking['detectors']): Masking['detectors'] =>
  DETECTORS.map(([name]) => name).filter((name) => detectors.includes(name));

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
