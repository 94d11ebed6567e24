import { type ReactNode, useState } from 'react';
import type { Issue } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink, usePathParam, useUrlState } from '../app/url.tsx';
import { formatMoment } from '../format/time.ts';
import { useTopicTitles } from '../topics/use-topics.ts';
import { Badge } from '../ui/badge.tsx';
import { Page } from '../ui/page.tsx';
import { Loaded } from '../ui/panel.tsx';
import { openTab, type TabLink, TabLinks } from '../ui/tabs.tsx';
import { IssueActions, type IssueAsked } from './issue-actions.tsx';
import { IssueOverview } from './issue-overview.tsx';
import { IssueSettings } from './issue-settings.tsx';
import { IssueStateBadges, PrioritySign } from './signs.tsx';
import { ISSUE_SOURCE_NAMES, ISSUE_TYPE_NAMES, PRIORITY_NAMES } from './words.ts';

const DEFAULTS = { tab: 'overview' };

/** Shows one problem of the app: how often it occurs, what shows it, and what proves that it is gone. */
export function IssuePage(): ReactNode {
  const number = usePathParam('number');
  const [state] = useUrlState(DEFAULTS);
  const [asked, setAsked] = useState<IssueAsked | null>(null);
  const tabs = [
    { id: 'overview', title: 'Overview', href: `/issues/${number}` },
    { id: 'settings', title: 'Settings', href: `/issues/${number}?tab=settings` },
  ] as const satisfies readonly TabLink[];
  const tab = openTab(tabs, state.tab);
  const issue = useApi('/v0/issues/{id}', { path: { id: number } });
  const loaded = issue.data?.data;
  return (
    <Page
      title={loaded?.title ?? 'Issue'}
      back="/issues"
      facts={
        loaded && (
          <>
            <span className="text-dim">#{loaded.number}</span>
            <IssueStateBadges issue={loaded} />
            <Badge>
              <PrioritySign priority={loaded.priority} /> {PRIORITY_NAMES[loaded.priority]}
            </Badge>
          </>
        )
      }
      actions={loaded && <IssueActions issue={loaded} asked={asked} onAsk={setAsked} />}
      bar={
        <div className="grid grid-cols-1 gap-1.5">
          {loaded && <IssueFacts issue={loaded} />}
          <TabLinks label="Issue" current={tab} tabs={tabs} />
        </div>
      }
    >
      <Loaded of={issue} isFlush>
        {({ data }) =>
          tab === 'settings' ? (
            <IssueSettings issue={data} />
          ) : (
            <IssueOverview issue={data} onAsk={setAsked} />
          )
        }
      </Loaded>
    </Page>
  );
}

/** Says in a line what an issue is, since when it occurs and who takes care of it. */
function IssueFacts({ issue }: { issue: Issue }): ReactNode {
  const { type, source, topicId, firstSeenAt, lastSeenAt, linkCount, ownerName, ownerId, createdBy } = issue;
  const topics = useTopicTitles();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-0.5 text-dim">
      <span>
        {ISSUE_TYPE_NAMES[type]}, noticed in <Fact>{ISSUE_SOURCE_NAMES[source]}</Fact>
      </span>
      {topicId !== null && (
        <span className="min-w-0 truncate">
          Topic{' '}
          <AppLink href={`/topics/${topicId}`} className="font-semibold text-ink">
            {topics.get(topicId) ?? topicId.slice(0, 8)}
          </AppLink>
        </span>
      )}
      {firstSeenAt !== null && (
        <span>
          First seen <Fact>{formatMoment(firstSeenAt)}</Fact>
        </span>
      )}
      {linkCount > 0 && (
        <span>
          Last seen <Fact>{formatMoment(lastSeenAt)}</Fact>
        </span>
      )}
      <span className="min-w-0 truncate">
        Owner <Fact>{ownerName ?? ownerId ?? 'nobody'}</Fact>
      </span>
      <span className="min-w-0 truncate">
        Created by <Fact>{createdBy.name}</Fact>
      </span>
    </div>
  );
}

const Fact = ({ children }: { children: ReactNode }): ReactNode => (
  <b className="font-semibold text-ink">{children}</b>
);
