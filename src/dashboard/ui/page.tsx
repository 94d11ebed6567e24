import { type ReactNode, useEffect } from 'react';
import { useOpen } from '../app/url.tsx';
import type { Href } from '../app/paths.ts';
import { useShortcuts } from '../app/shortcuts.ts';

interface PageProps {
  title: string;
  /** Facts beside the title. */
  facts?: ReactNode;
  /** Buttons at the right of the title. */
  actions?: ReactNode;
  /** Links to the pages beside this one, below the title. */
  tabs?: ReactNode;
  /** Second line of the header, such as a filter. */
  bar?: ReactNode;
  /** Screen that `Esc` leads to. */
  back?: Href;
  children: ReactNode;
}

/** The frame of every screen: a header that stays, and the content below it. */
export function Page({ title, facts, actions, tabs, bar, back, children }: PageProps): ReactNode {
  const open = useOpen();
  useEffect(() => {
    document.title = `${title} · Touchstone`;
  }, [title]);
  useShortcuts(
    back === undefined ? [] : [{ keys: 'Esc', label: 'Back', group: 'This page', run: () => open(back) }],
  );
  return (
    <div className="flex h-full min-w-0 flex-col">
      <header className="shrink-0 border-b border-line">
        <div className="flex min-h-[44px] flex-wrap items-center gap-x-3 gap-y-1.5 px-4 py-2">
          <h1 className="min-w-0 truncate text-title font-semibold">{title}</h1>
          {facts}
          <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div>
        </div>
        {tabs !== undefined && <div className="px-4 pb-1.5">{tabs}</div>}
        {bar !== undefined && <div className="border-t border-line px-4 py-1.5">{bar}</div>}
      </header>
      <div className="min-h-0 grow overflow-auto">{children}</div>
    </div>
  );
}
