import { type ReactNode, useMemo, useState } from 'react';
import { useScope } from '../api/session.ts';
import { useApi } from '../api/use-api.ts';
import { AppLink, useUrlState } from '../app/url.tsx';
import { NoWebhookLine } from '../tests/no-webhook.tsx';
import { Page } from '../ui/page.tsx';
import { Total } from '../ui/record-list.tsx';
import { Empty } from '../ui/states.tsx';
import { useWriteButtons } from '../ui/write-buttons.tsx';
import { useLacksWebhook } from '../webhook/use-webhook.ts';
import { BulkBar } from './bulk-bar.tsx';
import { NewTaskDialog } from './new-task-dialog.tsx';
import { TaskFilterBar } from './task-filters.tsx';
import { TaskTabs } from './task-tabs.tsx';
import { TaskList } from './task-list.tsx';
import { hasTaskFilter, TASK_FILTERS, taskQuery } from './task-query.ts';

const DEFAULTS = { ...TASK_FILTERS, sort: '-modifiedAt', skip: '0' };

export function TasksPage(): ReactNode {
  const [state, change] = useUrlState(DEFAULTS);
  const mayWrite = useScope('write');
  const [isCreating, setCreating] = useState(false);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const lacksWebhook = useLacksWebhook();
  const query = taskQuery(state, state);
  const list = useApi('/v0/tasks', { query }, { keepsRows: true });
  const chosen = useMemo(
    () => (list.data?.data ?? []).filter(({ id }) => selected.has(id)),
    [list.data, selected],
  );
  const button = useWriteButtons([{ title: 'New task', keys: 'n', run: () => setCreating(true) }]);
  return (
    <Page
      title="Tasks"
      tabs={<TaskTabs current="all" />}
      actions={button}
      bar={
        <div className="flex flex-wrap items-center gap-2">
          <TaskFilterBar filters={state} onChange={(patch) => change({ ...patch, skip: '0' })} />
          <Total of={list} what="task" />
        </div>
      }
    >
      {lacksWebhook && (list.data?.pagination.total ?? 0) > 0 && <NoWebhookLine />}
      {chosen.length > 0 && <BulkBar tasks={chosen} onClear={() => setSelected(new Set())} />}
      <TaskList
        of={list}
        state={state}
        onChange={change}
        {...(mayWrite && { selected, onSelect: setSelected })}
        onClear={hasTaskFilter(state) ? () => change({ ...TASK_FILTERS, skip: '0' }) : undefined}
        empty={
          <Empty title="No tasks yet">
            <p>
              A task is something that your app should do well: a title, and the inputs to try it with. Its
              tests send these inputs to your app, by hand, on a schedule or from CI.
            </p>
            <p>
              Have you a file with conversations of your team? A{' '}
              <AppLink href="/quickstarts" className="text-accent underline">
                quickstart
              </AppLink>{' '}
              makes tasks of them.
            </p>
            <div>{button}</div>
          </Empty>
        }
      />
      {isCreating && <NewTaskDialog topicId={state.topic} onClose={() => setCreating(false)} />}
    </Page>
  );
}
