import type { GateState } from '../../evaluate/statistics/judge-gate.ts';
import { settled, settledOrNull } from '../../evaluate/statistics/settled.ts';
import type { FieldsOf } from '../../storage/record.ts';
import type { Gate } from './contract.ts';
import type { definitions } from './record.ts';
import type { Reliability } from './reliability-contract.ts';

type Columns = Pick<FieldsOf<typeof definitions>, 'gateMinKappa' | 'gateMinAnnotations'>;

/** Returns the columns in which a gate is stored. */
export const gateColumns = (gate: Gate): Columns => ({
  gateMinKappa: gate?.minKappa ?? null,
  gateMinAnnotations: gate?.minAnnotations ?? null,
});

/** Returns the gate that the columns store. */
export const gateOf = ({ gateMinKappa: minKappa, gateMinAnnotations: minAnnotations }: Columns): Gate =>
  minKappa === null || minAnnotations === null ? null : { minKappa, minAnnotations };

/** Returns the state of a gate as the API shows it, with a reason when it is not valid. */
export function shownState(
  rule: NonNullable<Gate>,
  state: GateState,
  verdicts: number,
): NonNullable<Reliability['gate']> {
  const { isValid, test, revokedBy, nextTestAt } = state;
  return {
    ...rule,
    isValid,
    reason: isValid ? null : reasonOf(rule, state, verdicts),
    verdicts,
    lastTest: test && { ...test, kappa: settledOrNull(test.kappa), low: settledOrNull(test.low) },
    revokedBy: revokedBy && { ...revokedBy, kappa: settled(revokedBy.kappa), high: settled(revokedBy.high) },
    nextTestAt,
  };
}

function reasonOf(
  { minKappa }: NonNullable<Gate>,
  { test, revokedBy, nextTestAt }: GateState,
  verdicts: number,
): string {
  const next = `The next test is at ${nextTestAt} human verdicts on tests and traces drawn at random; there are ${verdicts}.`;
  if (revokedBy)
    return `The newest ${revokedBy.verdicts} human verdicts disagree with the judge: their kappa is at most ${revokedBy.high.toFixed(2)}, ${minKappa} is required. ${next}`;
  if (!test) return `The judge has not been tested yet. ${next}`;
  if (test.low === null)
    return `Kappa is undefined, because the judge and people gave the same verdict ${test.verdicts} times. ${next}`;
  return `The lower bound of kappa over ${test.verdicts} human verdicts is ${test.low.toFixed(2)}; ${minKappa} is required. ${next}`;
}
