import { type ReactNode, useState } from 'react';
import type { Test } from '../../api/generated/schema.ts';
import { useAction } from '../api/use-api.ts';
import { useOpen } from '../app/url.tsx';
import { TextField } from '../ui/field.tsx';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { announce } from '../ui/status-line.tsx';

interface ActionDialogProps {
  test: Test;
  onClose: () => void;
}

/** Most tests that the dialog starts at once. */
const MAX_REPEAT = 100;

export function RunAgainDialog({ test, onClose }: ActionDialogProps): ReactNode {
  const open = useOpen();
  const [count, setCount] = useState(String((test.exampleIndex ?? 0) + 1));
  const run = useAction(['tests'], (api, repeat: number) =>
    api.POST('/v0/tasks/trigger', {
      params: { header: { prefer: 'return=representation' } },
      body: { taskIds: [test.taskId], repeat },
    }),
  );
  const repeat = Number(count);
  const isValid = Number.isInteger(repeat) && repeat >= 1 && repeat <= MAX_REPEAT;
  const start = (): void => {
    if (!isValid) return;
    run.mutate(repeat, {
      onSuccess: (started) => {
        const [first] = started?.data ?? [];
        const [testId] = first?.testIds ?? [];
        announce(repeat === 1 ? 'A test was started' : `${repeat} tests were started`);
        onClose();
        if (first && testId !== undefined) open(repeat === 1 ? `/tests/${testId}` : `/runs/${first.runId}`);
      },
    });
  };
  return (
    <AskDialog
      title="Run again"
      action="Run again"
      isBusy={run.isPending || !isValid}
      error={run.error}
      onConfirm={start}
      onClose={onClose}
    >
      <p className="text-dim">
        Starts a new run of the task. Its input examples are taken in turn, from the first one on
        {test.exampleIndex !== null && `; this test had example ${test.exampleIndex + 1}`}.
      </p>
      <TextField
        label="Tests"
        type="number"
        min={1}
        max={MAX_REPEAT}
        value={count}
        onChange={(event) => setCount(event.target.value)}
        problem={isValid ? undefined : `must be a whole number from 1 to ${MAX_REPEAT}`}
      />
    </AskDialog>
  );
}

export function ReplayDialog({ deliveryId, onClose }: ActionDialogProps & { deliveryId: string }): ReactNode {
  const replay = useAction([], (api, id: string) =>
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
  const cancel = useAction(['tests'], (api, id: string) =>
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
  const [force, setForce] = useState(false);
  const judge = useAction(['tests'], (api, id: string) =>
    api.POST('/v0/tests/{id}/evaluate', { params: { path: { id } }, body: { force } }),
  );
  const start = (): void =>
    judge.mutate(test.id, {
      onSuccess: ({ data: { evals } }) => {
        announce(evals === 0 ? 'Nothing has changed since the last verdicts' : `${evals} evals were started`);
        onClose();
      },
    });
  return (
    <AskDialog
      title="Judge again"
      action="Judge again"
      isBusy={judge.isPending}
      error={judge.error}
      onConfirm={start}
      onClose={onClose}
    >
      <p className="text-dim">
        Runs the evaluators whose definition, or whose view of the trace, has changed since the last verdict.
        Calls of judge models cost money.
      </p>
      <label className="flex items-center gap-2">
        <input type="checkbox" checked={force} onChange={(event) => setForce(event.target.checked)} />
        Also judge what has not changed
      </label>
    </AskDialog>
  );
}
