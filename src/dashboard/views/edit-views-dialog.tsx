import { type ReactNode, useState } from 'react';
import type { View } from '../../api/generated/schema.ts';
import { useAction } from '../api/use-api.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { RowAction } from '../ui/cells.tsx';
import { ConfirmRow } from '../ui/confirm.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Loaded } from '../ui/panel.tsx';
import { ViewDialog } from './view-dialog.tsx';
import type { SavedState } from './view-state.ts';
import { useViewRights, useViews } from './use-views.ts';

interface EditViewsProps {
  screen: View['screen'];
  current: SavedState;
  onClose: () => void;
}

/** Lists the views of a screen, to rename, share and delete them. */
export function EditViewsDialog({ screen, current, onClose }: EditViewsProps): ReactNode {
  const list = useViews(screen);
  const [edited, setEdited] = useState<View | null>(null);
  const [deleted, setDeleted] = useState<View | null>(null);
  if (edited !== null)
    return <ViewDialog screen={screen} view={edited} current={current} onClose={() => setEdited(null)} />;
  if (deleted !== null) return <DeleteView view={deleted} onClose={() => setDeleted(null)} />;
  return (
    <Dialog isOpen onClose={onClose} title="Views">
      <div className="overflow-y-auto px-4 py-2">
        <Loaded of={list}>
          {({ data }) =>
            data.length === 0 ? (
              <p className="py-2 text-dim">No views are left.</p>
            ) : (
              <ul>
                {data.map((view) => (
                  <ViewRow key={view.id} view={view} onEdit={setEdited} onDelete={setDeleted} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
      <div className="flex justify-end border-t border-line px-4 py-2.5">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

interface ViewRowProps {
  view: View;
  onEdit: (view: View) => void;
  onDelete: (view: View) => void;
}

function ViewRow({ view, onEdit, onDelete }: ViewRowProps): ReactNode {
  const { mayShare } = useViewRights();
  return (
    <li className="flex items-center gap-3 border-b border-line py-1.5 last:border-0">
      <span className="min-w-0 grow truncate">{view.name}</span>
      {view.isShared && <Badge>shared by {view.createdBy.name}</Badge>}
      {(mayShare || !view.isShared) && (
        <>
          <RowAction of={view.name} onClick={() => onEdit(view)}>
            Edit
          </RowAction>
          <RowAction isDanger of={view.name} onClick={() => onDelete(view)}>
            Delete
          </RowAction>
        </>
      )}
    </li>
  );
}

function DeleteView({ view, onClose }: { view: View; onClose: () => void }): ReactNode {
  const remove = useAction(['/v0/views'], (api, id: string) =>
    api.DELETE('/v0/views/{id}', { params: { path: { id } } }),
  );
  return (
    <ConfirmRow
      row={view}
      title={({ name }) => `Delete “${name}”?`}
      action="Delete the view"
      remove={remove}
      done={({ name }) => `View “${name}” deleted`}
      onClose={onClose}
    >
      {view.isShared
        ? 'It disappears for everyone of the application. What it shows stays.'
        : 'What it shows stays.'}
    </ConfirmRow>
  );
}
