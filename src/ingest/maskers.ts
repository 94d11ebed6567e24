import { type CompiledRules, compileRules, Masker } from '../masking/masker.ts';
import type { AppliedRules, SlowPattern } from '../masking/rules.ts';
import type { MaskedCount } from '../masking/tally.ts';

const MAX_APPLICATIONS = 1_000;

/** Makes the masker of each request; rules are compiled once for each application. */
export class Maskers {
  private readonly compiled = new Map<number, { version: string; rules: CompiledRules }>();

  /** Returns the masker for a request of an application; null without rules. */
  open(application: number, applied: AppliedRules | null | undefined): Masker | null {
    if (!applied) return null;
    const known = this.compiled.get(application);
    if (known?.version === applied.version) return new Masker(known.rules);
    if (this.compiled.size >= MAX_APPLICATIONS) this.compiled.clear();
    const rules = compileRules(applied);
    this.compiled.set(application, { version: applied.version, rules });
    return new Masker(rules);
  }
}

/** Result of masking a request. */
export interface MaskingOutcome {
  masked: MaskedCount[];
  /** Own patterns that are too slow; none in most requests. */
  slow: SlowPattern[];
}

export const maskingOutcome = (masker: Masker | null): MaskingOutcome => ({
  masked: masker?.tally.list() ?? [],
  slow: masker?.slowPatterns ?? [],
});
