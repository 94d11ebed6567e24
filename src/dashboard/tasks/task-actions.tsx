import { type ReactNode, useState } from 'react';
import type { Task } from '../../api/generated/schema.ts';
import { useScope } from '../api/session.ts';
import { useAction } from '../api/use-api.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { JudgeAgainDialog, type JudgeBody } from '../tests/judge-again-dialog.tsx';
import { RunDialog } from '../tests/run-dialog.tsx';
import { Button } from '../ui/button.tsx';
import { READ_ONLY } from '../ui/save-bar.tsx';

/** Buttons that run a task, and judge its tests again. */
export function TaskActions({ task }: { task: Task }): ReactNode {
  const mayWrite = useScope('write');
  const [asked, setAsked] = useState<'run' | 'judge' | null>(null);
  const canRun = task.status !== 'ARCHIVED';
  const group = 'This page';
  useShortcuts(
    mayWrite && canRun ? [{ keys: 'Shift R', label: 'Run the task', group, run: () => setAsked('run') }] : [],
  );
  if (!mayWrite) return <span className="text-label text-dim">{READ_ONLY}</span>;
  const close = (): void => setAsked(null);
  return (
    <>
      {task.lastTest !== null && <Button onClick={() => setAsked('judge')}>Judge again</Button>}
      <Button
        look="primary"
        keys="Shift R"
        disabled={!canRun}
        title={canRun ? undefined : 'Archived tasks do not run'}
        onClick={() => setAsked('run')}
      >
        Run
      </Button>
      {asked === 'run' && <RunDialog title={`Run “${task.title}”`} task={task} onClose={close} />}
      {asked === 'judge' && <JudgeTask task={task} onClose={close} />}
    </>
  );
}

function JudgeTask({ task: { id }, onClose }: { task: Task; onClose: () => void }): ReactNode {
  const judge = useAction(['/v0/tasks'], (api, body: JudgeBody) =>
    api.POST('/v0/tasks/{id}/evaluate', { params: { path: { id } }, body }),
  );
  return <JudgeAgainDialog judge={judge} onClose={onClose} />;
}
