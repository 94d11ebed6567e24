import { type ReactNode, useMemo } from 'react';
import type { paths } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink, usePathParam } from '../app/url.tsx';
import { formatCount, formatMoney, formatWhole } from '../format/number.ts';
import { formatDuration, formatMoment } from '../format/time.ts';
import { useVerdicts } from '../traces/use-verdicts.ts';
import { Verdicts } from '../traces/verdicts.tsx';
import { Badge } from '../ui/badge.tsx';
import { Page } from '../ui/page.tsx';
import { Loaded } from '../ui/panel.tsx';
import { CONVERSATION, ConversationVerdicts, useConversationVerdicts } from './conversation-verdicts.tsx';
import { TurnView } from './turn.tsx';

type Found = paths['/v0/sessions/{id}']['get']['responses'][200]['content']['application/json']['data'];

/** Gaps between turns that are shown, in milliseconds. */
const LONG_GAP_MS = 60_000;
/** Traces whose verdicts one call returns. */
const MAX_JUDGED = 100;

export function ConversationPage(): ReactNode {
  const id = usePathParam('sessionId');
  const session = useApi('/v0/sessions/{id}', { path: { id } });
  const loaded = session.data?.data;
  return (
    <Page
      title={id}
      back="/conversations"
      facts={
        loaded && (
          <>
            <LastVerdict traceId={loaded.lastTraceId} />
            {loaded.errorCount > 0 && (
              <Badge tone="fail">
                ✕ {formatWhole(loaded.errorCount)} {loaded.errorCount === 1 ? 'turn' : 'turns'} with errors
              </Badge>
            )}
          </>
        )
      }
      bar={loaded && <Facts session={loaded} />}
    >
      <Loaded of={session} isFlush>
        {({ data }) => <Transcript session={data} />}
      </Loaded>
    </Page>
  );
}

function Facts({ session }: { session: Found }): ReactNode {
  const { userIds, traceCount, firstAt, durationMs, usage, cost, models } = session;
  return (
    <div className="flex flex-wrap gap-x-5 gap-y-1 text-dim">
      {userIds.map((user) => (
        <span key={user}>
          User{' '}
          <AppLink
            href={`/conversations?user=${encodeURIComponent(user)}`}
            className="font-semibold text-ink"
          >
            {user}
          </AppLink>
        </span>
      ))}
      <span>
        <b className="font-semibold text-ink">{formatWhole(traceCount)}</b>{' '}
        {traceCount === 1 ? 'turn' : 'turns'} from {formatMoment(firstAt)}, in {formatDuration(durationMs)}
      </span>
      <span>{formatCount(usage.totalTokens)} tokens</span>
      {cost !== null && <span>{formatMoney(cost)}</span>}
      {models.length > 0 && <span>{models.join(', ')}</span>}
    </div>
  );
}

/** Shows the verdicts on the complete conversation, if there are any. */
function LastVerdict({ traceId }: { traceId: string }): ReactNode {
  const count = useVerdicts(
    useMemo(() => [traceId], [traceId]),
    CONVERSATION,
  ).get(traceId);
  return count && <Verdicts count={count} />;
}

/** Shows the turns of a conversation in order of time, with the pauses between them. */
function Transcript({ session: { id, traces, tracesTruncated } }: { session: Found }): ReactNode {
  const verdicts = useVerdicts(useMemo(() => traces.slice(0, MAX_JUDGED).map((trace) => trace.id), [traces]));
  const ofConversation = useConversationVerdicts(
    useMemo(() => traces.slice(-MAX_JUDGED).map((trace) => trace.id), [traces]),
  );
  return (
    <ol className="mx-auto grid max-w-[860px] gap-4 px-4 py-5">
      {traces.map((trace, index) => {
        const before = traces[index - 1];
        const judged = ofConversation.get(trace.id);
        const gap = before
          ? Date.parse(trace.timestamp) - Date.parse(before.timestamp) - before.durationMs
          : 0;
        return (
          <li key={trace.id}>
            {gap >= LONG_GAP_MS && (
              <p className="mb-4 flex items-center gap-3 text-label text-dim before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
                {formatDuration(gap)} later
              </p>
            )}
            <TurnView trace={trace} number={index + 1} verdict={verdicts.get(trace.id)} />
            {judged && <ConversationVerdicts evals={judged} />}
          </li>
        );
      })}
      {tracesTruncated && (
        <li className="text-dim">
          These are the first {formatWhole(traces.length)} turns.{' '}
          <AppLink
            href={`/traces?q=${encodeURIComponent(`session:"${id}"`)}`}
            className="text-accent underline"
          >
            All traces of the conversation
          </AppLink>
        </li>
      )}
    </ol>
  );
}
