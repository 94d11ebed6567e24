import { Bookmark } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { View } from '../../api/generated/schema.ts';
import { Button } from '../ui/button.tsx';
import { ErrorLine } from '../ui/error-panel.tsx';
import { Menu, MenuGroup, MenuItem, MenuLine } from '../ui/menu.tsx';
import { EditViewsDialog } from './edit-views-dialog.tsx';
import { isViewShown, type ViewState, openedState, savedState } from './view-state.ts';
import { useViewRights, useViews } from './use-views.ts';
import { ViewDialog } from './view-dialog.tsx';

interface ViewsMenuProps<T extends ViewState> {
  screen: View['screen'];
  state: T;
  defaults: T;
  onOpen: (patch: Partial<T>) => void;
}

/** Opens saved views of a screen, and saves what it shows. */
export function ViewsMenu<T extends ViewState>({
  screen,
  state,
  defaults,
  onOpen,
}: ViewsMenuProps<T>): ReactNode {
  const [dialog, setDialog] = useState<'save' | 'edit' | null>(null);
  const { maySave } = useViewRights();
  const shared = { screen, current: savedState(state, defaults), onClose: () => setDialog(null) };
  return (
    <>
      <Menu
        trigger={
          <Button>
            <Bookmark size={13} aria-hidden="true" />
            Views
          </Button>
        }
      >
        <SavedViews
          screen={screen}
          isOpen={(view) => isViewShown(view, state, defaults)}
          onOpen={(view) => onOpen(openedState(view, defaults))}
          onEdit={() => setDialog('edit')}
        />
        {maySave && <MenuItem onChoose={() => setDialog('save')}>Save this view …</MenuItem>}
      </Menu>
      {dialog === 'save' && <ViewDialog {...shared} view={null} />}
      {dialog === 'edit' && <EditViewsDialog {...shared} />}
    </>
  );
}

interface SavedViewsProps {
  screen: View['screen'];
  isOpen: (view: View) => boolean;
  onOpen: (view: View) => void;
  onEdit: () => void;
}

/** The part of the menu that is loaded when the menu opens. */
function SavedViews({ screen, isOpen: isChosen, onOpen, onEdit }: SavedViewsProps): ReactNode {
  const { data: answer, error } = useViews(screen);
  const { maySave } = useViewRights();
  if (error) return <ErrorLine error={error} className="px-2 py-1" />;
  if (!answer) return <Note>Loading …</Note>;
  const { data, pagination } = answer;
  if (data.length === 0)
    return (
      <Note>
        {maySave
          ? 'No views yet. A view keeps a filter and an order under a name.'
          : 'No views yet. Editors of the application can share some.'}
      </Note>
    );
  const groups = [
    ['Shared', data.filter(({ isShared }) => isShared)],
    ['Only you', data.filter(({ isShared }) => !isShared)],
  ] as const;
  return (
    <>
      {groups
        .filter(([, views]) => views.length > 0)
        .map(([label, views]) => (
          <MenuGroup key={label} label={label}>
            {views.map((view) => (
              <MenuItem key={view.id} onChoose={() => onOpen(view)}>
                <span aria-hidden="true" className="w-3 shrink-0">
                  {isChosen(view) ? '✓' : ''}
                </span>
                <span className="truncate">{view.name}</span>
                {isChosen(view) && <span className="sr-only">(open)</span>}
              </MenuItem>
            ))}
          </MenuGroup>
        ))}
      {pagination.total > data.length && (
        <Note>
          The first {data.length} of {pagination.total} views
        </Note>
      )}
      {maySave && (
        <>
          <MenuLine />
          <MenuItem onChoose={onEdit}>Edit views …</MenuItem>
        </>
      )}
    </>
  );
}

const Note = ({ children }: { children: ReactNode }): ReactNode => (
  <p className="max-w-[260px] px-2 py-1.5 text-dim">{children}</p>
);
