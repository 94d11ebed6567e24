import type { FixedGate } from './fixed-gates.ts';
import { isJudgedByModel, type Standings } from './standing.ts';

const OTHER_JUDGE =
  'another judge gave some of its verdicts than the one that people were compared with, such as another model behind the same name';

/** Reason for a definition whose gate was valid in the baseline, and that has none now. */
export const GATE_REMOVED = 'its gate was valid in the baseline and was removed since';

const UNKNOWN = 'its type has changed since, so nothing shows that its judge agreed with people';

/** A verdict, with the type that the definition had when it was given. */
interface GivenVerdict {
  definitionId: string;
  judgeVersion: string | null;
  type: string;
}

/** A definition whose verdicts are only shown. */
export interface AdvisoryJudge {
  id: string;
  /** Reason why its gate is not valid; null when it has none. */
  reason: string | null;
  /** True if it had a valid gate. */
  isLost: boolean;
}

/**
 * Returns the definitions that are advisory for these evals, also because another judge than the one with the valid gate has judged by
 * them. What their run sets have fixed applies; the standing of today, where they have fixed nothing. `provedBefore` has the ids of
 * definitions with a valid gate in the baseline.
 */
export function advisoryJudges(
  today: Standings,
  {
    evals,
    fixed,
    provedBefore,
  }: {
    evals: readonly GivenVerdict[];
    fixed: ReadonlyMap<string, FixedGate>;
    provedBefore: ReadonlySet<string>;
  },
): AdvisoryJudge[] {
  const judgesOf = Map.groupBy(evals, ({ definitionId }) => definitionId);
  const gateOf = (id: string): FixedGate => {
    const known = fixed.get(id);
    if (known) return known;
    const proved = today.gated.get(id);
    const state = proved ? 'PROVED' : today.lost.has(id) ? 'LOST' : 'UNPROVED';
    const reason = today.reasons.get(id) ?? (today.advisory.has(id) || proved ? null : UNKNOWN);
    return { definitionId: id, state, judgeVersion: proved?.of.judgeVersion ?? null, reason };
  };
  // The type of a definition may change after it has judged: what counts is by whom a verdict was given.
  const byModel = evals.flatMap(({ definitionId, judgeVersion }) =>
    judgeVersion === null ? [] : definitionId,
  );
  const ids = new Set([...today.advisory, ...today.gated.keys(), ...fixed.keys(), ...byModel]);
  return [...ids].flatMap((id) => {
    const given = judgesOf.get(id) ?? [];
    if (given.length > 0 && !given.some(({ type }) => isJudgedByModel(type))) return [];
    const { state, judgeVersion, reason } = gateOf(id);
    const isByOther = given.some((one) => one.judgeVersion !== null && one.judgeVersion !== judgeVersion);
    if (state === 'PROVED') return isByOther ? [{ id, reason: OTHER_JUDGE, isLost: true }] : [];
    if (state === 'UNPROVED' && provedBefore.has(id))
      return [{ id, reason: reason ?? GATE_REMOVED, isLost: true }];
    return [{ id, reason, isLost: state === 'LOST' }];
  });
}
