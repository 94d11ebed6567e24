import { Outlet } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useSession } from '../api/session.ts';
import { neighbourOf } from '../app/neighbours.ts';
import type { Shortcut } from '../app/shortcuts.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { useWindowWidth } from '../app/window-width.ts';
import type { Href } from '../app/paths.ts';
import { formatSearch, parseSearch, useOpen, usePath, withApplication } from '../app/url.tsx';
import { SCREENS } from '../screens.ts';
import { Help } from './help.tsx';
import { Navigation } from './navigation.tsx';
import { TabBar } from './tab-bar.tsx';
import { Palette } from './palette.tsx';
import { announce, StatusLine } from '../ui/status-line.tsx';

/** The frame around all screens: navigation, palette, help, and the keys that work everywhere. */
export function Shell(): ReactNode {
  const { application } = useSession();
  const width = useWindowWidth();
  const [popup, setPopup] = useState<'palette' | 'help' | null>(null);
  const close = (): void => setPopup(null);
  useShortcuts(useGlobalShortcuts(setPopup));
  return (
    <div className="flex h-dvh min-w-0 max-[719px]:flex-col-reverse">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-page focus:p-2"
      >
        Skip to the content
      </a>
      {width === 'phone' ? (
        <TabBar onPalette={() => setPopup('palette')} onHelp={() => setPopup('help')} />
      ) : (
        <Navigation onPalette={() => setPopup('palette')} onHelp={() => setPopup('help')} />
      )}
      <main id="content" tabIndex={-1} className="min-h-0 min-w-0 grow outline-none">
        <Outlet key={application.id} />
      </main>
      <Palette isOpen={popup === 'palette'} onClose={close} onHelp={() => setPopup('help')} />
      <Help isOpen={popup === 'help'} onClose={close} />
      <StatusLine />
    </div>
  );
}

/** State of a trace that stays while one goes from row to row. */
const KEPT = ['tab', 'view', 'steps', 'deliveries'];

/** Returns the address of another trace with the tab and the view of the one that is open. */
function keepView(href: Href): Href {
  if (!href.startsWith('/traces/')) return href;
  const [path, query = ''] = href.split('?', 2) as [Href, string?];
  const now = parseSearch(location.search);
  const kept = Object.fromEntries(
    KEPT.flatMap((name) => (now[name] === undefined ? [] : [[name, now[name]]])),
  );
  return `${path}${formatSearch({ ...kept, ...parseSearch(query) })}` as Href;
}

function useGlobalShortcuts(setPopup: (popup: 'palette' | 'help') => void): readonly Shortcut[] {
  const open = useOpen();
  const path = usePath();
  const { application } = useSession();
  const copyLink = async (): Promise<void> => {
    await navigator.clipboard.writeText(
      location.origin + withApplication(location.pathname + location.search, application.id),
    );
    announce('Link copied');
  };
  const openNeighbour = (by: 1 | -1): void => {
    const href = neighbourOf(path, by);
    if (href === undefined)
      announce(by === 1 ? 'This is the last row of the list' : 'This is the first row of the list');
    else open(keepView(href));
  };
  const everywhere = 'Everywhere';
  return [
    {
      keys: 'Ctrl K',
      label: 'Go to any page, id or action',
      group: everywhere,
      run: () => setPopup('palette'),
    },
    { keys: '?', label: 'Show all keys', group: everywhere, run: () => setPopup('help') },
    { keys: '.', label: 'Copy a link to this page', group: everywhere, run: () => void copyLink() },
    { keys: '[', label: 'Previous row of the list', group: everywhere, run: () => openNeighbour(-1) },
    { keys: ']', label: 'Next row of the list', group: everywhere, run: () => openNeighbour(1) },
    ...SCREENS.flatMap(({ path: screenPath, title, key }) =>
      key === undefined
        ? []
        : [{ keys: `g ${key}`, label: title, group: 'Go to', run: () => open(screenPath) }],
    ),
  ];
}
