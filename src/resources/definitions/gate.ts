import type { GateState } from '../../evaluate/statistics/judge-gate.ts';
import { settled, settledOrNull } from '../../evaluate/statistics/settled.ts';
import { isoTime } from '../../contract/values.ts';
import type { FieldsOf } from '../../storage/record.ts';
import type { Gate } from './contract.ts';
import type { definitions } from './record.ts';
import type { Reliability } from './reliability-contract.ts';

type Columns = Pick<
  FieldsOf<typeof definitions>,
  'gateMinKappa' | 'gateMinAnnotations' | 'gateMaxAgeDays' | 'gateCanaries'
>;

const MAX_AGE_DAYS = 90;
/** Number of canaries of gates that were stored by earlier versions. */
const USUAL_CANARIES = 20;

/** Returns the columns in which a gate is stored. */
export const gateColumns = (gate: Gate): Columns => ({
  gateMinKappa: gate?.minKappa ?? null,
  gateMinAnnotations: gate?.minAnnotations ?? null,
  gateMaxAgeDays: gate?.maxAgeDays ?? null,
  gateCanaries: gate?.canaries ?? null,
});

/** Returns the gate that the columns store. */
export const gateOf = ({
  gateMinKappa: minKappa,
  gateMinAnnotations: minAnnotations,
  gateMaxAgeDays,
  gateCanaries,
}: Columns): Gate =>
  minKappa === null || minAnnotations === null
    ? null
    : {
        minKappa,
        minAnnotations,
        maxAgeDays: gateMaxAgeDays ?? MAX_AGE_DAYS,
        canaries: gateCanaries ?? USUAL_CANARIES,
      };

/** Returns the state of a gate as the API shows it, with a reason when it is not valid. `change` explains that the judge is another one. */
export function shownState(
  rule: NonNullable<Gate>,
  state: GateState,
  { verdicts, change }: { verdicts: number; change: string | null },
): NonNullable<Reliability['gate']> {
  const { isValid, test, revokedBy, nextTestAt, awaited, expiresAt } = state;
  return {
    ...rule,
    isValid,
    reason: isValid ? null : [change, reasonOf(rule, state, verdicts)].filter(Boolean).join(' '),
    verdicts,
    lastTest: test && { ...test, kappa: settledOrNull(test.kappa), low: settledOrNull(test.low) },
    revokedBy: revokedBy && { ...revokedBy, kappa: settled(revokedBy.kappa), high: settled(revokedBy.high) },
    nextTestAt,
    awaited,
    expiresAt: expiresAt === null ? null : isoTime(expiresAt),
  };
}

function reasonOf(rule: NonNullable<Gate>, state: GateState, verdicts: number): string {
  const { minKappa, minAnnotations, maxAgeDays } = rule;
  const { test, revokedBy, nextTestAt, awaited, missing, expiresAt, isExpired } = state;
  const open =
    awaited > 0 && verdicts + awaited >= nextTestAt
      ? ` It takes the first ${nextTestAt} that were drawn, ${awaited} of which no one has judged.`
      : '';
  const lost =
    missing > 0
      ? ` ${missing} of them expired or were deleted before anyone judged them, and count as disagreements.`
      : '';
  const next = `The next test is at ${nextTestAt} human verdicts on tests and traces drawn at random; there are ${verdicts}.${lost}${open}`;
  if (revokedBy)
    return `The newest ${revokedBy.verdicts} human verdicts disagree with the judge: their kappa is at most ${revokedBy.high.toFixed(2)}, ${minKappa} is required. ${next}`;
  if (isExpired && expiresAt !== null)
    return `The gate expired on ${isoTime(expiresAt).slice(0, 10)}, ${maxAgeDays} days after the verdicts that prove it. ${minAnnotations} further human verdicts on tests and traces drawn at random renew it.`;
  if (!test) return `The judge has not been tested yet. ${next}`;
  if (test.low === null)
    return `Kappa is undefined, because the judge and people gave the same verdict ${test.verdicts} times. ${next}`;
  const hopeless = test.isPossible
    ? ''
    : ' No verdicts of people could have reached it with this sample: draw more, with `strata`.';
  return `The lower bound of kappa over ${test.verdicts} human verdicts is ${test.low.toFixed(2)}; ${minKappa} is required.${hopeless} ${next}`;
}
