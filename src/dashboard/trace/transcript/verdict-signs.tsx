import type { ReactNode } from 'react';
import { useTraceEvals } from '../use-trace-evals.ts';
import { AppLink } from '../../app/url.tsx';
import { byWeight } from '../verdict-order.ts';

/** The verdicts on the answer in one line, each a link to its reasons. */
export function TraceVerdictSigns({ traceId }: { traceId: string }): ReactNode {
  const evals = useTraceEvals(traceId).data?.data ?? [];
  const judged = byWeight(evals.filter(({ passed }) => passed !== null));
  if (judged.length === 0) return null;
  return (
    <ul aria-label="Verdicts on the answer" className="flex flex-wrap gap-x-4 gap-y-1 min-[1024px]:ml-12">
      {judged.map(({ id, passed, definition }) => (
        <li key={id} className={passed === true ? 'text-pass' : 'text-fail'}>
          <span aria-hidden="true">{passed === true ? '✓' : '✕'} </span>
          <span className="sr-only">{passed === true ? 'Passed:' : 'Failed:'} </span>
          <AppLink href={`/evals/${id}`} className="text-current hover:underline">
            {definition.name}
          </AppLink>
          {!definition.isBlocking && <span className="text-dim"> non-blocking</span>}
        </li>
      ))}
    </ul>
  );
}
