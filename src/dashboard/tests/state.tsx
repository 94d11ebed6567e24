import type { ReactNode } from 'react';
import type { ListedTest, Result } from '../../api/generated/schema.ts';
import { Badge } from '../ui/badge.tsx';
import { PHASE_NAMES } from './words.ts';

/** Shows how far a test is, or why it failed. */
export function TestStateText({
  test,
}: {
  test: Pick<ListedTest, 'status' | 'phase' | 'failure'>;
}): ReactNode {
  const { status, phase, failure } = test;
  if (status === 'FAILED')
    return (
      <Badge tone="fail" title={failure?.message ?? ''}>
        ✕ Failed{failure && ` · ${failure.code}`}
      </Badge>
    );
  if (status === 'COMPLETED') return <Badge tone="pass">✓ Done</Badge>;
  if (status === 'PENDING') return <Badge>○ Queued</Badge>;
  return <Badge tone="accent">… {phase === 'queued' ? 'Waiting to retry' : PHASE_NAMES[phase]}</Badge>;
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
