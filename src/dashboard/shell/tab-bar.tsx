import { CircleHelp, Ellipsis, Search } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { AppLink } from '../app/url.tsx';
import { classNames } from '../ui/class-names.ts';
import { Dialog } from '../ui/dialog.tsx';
import { AccountMenu } from './account-menu.tsx';
import { ApplicationMenu } from './application-menu.tsx';
import { GROUPS, useEntries } from './entries.ts';
import { NavigationGroups } from './navigation.tsx';
import { NavigationMark } from './navigation-mark.tsx';
import { useNavigationMarks } from './use-attention.ts';

/** Screens that stand in the bar; the others are behind `More`. */
const IN_BAR: ReadonlySet<string> = new Set(['/', '/issues', '/review', '/traces']);

interface TabBarProps {
  onPalette: () => void;
  onHelp: () => void;
}

/** Leads to the screens at the bottom of a phone. */
export function TabBar({ onPalette, onHelp }: TabBarProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  const entriesOf = useEntries();
  const marks = useNavigationMarks();
  const entries = GROUPS.flatMap(([group]) => entriesOf(group)).filter(({ screen }) =>
    IN_BAR.has(screen.path),
  );
  return (
    <header className="shrink-0 border-t border-line bg-panel">
      <nav aria-label="Screens" className="flex">
        {entries.map(({ screen: { path, title, nav }, isOpen: isCurrent }) => {
          const Icon = nav?.icon;
          const mark = marks.get(path);
          return (
            <AppLink
              key={path}
              href={path}
              aria-current={isCurrent ? 'page' : undefined}
              className={classNames(TAB, isCurrent ? 'font-semibold text-accent' : 'text-dim')}
            >
              {Icon && <Icon size={18} aria-hidden="true" />}
              {title}
              {mark && <NavigationMark mark={mark} className="absolute top-1 left-1/2 ml-3 text-axis" />}
            </AppLink>
          );
        })}
        <button
          type="button"
          aria-haspopup="dialog"
          className={classNames(TAB, 'text-dim')}
          onClick={() => setOpen(true)}
        >
          <Ellipsis size={18} aria-hidden="true" />
          More
        </button>
      </nav>
      <Dialog isOpen={isOpen} onClose={close} title="More" width="narrow">
        <div className="grid gap-1 overflow-y-auto p-3">
          <ApplicationMenu />
          <button
            type="button"
            className={ROW}
            onClick={() => {
              close();
              onPalette();
            }}
          >
            <Search size={15} aria-hidden="true" />
            Search
          </button>
          <nav aria-label="All screens">
            <NavigationGroups onChoose={close} />
          </nav>
          <button
            type="button"
            className={ROW}
            onClick={() => {
              close();
              onHelp();
            }}
          >
            <CircleHelp size={15} aria-hidden="true" />
            Help and keys
          </button>
          <AccountMenu />
        </div>
      </Dialog>
    </header>
  );
}

const TAB =
  'relative flex min-h-13 grow basis-0 cursor-pointer flex-col items-center justify-center gap-0.5 text-label no-underline outline-offset-[-2px]';
const ROW = 'flex h-11 w-full cursor-pointer items-center gap-2 rounded-md px-2 text-left hover:bg-selection';
