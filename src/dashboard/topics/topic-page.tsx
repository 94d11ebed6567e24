import { type ReactNode, useState } from 'react';
import type { Topic } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink, usePathParam, useUrlState } from '../app/url.tsx';
import { LinkedEvaluators } from '../evaluators/linked-evaluators.tsx';
import { formatPercent, formatWhole } from '../format/number.ts';
import { monthAgo } from '../reports/use-report.ts';
import { useTestRates } from '../reports/use-test-rates.ts';
import { NewTaskDialog } from '../tasks/new-task-dialog.tsx';
import { StatusBadge } from '../tasks/status-badge.tsx';
import { TaskList } from '../tasks/task-list.tsx';
import { TASK_FILTERS, taskQuery } from '../tasks/task-query.ts';
import { StartDialog } from '../tests/start-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { IntervalBar } from '../ui/interval-bar.tsx';
import { Metric } from '../ui/metric.tsx';
import { Page } from '../ui/page.tsx';
import { Loaded, Section } from '../ui/panel.tsx';
import { READ_ONLY } from '../ui/save-bar.tsx';
import { Empty } from '../ui/states.tsx';
import { openTab, type TabLink, TabLinks } from '../ui/tabs.tsx';
import { TopicSettings } from './topic-settings.tsx';

const DEFAULTS = { tab: 'tasks', sort: 'title', skip: '0' };
/** Most tasks that one call starts. */
const MAX_STARTED = 100;

export function TopicPage(): ReactNode {
  const id = usePathParam('topicId');
  const [state] = useUrlState(DEFAULTS);
  const tabs = [
    { id: 'tasks', title: 'Tasks', href: `/topics/${id}` },
    { id: 'settings', title: 'Settings', href: `/topics/${id}?tab=settings` },
  ] as const satisfies readonly TabLink[];
  const tab = openTab(tabs, state.tab);
  const topic = useApi('/v0/topics/{id}', { path: { id } });
  const loaded = topic.data?.data;
  return (
    <Page
      title={loaded?.title ?? 'Topic'}
      back="/topics"
      facts={loaded && <StatusBadge status={loaded.status} />}
      actions={loaded && <TopicActions topic={loaded} />}
      bar={<TabLinks label="Topic" current={tab} tabs={tabs} />}
    >
      <Loaded of={topic} isFlush>
        {({ data }) => (tab === 'settings' ? <TopicSettings topic={data} /> : <TopicTasks topic={data} />)}
      </Loaded>
    </Page>
  );
}

function TopicActions({ topic: { id } }: { topic: Topic }): ReactNode {
  const mayWrite = useScope('write');
  const [asked, setAsked] = useState<'run' | 'task' | null>(null);
  const active = useApi('/v0/tasks', {
    query: { topicId: [id], taskStatus: ['ACTIVE'], limit: MAX_STARTED },
  });
  const taskIds = (active.data?.data ?? []).map((task) => task.id);
  if (!mayWrite) return <span className="text-label text-dim">{READ_ONLY}</span>;
  return (
    <>
      <Button disabled={taskIds.length === 0} onClick={() => setAsked('run')}>
        Run its tasks
      </Button>
      <Button look="primary" onClick={() => setAsked('task')}>
        New task
      </Button>
      {asked === 'run' && (
        <StartDialog title="Run its tasks" taskIds={taskIds} suggested={1} onClose={() => setAsked(null)}>
          Starts a run of each of the {formatWhole(taskIds.length)} active tasks of the topic.{' '}
        </StartDialog>
      )}
      {asked === 'task' && <NewTaskDialog topicId={id} onClose={() => setAsked(null)} />}
    </>
  );
}

function TopicTasks({ topic }: { topic: Topic }): ReactNode {
  const { id, title, description, evalDefinitions } = topic;
  const [state, change] = useUrlState(DEFAULTS);
  const query = taskQuery({ ...TASK_FILTERS, topic: id }, state);
  const list = useApi('/v0/tasks', { query }, { keepsRows: true });
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(280px,340px)] gap-6 p-4 max-[1000px]:grid-cols-1">
        <div className="grid content-start gap-3">
          {description !== null && (
            <p className="text-reading break-words whitespace-pre-wrap">{description}</p>
          )}
          <TopicMetrics topicId={id} tasks={list.data?.pagination.total} />
        </div>
        <LinkedEvaluators kind="topic" id={id} title={title} links={evalDefinitions} />
      </div>
      <TaskList
        of={list}
        state={state}
        onChange={change}
        onClear={undefined}
        isOfTopic
        empty={
          <Empty title="No task has this topic">
            <p>Choose “New task” above, or set the topic in the settings of a task.</p>
          </Empty>
        }
      />
    </>
  );
}

function TopicMetrics({ topicId, tasks }: { topicId: string; tasks: number | undefined }): ReactNode {
  const rate = useTestRates({
    by: 'topic',
    filters: [
      { column: 'topic', operator: 'eq', value: topicId },
      { column: 'createdAt', operator: 'gte', value: monthAgo() },
    ],
  }).get(topicId);
  return (
    <Section title="Last 30 days">
      <dl className="mt-1 grid grid-cols-3 gap-3 max-[700px]:grid-cols-1">
        <Metric title="Pass rate" value={rate ? formatPercent(rate.share) : null}>
          {rate ? (
            <>
              <IntervalBar {...rate} />
              95 % interval {formatPercent(rate.interval.low)} to {formatPercent(rate.interval.high)}
            </>
          ) : (
            'No test counts yet.'
          )}
        </Metric>
        <Metric title="Tests that count" value={formatWhole(rate?.count ?? 0)} />
        <Metric title="Tasks" value={tasks === undefined ? '…' : formatWhole(tasks)}>
          <AppLink href={`/documents?topic=${topicId}`} className="text-accent underline">
            Documents of the topic
          </AppLink>
        </Metric>
      </dl>
    </Section>
  );
}
