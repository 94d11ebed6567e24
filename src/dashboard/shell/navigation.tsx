import { CircleHelp, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { AppLink } from '../app/url.tsx';
import { Brand } from '../ui/brand.tsx';
import { classNames } from '../ui/class-names.ts';
import { AccountMenu } from './account-menu.tsx';
import { ApplicationMenu } from './application-menu.tsx';
import { type Entry, GROUPS, useEntries } from './entries.ts';
import { NavigationMark } from './navigation-mark.tsx';
import { useNavigationMarks } from './use-attention.ts';

interface NavigationProps {
  onPalette: () => void;
  onHelp: () => void;
}

/** Leads to the screens, by kind of work. In a window below 1280 px it is a rail of icons. */
export function Navigation({ onPalette, onHelp }: NavigationProps): ReactNode {
  return (
    <header className="flex w-[206px] shrink-0 flex-col overflow-y-auto border-r border-line bg-panel px-2 pt-3 pb-2 max-[1279px]:w-[52px]">
      <div className="flex h-7 shrink-0 items-center px-2 max-[1279px]:px-1.5">
        <Brand />
      </div>
      <ApplicationMenu />
      <nav aria-label="Screens" className="grow">
        <button type="button" onClick={onPalette} title="Search (Ctrl K)" className={ENTRY}>
          <Search size={15} aria-hidden="true" className="shrink-0" />
          <span className={NAME}>Search</span>
        </button>
        <NavigationGroups />
      </nav>
      <button type="button" onClick={onHelp} title="Help and keys (?)" className={ENTRY}>
        <CircleHelp size={15} aria-hidden="true" className="shrink-0" />
        <span className={NAME}>Help and keys</span>
      </button>
      <AccountMenu />
    </header>
  );
}

const ENTRY =
  'flex h-7 w-full shrink-0 cursor-pointer items-center gap-2 rounded-md px-2 text-ink no-underline hover:bg-selection outline-offset-0';
const NAME = 'grow truncate text-left max-[1279px]:min-[720px]:sr-only';

/** The entries of all groups, each below its heading. */
export function NavigationGroups({ onChoose }: { onChoose?: () => void }): ReactNode {
  const entriesOf = useEntries();
  return GROUPS.map(([group, heading]) => {
    const entries = entriesOf(group);
    if (entries.length === 0) return null;
    const list = (
      <ul {...(heading !== '' && { 'aria-label': heading })}>
        {entries.map((entry) => (
          <NavigationEntry key={entry.screen.path} {...entry} onChoose={onChoose} />
        ))}
      </ul>
    );
    if (heading === '') return <div key={group}>{list}</div>;
    return (
      <div key={group} className="mt-2 max-[1279px]:border-t max-[1279px]:border-line max-[1279px]:pt-2">
        <p
          aria-hidden="true"
          className="px-2 pt-1 pb-0.5 text-label font-semibold text-dim max-[1279px]:min-[720px]:hidden"
        >
          {heading}
        </p>
        {list}
      </div>
    );
  });
}

function NavigationEntry({
  screen: { title, path, nav, key },
  isOpen,
  onChoose,
}: Entry & { onChoose: (() => void) | undefined }): ReactNode {
  const Icon = nav?.icon;
  const mark = useNavigationMarks().get(path);
  return (
    <li>
      <AppLink
        href={path}
        aria-current={isOpen ? 'page' : undefined}
        title={key === undefined ? title : `${title} (g ${key})`}
        className={classNames(ENTRY, 'max-[719px]:h-11', isOpen && 'bg-selection font-semibold text-accent')}
        {...(onChoose && { onClick: onChoose })}
      >
        {Icon && <Icon size={15} aria-hidden="true" className="shrink-0" />}
        <span className={NAME}>{title}</span>
        {mark && <NavigationMark mark={mark} className="max-[1279px]:min-[720px]:-ml-2" />}
      </AppLink>
    </li>
  );
}
