import { type ReactNode, useState } from 'react';
import { useScope } from '../api/session.ts';
import { useAction } from '../api/use-api.ts';
import { AppLink } from '../app/url.tsx';
import { RunDialogOfTask } from '../tests/run-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';

/** Starts the first run: with the input of the first trace, or with a task that the person writes. */
export function FirstRun({ traceId }: { traceId: string | null }): ReactNode {
  const mayWrite = useScope('write');
  const [taskId, setTaskId] = useState<string | null>(null);
  const make = useAction(['/v0/tasks'], (api, id: string) =>
    api.POST('/v0/traces/{id}/example', { params: { path: { id } }, body: {} }),
  );
  const tasks = (
    <AppLink href="/tasks" className="text-accent underline">
      Tasks
    </AppLink>
  );
  return (
    <div className="grid justify-items-start gap-2">
      <p>
        {traceId !== null && mayWrite
          ? 'Ask your app again what it was asked in the first trace, or write a task with a few inputs in '
          : 'Write a task with a few inputs in '}
        {tasks}. Conversations of your team in a CSV file become tasks in a{' '}
        <AppLink href="/quickstarts" className="text-accent underline">
          quickstart
        </AppLink>
        .
      </p>
      {traceId !== null && mayWrite && (
        <Button
          disabled={make.isPending}
          onClick={() => make.mutate(traceId, { onSuccess: ({ data }) => setTaskId(data.taskId) })}
        >
          Test the first trace …
        </Button>
      )}
      <ErrorLine error={make.error} />
      {taskId !== null && (
        <RunDialogOfTask title="First run" taskId={taskId} onClose={() => setTaskId(null)} />
      )}
    </div>
  );
}
