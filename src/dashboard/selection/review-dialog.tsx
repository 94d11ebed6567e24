import { type ReactNode, useState } from 'react';
import { useAction, useApi } from '../api/use-api.ts';
import { formatWhole } from '../format/number.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { SelectField } from '../ui/field.tsx';
import { announce } from '../ui/status-line.tsx';
import { doneText, type SelectedRows } from './chosen.ts';

export interface SelectionDialogProps {
  selection: SelectedRows;
  /** Number of rows that the page shows as selected. */
  count: number;
  onClose: () => void;
  onDone: () => void;
}

/** Adds the selected traces to a queue of reviewers. */
export function ReviewDialog({ selection, count, onClose, onDone }: SelectionDialogProps): ReactNode {
  const queues = useApi('/v0/human-annotation-queues', { query: { limit: 100 } });
  const list = queues.data?.data ?? [];
  const [chosen, setChosen] = useState('');
  const queue = list.find(({ id }) => id === chosen) ?? list[0];
  const add = useAction(['/v0/human-annotation-queues'], (api, queueId: string) =>
    api.POST('/v0/human-annotation-queue-items/bulk', { body: { queueId, selection } }),
  );
  return (
    <AskDialog
      title="Review"
      action={add.isPending ? 'Adding …' : `Add ${formatWhole(count)} to the queue`}
      isBusy={add.isPending || queue === undefined}
      error={queues.error ?? add.error}
      onConfirm={() =>
        queue &&
        add.mutate(queue.id, {
          onSuccess: ({ data }) => {
            announce(doneText(data, { did: `added to “${queue.title}”`, shown: count }));
            onClose();
            onDone();
          },
        })
      }
      onClose={onClose}
    >
      {queues.data && list.length === 0 ? (
        <p>There is no queue of reviews yet.</p>
      ) : (
        <SelectField
          label="Queue"
          value={queue?.id ?? ''}
          choices={list.map(({ id, title }) => [id, title] as const)}
          onChange={({ target }) => setChosen(target.value)}
        />
      )}
      <p className="text-dim">
        They are marked as chosen by hand, so that no rate is computed from them. Traces that wait in the
        queue already stay as they are.
      </p>
    </AskDialog>
  );
}
