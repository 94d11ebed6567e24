import type { ReactNode } from 'react';
import { useAction } from '../api/use-api.ts';
import { useOpen } from '../app/url.tsx';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { announce } from '../ui/status-line.tsx';
import { fieldsOf, useDraft } from '../ui/use-draft.ts';

/** Creates a topic and opens it. */
export function NewTopicDialog({ onClose }: { onClose: () => void }): ReactNode {
  const open = useOpen();
  const draft = useDraft({ title: '' });
  const create = useAction(['/v0/topics'], (api, body: { title: string }) =>
    api.POST('/v0/topics', { body }),
  );
  const field = fieldsOf(draft, create.error);
  return (
    <AskDialog
      title="New topic"
      action="Create"
      isBusy={create.isPending}
      error={create.error}
      onConfirm={() =>
        create.mutate(draft.values, {
          onSuccess: ({ data: topic }) => {
            announce(`Topic “${topic.title}” created`);
            onClose();
            open(`/topics/${topic.id}`);
          },
        })
      }
      onClose={onClose}
    >
      <TextField label="Title" required maxLength={256} placeholder="Refunds" {...field('title')} />
    </AskDialog>
  );
}
