import { type ReactNode, useState } from 'react';
import type { View } from '../../api/generated/schema.ts';
import { useAction } from '../api/use-api.ts';
import { AskDialog } from '../ui/ask-dialog.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { TextField } from '../ui/field.tsx';
import { announce } from '../ui/status-line.tsx';
import { fieldsOf, useDraft } from '../ui/use-draft.ts';
import type { SavedState } from './view-state.ts';
import { useViewRights } from './use-views.ts';

interface ViewDialogProps {
  screen: View['screen'];
  /** View to change; null for a new one. */
  view: View | null;
  /** Filter, order and columns of the screen at present. */
  current: SavedState;
  onClose: () => void;
}

/** Saves what the screen shows as a view, or changes a view. */
export function ViewDialog({ screen, view, current, onClose }: ViewDialogProps): ReactNode {
  const { mayShare } = useViewRights();
  const draft = useDraft({ name: view?.name ?? '', isShared: view?.isShared ?? false });
  const [replaces, setReplaces] = useState(view === null);
  const save = useAction(['/v0/views'], (api, fields: Pick<View, 'name' | 'isShared'>) => {
    const body = { ...fields, ...(replaces && current) };
    return view === null
      ? api.POST('/v0/views', { body: { ...body, screen } })
      : api.PUT('/v0/views/{id}', { params: { path: { id: view.id } }, body });
  });
  const field = fieldsOf(draft, save.error);
  return (
    <AskDialog
      title={view === null ? 'Save a view' : 'Edit the view'}
      action="Save"
      isBusy={save.isPending || (view !== null && !draft.hasChanges && !replaces)}
      error={save.error}
      onConfirm={() =>
        save.mutate(draft.values, {
          onSuccess: () => {
            announce(`View “${draft.values.name}” saved`);
            onClose();
          },
        })
      }
      onClose={onClose}
    >
      {view === null && <p className="text-dim">A view keeps the filter, the order and the columns.</p>}
      <TextField label="Name" required maxLength={256} {...field('name')} />
      {mayShare && (
        <CheckField checked={draft.values.isShared} onChange={(isShared) => draft.change({ isShared })}>
          Shared with everybody of the application
        </CheckField>
      )}
      {view !== null && (
        <CheckField checked={replaces} onChange={setReplaces}>
          Replace its filter, order and columns with those of the screen
        </CheckField>
      )}
    </AskDialog>
  );
}
