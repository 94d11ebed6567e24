import type { StormOptions, StormResult } from './run.ts';

/** The shortest run that was found to break the same rule. */
export interface Shrunk {
  /** Step after which the rule is broken. */
  step: number;
  /** Actions without which it is not broken, by name. */
  needed: string[];
}

type Tried = Pick<StormResult, 'failedAt' | 'broken'>;

interface Parts {
  /** Runs a storm. */
  storm: (options: StormOptions) => Promise<Tried>;
  /** Names of all kinds of actions. */
  names: readonly string[];
}

/**
 * Looks for a shorter run that breaks the same rule: to the step of the fault with checks after every step, and then without one
 * kind of action after another. Returns null if the fault does not happen again.
 */
export async function shrink(
  given: StormOptions,
  { failedAt, broken }: Tried,
  { storm, names }: Parts,
): Promise<Shrunk | null> {
  const rule = ruleOf(broken[0]);
  const stepWithout = async (without: ReadonlySet<string>, steps: number): Promise<number | null> => {
    const found = await storm({ ...given, every: 1, steps, without, print: () => undefined });
    return found.broken.some((fault) => ruleOf(fault) === rule) ? found.failedAt : null;
  };
  const always = given.without ?? new Set<string>();
  let step = await stepWithout(always, failedAt ?? given.steps);
  if (step === null) return null;
  const without = new Set(always);
  for (const name of names) {
    if (without.has(name)) continue;
    const at = await stepWithout(new Set([...without, name]), step);
    if (at === null) continue;
    without.add(name);
    step = at;
  }
  return { step, needed: names.filter((name) => !without.has(name)) };
}

/** Returns the rule of a fault, which stands before the first colon; what follows differs from run to run. */
const ruleOf = (fault = ''): string => fault.split(':', 1)[0] ?? '';
