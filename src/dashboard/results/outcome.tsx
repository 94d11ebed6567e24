import type { ReactNode } from 'react';
import type { ShownResult } from './result-types.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { classNames } from '../ui/class-names.ts';

export type ResultOutcome = ShownResult['sides'][number]['outcome'];

/** Sign, name and tone of each outcome, those that need attention first. */
export const OUTCOMES_SHOWN: Readonly<
  Record<ResultOutcome, readonly [sign: string, name: string, tone: Tone]>
> = {
  FAILED: ['✕', 'Failed', 'fail'],
  APP_ERROR: ['✕', 'App error', 'fail'],
  NO_VERDICT: ['–', 'No verdict', 'plain'],
  NOT_RUN: ['○', 'Not run', 'plain'],
  RUNNING: ['…', 'Running', 'accent'],
  PASSED: ['✓', 'Passed', 'pass'],
};

const COLOURS: Readonly<Record<Tone, string>> = {
  fail: 'text-fail',
  pass: 'text-pass',
  accent: 'text-accent',
  doubt: 'text-doubt',
  plain: 'text-dim',
};

/** Shows an outcome as a word with its sign. */
export function OutcomeWord({
  outcome,
  className,
}: {
  outcome: ResultOutcome;
  className?: string;
}): ReactNode {
  const [sign, name, tone] = OUTCOMES_SHOWN[outcome];
  return (
    <span className={classNames('font-semibold whitespace-nowrap', COLOURS[tone], className)}>
      {sign} {name}
    </span>
  );
}

/** Shows an outcome in a frame. */
export function OutcomeBadge({ outcome }: { outcome: ResultOutcome }): ReactNode {
  const [sign, name, tone] = OUTCOMES_SHOWN[outcome];
  return (
    <Badge tone={tone}>
      {sign} {name}
    </Badge>
  );
}
