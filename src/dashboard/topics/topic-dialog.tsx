import { type ReactNode, useState } from 'react';
import { useAction } from '../api/use-api.ts';
import { useOpen } from '../app/url.tsx';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { problemOf, TextField } from '../ui/field.tsx';
import { announce } from '../ui/status-line.tsx';

/** Creates a topic and opens it. */
export function NewTopicDialog({ onClose }: { onClose: () => void }): ReactNode {
  const open = useOpen();
  const [title, setTitle] = useState('');
  const create = useAction(['topics'], (api, name: string) =>
    api.POST('/v0/topics', { body: { title: name } }),
  );
  return (
    <AskDialog
      title="New topic"
      action="Create"
      isBusy={create.isPending}
      error={create.error}
      onConfirm={() =>
        create.mutate(title, {
          onSuccess: ({ data: topic }) => {
            announce(`Topic “${topic.title}” created`);
            onClose();
            open(`/topics/${topic.id}`);
          },
        })
      }
      onClose={onClose}
    >
      <TextField
        label="Title"
        required
        maxLength={256}
        placeholder="Refunds"
        problem={problemOf(create.error, 'title')}
        value={title}
        onChange={({ target }) => setTitle(target.value)}
      />
    </AskDialog>
  );
}
