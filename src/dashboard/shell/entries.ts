import { useSession } from '../api/session.ts';
import type { Screen } from '../app/screen.ts';
import { usePath } from '../app/url.tsx';
import { SCREENS } from '../screens.ts';

type Group = NonNullable<Screen['nav']>['group'];

/** Groups of the navigation with their headings. */
export const GROUPS: readonly (readonly [group: Group, heading: string])[] = [
  ['daily', ''],
  ['observe', 'Observe'],
  ['test', 'Test'],
  ['setup', 'Set up'],
];

/** Screens that annotators see: those on which they read and judge. */
const OF_ANNOTATORS: ReadonlySet<Group> = new Set(['daily', 'observe']);

export interface Entry {
  screen: Screen;
  isOpen: boolean;
}

/** Returns the entries of a group that the person sees, in their order. */
export function useEntries(): (group: Group) => readonly Entry[] {
  const place = entryPath(usePath());
  const isAnnotator = useSession().application.role === 'annotator';
  return (group) =>
    isAnnotator && !OF_ANNOTATORS.has(group)
      ? []
      : SCREENS.filter(({ nav }) => nav?.group === group).map((screen) => ({
          screen,
          isOpen: isWithin(place, screen.path),
        }));
}

/** Returns the path of the entry that a screen belongs to, where it says so, else its own path. */
const entryPath = (path: string): string =>
  SCREENS.find(({ path: own, under }) => under !== undefined && isWithin(path, own.replace(/\/\$.*/, '')))
    ?.under ?? path;

const isWithin = (path: string, screen: string): boolean =>
  screen === '/' ? path === '/' : path === screen || path.startsWith(`${screen}/`);
