import { canaryShift, type CanaryShift } from '../../evaluate/statistics/canary-shift.ts';
import { percent } from '../../evaluate/statistics/settled.ts';
import { type Interval, wilsonInterval } from '../../evaluate/statistics/wilson.ts';
import type { CanaryVerdict } from '../definitions/canary-store.ts';
import type { GateVerdict } from './gate.ts';

/** Probability that the canaries of an unchanged judge leave a run set undecided, over all its definitions. */
const FALSE_ALARMS = 0.05;

/** Verdicts on the canaries of one definition; shares are in percent. */
export interface JudgedCanaries extends CanaryShift {
  id: string;
  name: string;
  /** Share of the verdicts that changed, with its interval; null without a verdict. */
  changed: (Interval & { rate: number }) | null;
  /** Number of those that were judged again, or should have been. */
  canaries: number;
  /** Number of those that wait for their verdict. */
  open: number;
  verdict: GateVerdict;
}

/** Decides for each definition whether its judge still gives the verdicts that it gave on frozen subjects. */
export function judgedCanaries(
  canaries: readonly CanaryVerdict[],
  { names, leftOut }: { names: Readonly<Record<string, string>>; leftOut: ReadonlySet<string> },
): JudgedCanaries[] {
  const counted = canaries.filter(({ definitionId }) => !leftOut.has(definitionId));
  const byDefinition = Map.groupBy(counted, ({ definitionId }) => definitionId);
  const alpha = FALSE_ALARMS / Math.max(1, byDefinition.size);
  return [...byDefinition].flatMap(([id, all]) => {
    // What was changed or deleted since it was frozen proves nothing.
    const asked = all.filter(({ status }) => status !== 'GONE');
    if (asked.length === 0) return [];
    const pairs = asked.flatMap(({ first, before, passed }) =>
      passed === null
        ? []
        : [{ first: first === null ? null : first === 1, before: before === 1, now: passed === 1 }],
    );
    const shift = canaryShift(pairs, alpha);
    const open = asked.filter(({ status }) => status === 'PENDING').length;
    const name = names[id] ?? id;
    const counts = { canaries: asked.length, open };
    return [
      {
        id,
        name,
        ...counts,
        ...shift,
        changed: changedShare(shift),
        verdict: verdictOf(name, counts, shift),
      },
    ];
  });
}

function changedShare({ compared, toPassed, toFailed }: CanaryShift): JudgedCanaries['changed'] {
  if (compared === 0) return null;
  const rate = (toPassed + toFailed) / compared;
  const { low, high } = wilsonInterval(rate, compared);
  return { rate: percent(rate), low: percent(low), high: percent(high) };
}

const canariesText = (count: number): string => (count === 1 ? 'canary' : 'canaries');

function verdictOf(
  name: string,
  { canaries, open }: Pick<JudgedCanaries, 'canaries' | 'open'>,
  { compared, toPassed, toFailed, isShifted }: CanaryShift,
): GateVerdict {
  const changes = `${toPassed + toFailed} of ${compared} ${canariesText(compared)} (${toPassed} pass now that did not, ${toFailed} no longer pass)`;
  if (isShifted)
    return {
      code: 2,
      message: `Unknown: the judge of ${name} has changed: judged again, it gave another verdict on ${changes}, which is more than chance. Compare it with people again, or freeze other canaries.`,
    };
  if (open > 0)
    return { code: 2, message: `Unknown: the judge of ${name} has not ended judging its canaries again.` };
  if (2 * compared < canaries)
    return {
      code: 2,
      message: `Unknown: the judge of ${name} gave a verdict on only ${compared} of its ${canaries} ${canariesText(canaries)}.`,
    };
  return {
    code: 0,
    message: `The judge of ${name} has not changed: judged again, it gave another verdict on ${changes}.`,
  };
}
