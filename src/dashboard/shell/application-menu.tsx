import { ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSession } from '../api/session.ts';
import { PATHS } from '../app/paths.ts';
import { useOpen, usePath, withApplication } from '../app/url.tsx';
import { Menu, MenuChoices } from '../ui/menu.tsx';

/** Shows the application that the screens are about, and switches to another one. */
export function ApplicationMenu(): ReactNode {
  const { login, application } = useSession();
  const choose = useChooseApplication();
  return (
    <Menu
      trigger={
        <button
          type="button"
          title={application.name}
          className="mt-1 mb-2 flex h-8 w-full shrink-0 cursor-pointer items-center gap-1.5 rounded-md border border-line bg-page px-2 hover:border-edge"
        >
          <span className="sr-only">Application: </span>
          <span className="grow truncate text-left max-[1279px]:min-[720px]:sr-only">{application.name}</span>
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
    </Menu>
  );
}

/** Returns a function that shows the screen that is open, of another application. */
export function useChooseApplication(): (id: string) => void {
  const { chooseApplication } = useSession();
  const open = useOpen();
  const path = usePath();
  return (id) => {
    chooseApplication(id);
    // Ids in the path belong to the application that was open.
    const list = PATHS.find((one) => one === `/${path.split('/')[1] ?? ''}`);
    open(withApplication(list ?? '/', id));
  };
}
