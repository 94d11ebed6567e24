import type { ReactNode } from 'react';
import type { Issue } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { formatPercent, formatWhole } from '../format/number.ts';
import { formatMoment } from '../format/time.ts';
import { IntervalBar } from '../ui/interval-bar.tsx';
import { Section } from '../ui/panel.tsx';
import { IssueActivity } from './activity.tsx';
import { EvidenceSection } from './evidence.tsx';
import { LinkedDays, seenText } from './frequency.tsx';
import { randomRate, rateText } from './random-rate.ts';
import type { IssueAsked } from './issue-actions.tsx';
import { IssueNotes } from './issue-notes.tsx';
import { Occurrences } from './occurrences.tsx';
import { IssueStateBadges } from './signs.tsx';

interface IssueOverviewProps {
  issue: Issue;
  onAsk: (asked: IssueAsked) => void;
}

/** Shows how often an issue occurs, the notes and traces that show it, the evidence against it, and its activity. */
export const IssueOverview = ({ issue, onAsk }: IssueOverviewProps): ReactNode => (
  <div className="grid grid-cols-[minmax(0,1fr)_minmax(280px,340px)] gap-6 p-4 max-[1000px]:grid-cols-1">
    <div className="grid grid-cols-1 content-start gap-5">
      <Closing issue={issue} />
      <div className="grid grid-cols-2 gap-6 max-[700px]:grid-cols-1">
        <FrequencySection issue={issue} />
        <Section title={`Linked traces a day, ${issue.daily.length} days`}>
          <LinkedDays issue={issue} className="mt-1 h-[72px]" />
          <DayRange daily={issue.daily} />
        </Section>
      </div>
      {issue.description !== '' && (
        <Section title="Description">
          <p className="border-t border-line pt-1.5 text-reading whitespace-pre-wrap [overflow-wrap:anywhere]">
            {issue.description}
          </p>
        </Section>
      )}
      <Parts issue={issue} />
      <div className="grid grid-cols-2 gap-6 max-[700px]:grid-cols-1">
        <IssueNotes issue={issue} />
        <Occurrences issue={issue} onLink={() => onAsk('link')} />
      </div>
    </div>
    <aside aria-label="Evidence and activity" className="grid grid-cols-1 content-start gap-5">
      <EvidenceSection issue={issue} onAsk={onAsk} />
      <IssueActivity issue={issue} />
    </aside>
  </div>
);

/** Says who closed an issue, and why. */
function Closing({ issue: { resolution, rejection, mergedInto } }: { issue: Issue }): ReactNode {
  const closing = rejection ?? resolution;
  if (closing === null) return null;
  const { at, by, reason } = closing;
  return (
    <p className="rounded-md border border-edge px-3 py-2 [overflow-wrap:anywhere]">
      {mergedInto !== null ? (
        <>
          <b className="font-semibold">{by.name}</b> merged it into{' '}
          <AppLink href={`/issues/${mergedInto.number}`} className="text-accent underline">
            issue #{mergedInto.number}
          </AppLink>
          , which has its traces and notes now
        </>
      ) : (
        <>
          <b className="font-semibold">{by.name}</b> {rejection === null ? 'resolved' : 'rejected'} it
          {resolution?.withoutEvidence === true && <span className="text-doubt"> without evidence</span>}
        </>
      )}
      , {formatMoment(at)}.
      {reason !== null && mergedInto === null && (
        <span className="block whitespace-pre-wrap">“{reason}”</span>
      )}
    </p>
  );
}

function FrequencySection({ issue: { frequency, linkCount } }: { issue: Issue }): ReactNode {
  const rate = randomRate(frequency);
  if (rate === undefined)
    return (
      <Section title="Frequency">
        <p className="text-headline font-semibold">{seenText(frequency.count)}</p>
        <p className="text-dim">
          The traces were chosen, so they give no rate. Traces of a random sample do:{' '}
          <AppLink href="/review" className="text-accent underline">
            review one
          </AppLink>
          .
        </p>
      </Section>
    );
  const others = linkCount - rate.count;
  return (
    <Section title="Frequency">
      <p>
        <b className="text-headline font-semibold">{rateText(rate)}</b>{' '}
        <span className="text-dim">
          95 % interval {formatPercent(rate.interval.low, 1)} to {formatPercent(rate.interval.high, 1)}:{' '}
          {formatWhole(rate.count)} of{' '}
          <AppLink
            href={rate.queueId === null ? '/review' : `/review/${rate.queueId}`}
            className="text-accent underline"
          >
            a random sample of {formatWhole(rate.of)}
          </AppLink>
        </span>
      </p>
      <IntervalBar {...rate} />
      {others > 0 && (
        <p className="text-dim">
          {formatWhole(others)} more {others === 1 ? 'trace is' : 'traces are'} linked outside of this sample;
          they do not change the rate.
        </p>
      )}
    </Section>
  );
}

const DayRange = ({ daily }: Pick<Issue, 'daily'>): ReactNode => (
  <p aria-hidden="true" className="flex justify-between text-label text-dim">
    <span>{daily[0]?.date}</span>
    <span>{daily.at(-1)?.date}</span>
  </p>
);

const MAX_PARTS = 50;

/** Leads to the issue that this one is a part of, or to its parts. */
function Parts({ issue: { id, parentId } }: { issue: Issue }): ReactNode {
  const parts = useApi('/v0/issues', { query: { parentId: [id], limit: MAX_PARTS } });
  const parent = useApi('/v0/issues/{id}', { path: { id: parentId ?? id } }, { enabled: parentId !== null });
  const shown = parentId === null ? (parts.data?.data ?? []) : parent.data ? [parent.data.data] : [];
  if (shown.length === 0) return null;
  return (
    <Section title={parentId === null ? 'Parts' : 'Part of'}>
      <ul>
        {shown.map((one) => (
          <li key={one.id} className="flex items-center gap-2 border-t border-line py-1">
            <AppLink href={`/issues/${one.number}`} className="min-w-0 truncate text-accent underline">
              #{one.number} {one.title}
            </AppLink>
            <IssueStateBadges issue={one} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
