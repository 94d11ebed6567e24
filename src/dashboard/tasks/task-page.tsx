import type { ReactNode } from 'react';
import type { Task } from '../../api/generated/schema.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink, usePathParam, useUrlState } from '../app/url.tsx';
import { ExamplesTab } from '../examples/examples-tab.tsx';
import { useTopicTitles } from '../topics/use-topics.ts';
import { Badge } from '../ui/badge.tsx';
import { Page } from '../ui/page.tsx';
import { Loaded } from '../ui/panel.tsx';
import { type TabLink, TabLinks } from '../ui/tabs.tsx';
import { EvaluatorsTab } from './evaluators-tab.tsx';
import { HistoryTab } from './history-tab.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { ScheduleTab } from './schedule-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';
import { StatusBadge } from './status-badge.tsx';
import { TaskActions } from './task-actions.tsx';

const TABS = [
  { id: 'overview', title: 'Results', content: OverviewTab },
  { id: 'examples', title: 'Examples', content: ExamplesTab },
  { id: 'evaluators', title: 'Evaluators', content: EvaluatorsTab },
  { id: 'schedule', title: 'Schedule', content: ScheduleTab },
  { id: 'settings', title: 'Settings', content: SettingsTab },
  { id: 'history', title: 'History', content: HistoryTab },
] as const;

const DEFAULTS = { tab: 'overview' };

export function TaskPage(): ReactNode {
  const id = usePathParam('taskId');
  const [{ tab }] = useUrlState(DEFAULTS);
  const task = useApi('/v0/tasks/{id}', { path: { id } });
  const loaded = task.data?.task;
  const current = TABS.find((one) => one.id === tab) ?? TABS[0];
  const links = TABS.map(
    (one, index): TabLink => ({
      id: one.id,
      title: `${one.title}${loaded ? countOf(one.id, loaded) : ''}`,
      href: index === 0 ? `/tasks/${id}` : `/tasks/${id}?tab=${one.id}`,
    }),
  );
  return (
    <Page
      title={loaded?.title ?? 'Task'}
      back="/tasks"
      facts={
        loaded && (
          <>
            <StatusBadge status={loaded.status} />
            {loaded.isVerified && <Badge tone="pass">✓ Verified</Badge>}
          </>
        )
      }
      actions={loaded && <TaskActions task={loaded} />}
      bar={
        <div className="flex flex-wrap items-center gap-x-6 gap-y-1">
          <TabLinks label="Task" tabs={links} current={current.id} />
          {loaded && <TaskFacts task={loaded} />}
        </div>
      }
    >
      <Loaded of={task} isFlush>
        {(answer) => <current.content task={answer.task} />}
      </Loaded>
    </Page>
  );
}

/** Returns the number behind the title of a tab; nothing where none is known. */
function countOf(tab: (typeof TABS)[number]['id'], { exampleCount, evalDefinitions }: Task): string {
  if (tab === 'examples') return ` (${exampleCount})`;
  return tab === 'evaluators' && evalDefinitions.length > 0 ? ` (${evalDefinitions.length})` : '';
}

function TaskFacts({ task: { topicId, type } }: { task: Task }): ReactNode {
  const topics = useTopicTitles();
  return (
    <span className="ml-auto flex flex-wrap gap-x-5 text-dim">
      {topicId !== null && (
        <span>
          Topic{' '}
          <AppLink href={`/topics/${topicId}`} className="font-semibold text-ink">
            {topics.get(topicId) ?? topicId.slice(0, 8)}
          </AppLink>
        </span>
      )}
      <span>{type === 'STATIC' ? 'Static examples' : 'Prompts by description'}</span>
    </span>
  );
}
