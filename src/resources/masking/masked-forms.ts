import { DETECTED_KINDS } from '../../detect/finding.ts';
import { compileRules, Masker } from '../../masking/masker.ts';
import type { MaskingRules } from '../../masking/rules.ts';

/** Keys of the attributes that name a user or a session. */
const ATTRIBUTES = ['user.id', 'session.id'];

/**
 * Returns the texts that masking stores instead of an id: by the rules of now, and by all detectors, because rules may have been
 * others when a trace arrived. The id itself is none of them.
 */
export function maskedFormsOf(
  id: string,
  { rules, key }: { rules: MaskingRules; key: Uint8Array },
): string[] {
  const all = { ...rules, detectors: [...DETECTED_KINDS] };
  const forms = [rules, all].flatMap((applied) =>
    ATTRIBUTES.map((attribute) => new Masker(compileRules({ rules: applied, key })).text(id, attribute)),
  );
  return [...new Set(forms)].filter((form) => form !== id);
}
