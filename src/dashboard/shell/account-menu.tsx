import { CircleUserRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useSession } from '../api/session.ts';
import { singleKeys } from '../app/shortcuts.ts';
import { useStored } from '../app/stored.ts';
import { theme } from '../app/theme.ts';
import { Menu, MenuCheck, MenuChoices, MenuItem, MenuLine } from '../ui/menu.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { useSignOut } from './use-sign-out.ts';

export const THEMES = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** Shows who is signed in, with their preferences. */
export function AccountMenu(): ReactNode {
  const { login, application } = useSession();
  const leave = useSignOut();
  const [isChangingPassword, setChangingPassword] = useState(false);
  const chosenTheme = useStored(theme);
  const hasSingleKeys = useStored(singleKeys) === 'on';
  const name = login.user?.name ?? login.apiKey?.name ?? 'Signed in';
  return (
    <>
      <Menu
        side="top"
        trigger={
          <button
            type="button"
            title={name}
            className="mt-1 flex min-h-9 w-full cursor-pointer items-center gap-2 rounded-md px-2 py-1 hover:bg-selection"
          >
            <CircleUserRound size={15} aria-hidden="true" className="shrink-0" />
            <span className="min-w-0 grow text-left max-[1279px]:min-[720px]:sr-only">
              <span className="block truncate">{name}</span>
              <span className="block truncate text-axis text-dim">
                {roleOf(application.role, login.apiKey)}
              </span>
            </span>
          </button>
        }
      >
        <MenuChoices label="Theme" value={chosenTheme} choices={THEMES} onChoose={theme.write} />
        <MenuLine />
        <MenuCheck isOn={hasSingleKeys} onChange={(isOn) => singleKeys.write(isOn ? 'on' : 'off')}>
          Single-letter shortcuts
        </MenuCheck>
        <MenuLine />
        {login.user && <MenuItem onChoose={() => setChangingPassword(true)}>Change password</MenuItem>}
        <MenuItem onChoose={leave}>Sign out</MenuItem>
      </Menu>
      <PasswordDialog isOpen={isChangingPassword} onClose={() => setChangingPassword(false)} />
    </>
  );
}

const roleOf = (role: string | null, apiKey: unknown): string =>
  apiKey === null && role !== null ? role : 'API key';
