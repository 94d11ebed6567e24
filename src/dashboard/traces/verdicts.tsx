import type { ReactNode } from 'react';
import { Badge } from '../ui/badge.tsx';
import type { VerdictCount } from './use-verdicts.ts';

/** Shows how many verdicts on a trace passed. */
export function Verdicts({ count }: { count: VerdictCount | undefined }): ReactNode {
  if (count === undefined || count.total + count.pending === 0) return <span className="text-dim">–</span>;
  const { passed, total, pending, failing } = count;
  if (total === 0) return <Badge title={`${pending} verdicts are not there yet`}>… {pending}</Badge>;
  const title = [
    failing.length > 0 ? `Failed: ${failing.join(', ')}` : 'All passed',
    ...(pending > 0 ? [`${pending} more are running`] : []),
  ].join('. ');
  return passed === total ? (
    <Badge tone="pass" title={title}>
      ✓ {passed} of {total}
    </Badge>
  ) : (
    <Badge tone="fail" title={title}>
      ✕ {passed} of {total}
    </Badge>
  );
}
