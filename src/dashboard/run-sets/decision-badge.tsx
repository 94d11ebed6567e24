import type { ReactNode } from 'react';
import type { Decision, RunSet } from '../../api/generated/schema.ts';
import { Badge } from '../ui/badge.tsx';

type Outcome = Decision['outcome'];

const OUTCOMES = {
  PASS: ['✓ Passed', 'pass'],
  FAIL: ['✕ Failed', 'fail'],
  INCONCLUSIVE: ['? Inconclusive', 'doubt'],
} as const;

export const DecisionOutcomeBadge = ({ outcome }: { outcome: Outcome }): ReactNode => (
  <Badge tone={OUTCOMES[outcome][1]}>{OUTCOMES[outcome][0]}</Badge>
);

/** Shows what was decided on a run set, or why nothing was. */
export function RunSetBadge({ set: { status, tests, decision } }: { set: RunSet }): ReactNode {
  if (status === 'RUNNING')
    return (
      <Badge tone="accent">
        … {tests.total - tests.open} of {tests.total} ended
      </Badge>
    );
  if (decision) return <DecisionOutcomeBadge outcome={decision.outcome} />;
  return <Badge>{status === 'CANCELLED' ? '○ Cancelled' : '– Not decided'}</Badge>;
}
