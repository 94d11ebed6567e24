import type { ReactNode } from 'react';
import type { ListedEval } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { VerdictBadge } from '../tests/verdict-badge.tsx';

/** Type of the definitions that judge conversations. */
export const CONVERSATION = 'CONVERSATION';
/** Highest number of entries that one call returns. */
const MAX_ENTRIES = 100;

/** Returns the current verdicts on conversations that end with one of these traces, by trace. */
export function useConversationVerdicts(traceIds: readonly string[]): ReadonlyMap<string, ListedEval[]> {
  const query = { traceId: [...traceIds], type: [CONVERSATION], superseded: false, limit: MAX_ENTRIES };
  const evals = useApi(
    '/v0/evals',
    { query },
    {
      enabled: traceIds.length > 0,
      keepsRows: true,
    },
  );
  const byTrace = new Map<string, ListedEval[]>();
  for (const one of evals.data?.data ?? []) {
    const { traceId } = one;
    if (traceId !== null) byTrace.set(traceId, [...(byTrace.get(traceId) ?? []), one]);
  }
  return byTrace;
}

/** Shows the verdicts on a conversation up to a turn, each with its rationale. */
export function ConversationVerdicts({ evals }: { evals: readonly ListedEval[] }): ReactNode {
  return (
    <ul aria-label="Verdicts on the conversation so far" className="mt-3 border-l-2 border-line pl-3">
      {evals.map((one) => (
        <li key={one.id} className="py-1">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <VerdictBadge verdict={one} />
            <AppLink href={`/evaluators/${one.definition.id}`} className="font-semibold text-ink">
              {one.definition.name}
            </AppLink>
            <span className="text-label text-dim">of the conversation so far</span>
            <AppLink href={`/evals/${one.id}`} className="ml-auto text-accent underline">
              Details
            </AppLink>
          </div>
          {one.reason !== null && <p className="mt-1 break-words whitespace-pre-wrap">{one.reason}</p>}
        </li>
      ))}
    </ul>
  );
}
