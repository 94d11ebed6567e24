import { ChevronsUpDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useScope, useSession } from '../api/session.ts';
import { Menu, MenuChoices, MenuItem, MenuLine } from '../ui/menu.tsx';
import { NewApplicationDialog } from './new-application-dialog.tsx';
import { useChooseApplication } from './use-choose-application.ts';

/** Shows the application that the screens are about, and switches to another one. */
export function ApplicationMenu(): ReactNode {
  const { login, application } = useSession();
  const choose = useChooseApplication();
  const mayCreate = useScope('admin');
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <Menu
        trigger={
          <button
            type="button"
            title={application.name}
            className="mt-1 mb-2 flex h-8 w-full shrink-0 cursor-pointer items-center gap-1.5 rounded-md border border-line bg-page px-2 hover:border-edge"
          >
            <span className="sr-only">Application: </span>
            <span className="grow truncate text-left max-[1279px]:min-[720px]:sr-only">
              {application.name}
            </span>
            <ChevronsUpDown size={13} aria-hidden="true" className="shrink-0 text-dim" />
          </button>
        }
      >
        <MenuChoices
          label="Application"
          value={application.id}
          choices={login.applications.map(({ id, name }) => [id, name] as const)}
          onChoose={choose}
        />
        {mayCreate && (
          <>
            <MenuLine />
            <MenuItem onChoose={() => setCreating(true)}>New application …</MenuItem>
          </>
        )}
      </Menu>
      {isCreating && <NewApplicationDialog onClose={() => setCreating(false)} />}
    </>
  );
}
