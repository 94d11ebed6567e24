import { type ReactNode, useState } from 'react';
import { useAction } from '../api/use-api.ts';
import { useOpen } from '../app/url.tsx';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { problemOf, TextField } from '../ui/field.tsx';

/** Begins a quickstart and opens its first step. */
export function NewQuickstartDialog({ onClose }: { onClose: () => void }): ReactNode {
  const open = useOpen();
  const [name, setName] = useState('');
  const create = useAction(['/v0/quickstarts'], (api, given: string) =>
    api.POST('/v0/quickstarts', { body: { name: given } }),
  );
  return (
    <AskDialog
      title="New quickstart"
      action="Create"
      isBusy={create.isPending || name.trim() === ''}
      error={create.error}
      onConfirm={() =>
        create.mutate(name, {
          onSuccess: ({ data }) => {
            onClose();
            open(`/quickstarts/${data.id}/upload`);
          },
        })
      }
      onClose={onClose}
    >
      <p className="text-dim">
        Its files become drafts of topics, tasks, documents and evaluators. Nothing is active before you
        confirm it.
      </p>
      <TextField
        label="Name"
        required
        maxLength={256}
        placeholder="Support chats of October"
        value={name}
        problem={problemOf(create.error, 'name')}
        onChange={({ target }) => setName(target.value)}
      />
    </AskDialog>
  );
}
