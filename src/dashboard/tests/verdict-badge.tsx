import type { ReactNode } from 'react';
import type { ListedEval } from '../../api/generated/schema.ts';
import { Badge } from '../ui/badge.tsx';

/** Shows a verdict, or why there is none. */
export function VerdictBadge({
  verdict: { status, passed },
}: {
  verdict: Pick<ListedEval, 'status' | 'passed'>;
}): ReactNode {
  if (status === 'PENDING') return <Badge>○ Waiting</Badge>;
  if (status === 'IN_PROGRESS') return <Badge tone="accent">… Judging</Badge>;
  if (status === 'SKIPPED')
    return <Badge title="Nothing to judge by, such as no expected answer">– No verdict</Badge>;
  if (status === 'FAILED')
    return (
      <Badge tone="doubt" title="The evaluator could not judge; counts nowhere">
        ! No verdict
      </Badge>
    );
  if (passed === null) return <Badge>– No verdict</Badge>;
  return passed ? <Badge tone="pass">✓ Passed</Badge> : <Badge tone="fail">✕ Failed</Badge>;
}
