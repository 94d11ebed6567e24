import type { ReactNode } from 'react';
import type { ListedTest, Result } from '../../api/generated/schema.ts';
import { OUTCOMES_SHOWN } from '../results/outcome.tsx';
import { Badge } from '../ui/badge.tsx';
import { PHASE_NAMES } from './words.ts';

/** Shows what became of a test, or how far it is. */
export function TestStateText({
  test,
}: {
  test: Pick<ListedTest, 'status' | 'phase' | 'failure' | 'outcome'>;
}): ReactNode {
  const { status, phase, failure, outcome } = test;
  if (status === 'PENDING') return <Badge>○ Queued</Badge>;
  if (status === 'IN_PROGRESS')
    return <Badge tone="accent">… {phase === 'queued' ? 'Waiting to retry' : PHASE_NAMES[phase]}</Badge>;
  const [sign, name, tone] = OUTCOMES_SHOWN[outcome];
  return (
    <Badge tone={tone} title={failure?.message ?? ''}>
      {sign} {name}
      {failure && ` · ${failure.code}`}
    </Badge>
  );
}

/** Shows how many evals of a test passed. A test that was not evaluated has none, though it may count as one that failed. */
export function TestResult({ test }: { test: Pick<ListedTest, 'status' | 'failure' | 'result'> }): ReactNode {
  const isEvaluated = test.status !== 'FAILED' || test.failure?.code === 'evaluation_error';
  return <ResultBadge result={(isEvaluated ? test.result : null) ?? { passed: 0, total: 0 }} />;
}

/** Shows how many evals passed. */
function ResultBadge({ result }: { result: Pick<Result, 'passed' | 'total'> }): ReactNode {
  const { passed, total } = result;
  if (total === 0) return <span className="text-dim">–</span>;
  return passed === total ? (
    <Badge tone="pass">
      ✓ {passed} of {total}
    </Badge>
  ) : (
    <Badge tone="fail">
      ✕ {passed} of {total}
    </Badge>
  );
}
