import type { Pairing } from '../../evaluate/statistics/comparison.ts';
import { percent } from '../../evaluate/statistics/settled.ts';
import { type ComparedCandidate, MAX_SHOWN_UNPAIRED, type Unpaired } from './compare-contract.ts';
import type { TestedInput } from './compare-side.ts';

type Inputs = ReadonlyMap<string, TestedInput>;
type ShownPairing = Pick<
  ComparedCandidate,
  'pairs' | 'onlyInBaseline' | 'onlyInCandidate' | 'judgedOtherwise' | 'pairedShare' | 'unpaired'
>;

/** Reports how much of what was tested on both sides could be compared, and why the rest could not. */
export function pairingOf(pairing: Pairing, baseline: Inputs, candidate: Inputs): ShownPairing {
  const pairs = pairing.pairs.length;
  return {
    pairs,
    onlyInBaseline: pairing.onlyBaseline.length,
    onlyInCandidate: pairing.onlyCandidate.length,
    judgedOtherwise: pairing.judgedOtherwise.length,
    pairedShare: percent(pairs / Math.max(1, baseline.size, candidate.size)),
    unpaired: unpairedInputs(pairing, baseline, candidate),
  };
}

function unpairedInputs(pairing: Pairing, baseline: Inputs, candidate: Inputs): Unpaired[] {
  const otherwise = new Set(pairing.judgedOtherwise);
  const [onlyBaseline, onlyCandidate] = [new Set(pairing.onlyBaseline), new Set(pairing.onlyCandidate)];
  const reasonOf = (key: string): Unpaired['reason'] => {
    if (otherwise.has(key)) return 'JUDGED_OTHERWISE';
    if (!candidate.has(key)) return 'NOT_IN_CANDIDATE';
    if (!baseline.has(key)) return 'NOT_IN_BASELINE';
    if (onlyBaseline.has(key)) return 'DOES_NOT_COUNT_IN_CANDIDATE';
    return onlyCandidate.has(key) ? 'DOES_NOT_COUNT_IN_BASELINE' : 'DOES_NOT_COUNT';
  };
  return [...new Map([...baseline, ...candidate])]
    .filter(([key]) => !pairing.pairedKeys.has(key))
    .slice(0, MAX_SHOWN_UNPAIRED)
    .map(([key, { taskId, exampleId, prompt }]) => ({ taskId, exampleId, prompt, reason: reasonOf(key) }));
}
