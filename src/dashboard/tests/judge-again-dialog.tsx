import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { announce } from '../ui/status-line.tsx';

export interface JudgeBody {
  force: boolean;
}

interface JudgeAgainProps {
  judge: UseMutationResult<{ data: { evals: number } }, Error, JudgeBody>;
  onClose: () => void;
}

/** Asks before the evaluators judge a test, or all tests of a run or of a task, once more. */
export function JudgeAgainDialog({ judge, onClose }: JudgeAgainProps): ReactNode {
  const [force, setForce] = useState(false);
  const start = (): void =>
    judge.mutate(
      { force },
      {
        onSuccess: ({ data: { evals } }) => {
          announce(
            evals === 0 ? 'Nothing has changed since the last verdicts' : `${evals} verdicts were requested`,
          );
          onClose();
        },
      },
    );
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
        Runs the evaluators whose settings, or whose view of a trace, have changed since the last verdict.
        Calls of judge models cost money.
      </p>
      <CheckField checked={force} onChange={setForce}>
        Also judge what has not changed
      </CheckField>
    </AskDialog>
  );
}
