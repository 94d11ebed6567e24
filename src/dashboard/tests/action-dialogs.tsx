import type { ReactNode } from 'react';
import type { Test } from '../../api/generated/schema.ts';
import { useAction } from '../api/use-api.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { announce } from '../ui/status-line.tsx';
import { JudgeAgainDialog, type JudgeBody } from './judge-again-dialog.tsx';
import { StartDialog } from './start-dialog.tsx';

interface ActionDialogProps {
  test: Test;
  onClose: () => void;
}

export const RunAgainDialog = ({
  test: { taskId, exampleId, exampleIndex },
  onClose,
}: ActionDialogProps): ReactNode => (
  <StartDialog title="Run again" taskIds={[taskId]} suggested={1} exampleId={exampleId} onClose={onClose}>
    {exampleId === null
      ? 'Starts a new run of the task. '
      : `Starts a new run of the task with the same example${exampleIndex === null ? '' : `, number ${exampleIndex + 1}`}.`}
  </StartDialog>
);

export function ReplayDialog({ deliveryId, onClose }: ActionDialogProps & { deliveryId: string }): ReactNode {
  const replay = useAction(['/v0'], (api, id: string) =>
    api.POST('/v0/webhook/deliveries/{id}/replay', { params: { path: { id } } }),
  );
  const send = (): void =>
    replay.mutate(deliveryId, {
      onSuccess: ({ data }) => {
        announce(
          data.statusCode === 200 ? 'The app responded with 200; the test resumes' : (data.message ?? ''),
        );
        onClose();
      },
    });
  return (
    <AskDialog
      title="Replay the last delivery"
      action={replay.isPending ? 'Waiting for the app …' : 'Replay'}
      isBusy={replay.isPending}
      error={replay.error}
      onConfirm={send}
      onClose={onClose}
    >
      <p className="text-dim">
        Sends the same body to the webhook as it is configured now, with a new timestamp and signature. The
        app runs the test once more. If it responds with 200, this test resumes.
      </p>
    </AskDialog>
  );
}

export function CancelDialog({ test, onClose }: ActionDialogProps): ReactNode {
  const cancel = useAction(['/v0/tests'], (api, id: string) =>
    api.POST('/v0/tests/{id}/cancel', { params: { path: { id } } }),
  );
  return (
    <AskDialog
      title="Cancel the test"
      action="Cancel the test"
      isDanger
      isBusy={cancel.isPending}
      error={cancel.error}
      onConfirm={() => cancel.mutate(test.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p className="text-dim">
        The test ends as failed and counts in no pass rate. An app that has received it may still finish its
        work.
      </p>
    </AskDialog>
  );
}

export function JudgeDialog({ test, onClose }: ActionDialogProps): ReactNode {
  const judge = useAction(['/v0/tests'], (api, body: JudgeBody) =>
    api.POST('/v0/tests/{id}/evaluate', { params: { path: { id: test.id } }, body }),
  );
  return <JudgeAgainDialog judge={judge} onClose={onClose} />;
}
