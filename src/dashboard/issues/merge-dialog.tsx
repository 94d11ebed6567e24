import { type ReactNode, useState } from 'react';
import type { Issue } from '../../api/generated/schema.ts';
import { useAction } from '../api/use-api.ts';
import { useOpen } from '../app/url.tsx';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { announce } from '../ui/status-line.tsx';
import { type ChosenIssue, IssueChoice } from './issue-choice.tsx';

interface MergeDialogProps {
  issue: Pick<Issue, 'number'>;
  onClose: () => void;
}

/** Merges an issue into another one, which then opens. */
export function MergeDialog({ issue: { number }, onClose }: MergeDialogProps): ReactNode {
  const open = useOpen();
  const [chosen, setChosen] = useState<ChosenIssue | null>(null);
  const merge = useAction(['/v0/issues', '/v0/notes'], (api, into: string) =>
    api.POST('/v0/issues/{id}/merge', { params: { path: { id: String(number) } }, body: { into } }),
  );
  const target = chosen !== null && 'number' in chosen ? chosen.number : null;
  return (
    <AskDialog
      title="Merge into another issue"
      action="Merge"
      isDanger
      isBusy={merge.isPending || target === null}
      error={merge.error}
      onConfirm={() =>
        target !== null &&
        merge.mutate(String(target), {
          onSuccess: () => {
            announce(`Issue #${number} merged into #${target}`);
            onClose();
            open(`/issues/${target}`);
          },
        })
      }
      onClose={onClose}
    >
      <p className="text-dim">
        Its traces and notes move to the other issue. This one is rejected with a pointer to the other, and
        cannot be opened again.
      </p>
      <IssueChoice value={chosen} onChange={setChosen} offersNew={false} except={number} />
    </AskDialog>
  );
}
