import { type ReactNode, useState } from 'react';
import type { CreateDocumentBody } from '../../api/generated/schema.ts';
import { useAction } from '../api/use-api.ts';
import { useOpen } from '../app/url.tsx';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { TextArea, TextField } from '../ui/field.tsx';
import { announce } from '../ui/status-line.tsx';
import { fieldsOf, useDraft } from '../ui/use-draft.ts';
import { NO_PLACE, placeBody, PlaceFields } from './place-fields.tsx';

/** Creates a document from a text, and opens it. */
export function NewDocumentDialog({ onClose }: { onClose: () => void }): ReactNode {
  const open = useOpen();
  const [place, setPlace] = useState(NO_PLACE);
  const draft = useDraft({ title: '', content: '' });
  const create = useAction(['/v0/documents'], (api, body: CreateDocumentBody) =>
    api.POST('/v0/documents', { body }),
  );
  const field = fieldsOf(draft, create.error);
  return (
    <AskDialog
      title="New document"
      action="Create"
      isWide
      isBusy={create.isPending}
      error={create.error}
      onConfirm={() =>
        create.mutate(
          { ...draft.values, ...placeBody(place) },
          {
            onSuccess: ({ document }) => {
              announce(`Document “${document.title}” created`);
              onClose();
              open(`/documents/${document.id}`);
            },
          },
        )
      }
      onClose={onClose}
    >
      <TextField label="Title" required maxLength={512} {...field('title')} />
      <TextArea
        label="Content"
        help="Text or Markdown, at most 1 MiB."
        required
        rows={10}
        {...field('content')}
      />
      <PlaceFields value={place} onChange={(patch) => setPlace({ ...place, ...patch })} />
    </AskDialog>
  );
}
