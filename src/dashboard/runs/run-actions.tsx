import { type ReactNode, useState } from 'react';
import type { Run } from '../../api/generated/schema.ts';
import type { ApiClient, Call } from '../api/client.ts';
import { useScope } from '../api/session.ts';
import { useAction } from '../api/use-api.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { JudgeAgainDialog, type JudgeBody } from '../tests/judge-again-dialog.tsx';
import { RunDialogOfTask } from '../tests/run-dialog.tsx';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { Button } from '../ui/button.tsx';

/** Tests that are cancelled between two looks at what is left, and how often that is repeated at most. */
const CANCEL_PAGE = 100;
const CANCEL_ROUNDS = 20;

/** Buttons for everything that can be done with a run. */
export function RunActions({ run }: { run: Run }): ReactNode {
  const mayWrite = useScope('write');
  const [asked, setAsked] = useState<'cancel' | 'judge' | 'again' | null>(null);
  useShortcuts(
    mayWrite
      ? [{ keys: 'Shift R', label: 'Run again', group: 'This page', run: () => setAsked('again') }]
      : [],
  );
  if (!mayWrite) return null;
  const close = (): void => setAsked(null);
  return (
    <>
      {run.tests.pending + run.tests.inProgress > 0 && (
        <Button look="danger" onClick={() => setAsked('cancel')}>
          Cancel the run
        </Button>
      )}
      {run.tests.completed > 0 && <Button onClick={() => setAsked('judge')}>Judge again</Button>}
      <Button look="primary" keys="Shift R" onClick={() => setAsked('again')}>
        Run again
      </Button>
      {asked === 'cancel' && <CancelRun run={run} onClose={close} />}
      {asked === 'judge' && <JudgeRun run={run} onClose={close} />}
      {asked === 'again' && <RunDialogOfTask title="Run again" taskId={run.taskId} onClose={close} />}
    </>
  );
}

interface DialogProps {
  run: Run;
  onClose: () => void;
}

function CancelRun({ run, onClose }: DialogProps): ReactNode {
  const cancel = useAction(['/v0'], cancelTests);
  return (
    <AskDialog
      title="Cancel the run"
      action={cancel.isPending ? 'Cancelling …' : 'Cancel the run'}
      isDanger
      isBusy={cancel.isPending}
      error={cancel.error}
      onConfirm={() => cancel.mutate(run.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p className="text-dim">
        Its {run.tests.pending + run.tests.inProgress} unfinished tests end as failed and count in no pass
        rate. Tests that have ended stay as they are.
      </p>
    </AskDialog>
  );
}

/** Cancels all tests of a run that have not ended; resolves to the last response. */
async function cancelTests(api: ApiClient, runId: string): Call<unknown> {
  const unfinished = () =>
    api.GET('/v0/tests', {
      params: { query: { runId: [runId], status: ['PENDING', 'IN_PROGRESS'], limit: CANCEL_PAGE } },
    });
  let page = await unfinished();
  for (let round = 0; round < CANCEL_ROUNDS && page.data && page.data.data.length > 0; round += 1) {
    for (const { id } of page.data.data) {
      const cancelled = await api.POST('/v0/tests/{id}/cancel', { params: { path: { id } } });
      // A test that has ended meanwhile needs no cancelling.
      if (!cancelled.response.ok && cancelled.response.status !== 409) return cancelled;
    }
    page = await unfinished();
  }
  return page;
}

function JudgeRun({ run, onClose }: DialogProps): ReactNode {
  const judge = useAction(['/v0'], (api, body: JudgeBody) =>
    api.POST('/v0/runs/{id}/evaluate', { params: { path: { id: run.id } }, body }),
  );
  return <JudgeAgainDialog judge={judge} onClose={onClose} />;
}
