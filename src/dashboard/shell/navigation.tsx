import { CircleHelp, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Screen } from '../app/screen.ts';
import { AppLink, usePath } from '../app/url.tsx';
import { SCREENS } from '../screens.ts';
import { classNames } from '../ui/class-names.ts';
import { Kbd } from '../ui/kbd.tsx';
import { AccountMenu } from './account-menu.tsx';
import { ApplicationMenu } from './application-menu.tsx';
import { Brand } from '../ui/brand.tsx';

interface NavigationProps {
  onPalette: () => void;
  onHelp: () => void;
}

export function Navigation({ onPalette, onHelp }: NavigationProps): ReactNode {
  const place = entryPath(usePath());
  const entries = (group: 'work' | 'define' | 'operate'): ReactNode =>
    SCREENS.filter(({ nav }) => nav?.group === group).map((screen) => (
      <NavigationEntry key={screen.path} screen={screen} isOpen={isWithin(place, screen.path)} />
    ));
  return (
    <header className="flex w-[206px] shrink-0 flex-col border-r border-line bg-panel px-2 pt-3 pb-2 max-[900px]:w-[52px]">
      <div className="flex h-7 items-center px-2 max-[900px]:px-1.5">
        <Brand />
      </div>
      <ApplicationMenu />
      <nav aria-label="Screens" className="min-h-0 grow overflow-y-auto">
        <button type="button" onClick={onPalette} className={ENTRY}>
          <Search size={15} aria-hidden="true" className="shrink-0" />
          <span className="grow text-left max-[900px]:sr-only">Search</span>
          <Hint keys="Ctrl K" />
        </button>
        <ul>{entries('work')}</ul>
        <ul className={GROUP}>{entries('define')}</ul>
        <ul className={GROUP}>{entries('operate')}</ul>
      </nav>
      <button type="button" onClick={onHelp} className={ENTRY}>
        <CircleHelp size={15} aria-hidden="true" className="shrink-0" />
        <span className="grow text-left max-[900px]:sr-only">Keyboard help</span>
        <Hint keys="?" />
      </button>
      <AccountMenu />
    </header>
  );
}

const GROUP = 'mt-2 border-t border-line pt-2';
const ENTRY =
  'flex h-7 w-full cursor-pointer items-center gap-2 rounded-md px-2 text-ink no-underline hover:bg-selection outline-offset-0';

function NavigationEntry({ screen, isOpen }: { screen: Screen; isOpen: boolean }): ReactNode {
  const { title, path, nav } = screen;
  const Icon = nav?.icon;
  return (
    <li>
      <AppLink
        href={path}
        aria-current={isOpen ? 'page' : undefined}
        title={title}
        className={classNames(ENTRY, isOpen && 'bg-selection font-semibold text-accent')}
      >
        {Icon && <Icon size={15} aria-hidden="true" className="shrink-0" />}
        <span className="grow truncate max-[900px]:sr-only">{title}</span>
        {nav?.key !== undefined && <Hint keys={`g ${nav.key}`} />}
      </AppLink>
    </li>
  );
}

const Hint = ({ keys }: { keys: string }): ReactNode => (
  <span className="text-dim max-[900px]:hidden">
    <Kbd keys={keys} />
  </span>
);

/** Returns the path of the entry that a screen belongs to, where it says so, else its own path. */
const entryPath = (path: string): string =>
  SCREENS.find(({ path: own, under }) => under !== undefined && isWithin(path, own.replace(/\/\$.*/, '')))
    ?.under ?? path;

const isWithin = (path: string, screen: string): boolean =>
  screen === '/' ? path === '/' : path === screen || path.startsWith(`${screen}/`);
