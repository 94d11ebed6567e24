import { Outlet } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useSession } from '../api/session.ts';
import { neighbourOf } from '../app/neighbours.ts';
import type { Shortcut } from '../app/shortcuts.ts';
import { useShortcuts } from '../app/shortcuts.ts';
import { useOpen, usePath, withApplication } from '../app/url.tsx';
import { SCREENS } from '../screens.ts';
import { Help } from './help.tsx';
import { Navigation } from './navigation.tsx';
import { Palette } from './palette.tsx';
import { announce, StatusLine } from '../ui/status-line.tsx';

/** The frame around all screens: navigation, palette, help, and the keys that work everywhere. */
export function Shell(): ReactNode {
  const { application } = useSession();
  const [popup, setPopup] = useState<'palette' | 'help' | null>(null);
  const close = (): void => setPopup(null);
  useShortcuts(useGlobalShortcuts(setPopup));
  return (
    <div className="flex h-dvh min-w-0">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-page focus:p-2"
      >
        Skip to the content
      </a>
      <Navigation onPalette={() => setPopup('palette')} onHelp={() => setPopup('help')} />
      <main id="content" tabIndex={-1} className="min-w-0 grow outline-none">
        <Outlet key={application.id} />
      </main>
      <Palette isOpen={popup === 'palette'} onClose={close} onHelp={() => setPopup('help')} />
      <Help isOpen={popup === 'help'} onClose={close} />
      <StatusLine />
    </div>
  );
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
    else open(href);
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
    ...SCREENS.flatMap(({ path: screenPath, title, nav }) =>
      nav?.key === undefined
        ? []
        : [{ keys: `g ${nav.key}`, label: title, group: 'Go to', run: () => open(screenPath) }],
    ),
  ];
}
