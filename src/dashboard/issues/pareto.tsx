import type { ReactNode } from 'react';
import type { IssuePareto } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { formatPercent, formatWhole } from '../format/number.ts';
import { formatAgo } from '../format/time.ts';
import { IntervalBar } from '../ui/interval-bar.tsx';
import { Section } from '../ui/panel.tsx';

/** Issues that are drawn. */
const MAX_BARS = 8;

type Share = IssuePareto['none'];

/** Draws how often each issue occurs in the newest random sample; nothing without one. */
export function IssueParetoChart(): ReactNode {
  const sample = useApi('/v0/issue-pareto', {}).data?.data;
  if (!sample) return null;
  const { queueId, queueTitle, drawnAt, of, issues, others, none } = sample;
  const shown = issues.slice(0, MAX_BARS);
  const more = issues.length - shown.length + others;
  return (
    <Section title="Newest random sample" className="px-4 pt-3">
      <p className="text-dim">
        {formatWhole(of)} reviewed responses of{' '}
        <AppLink href={`/review/${queueId}`} className="text-accent underline">
          {queueTitle}
        </AppLink>
        , drawn {formatAgo(drawnAt)}. A response with several issues counts for each.
      </p>
      <ul aria-label="Issues of the sample" className="mt-1 grid max-w-[760px] grid-cols-1">
        {shown.map(({ id, number, title, ...share }) => (
          <Bar key={id} share={share} of={of}>
            <AppLink href={`/issues/${number}`} className="text-ink hover:text-accent">
              <span className="text-dim">#{number}</span> {title}
            </AppLink>
          </Bar>
        ))}
        <Bar share={none} of={of}>
          <span className="text-dim">No issue</span>
        </Bar>
      </ul>
      {more > 0 && (
        <p className="py-1 text-dim">
          and {formatWhole(more)} {more === 1 ? 'issue that occurs' : 'issues that occur'} less often
        </p>
      )}
    </Section>
  );
}

function Bar({ share, of, children }: { share: Share; of: number; children: ReactNode }): ReactNode {
  const { count, rate, low, high } = share;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_120px_130px] items-center gap-3 max-[600px]:grid-cols-[minmax(0,1fr)_130px]">
      <span className="truncate">{children}</span>
      <span className="max-[600px]:hidden">
        <IntervalBar share={rate / 100} interval={{ low: low / 100, high: high / 100 }} />
      </span>
      <span className="text-right">
        <b className="font-semibold">{formatPercent(rate / 100, 1)}</b>{' '}
        <span className="text-dim">
          {formatWhole(count)} of {formatWhole(of)}
        </span>
      </span>
    </li>
  );
}
