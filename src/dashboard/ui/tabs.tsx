import type { ReactNode } from 'react';
import { AppLink } from '../app/url.tsx';
import type { Href } from '../app/paths.ts';
import { classNames } from './class-names.ts';

/** Part of a page with an address of its own. */
export interface TabLink {
  id: string;
  title: string;
  href: Href;
}

/** Returns the id of the open tab; the first one where the address names none that exists. */
export function openTab<Id extends string>(tabs: readonly [{ id: Id }, ...{ id: Id }[]], id: string): Id {
  const [first] = tabs;
  return (tabs.find((one) => one.id === id) ?? first).id;
}

interface TabLinksProps {
  label: string;
  tabs: readonly TabLink[];
  current: string;
}

/** Leads to the parts of a page. They are links, so that each can be shared. */
export const TabLinks = ({ label, tabs, current }: TabLinksProps): ReactNode => (
  <nav aria-label={label} className="-mb-1.5 flex min-w-0 gap-4 overflow-x-auto whitespace-nowrap">
    {tabs.map(({ id, title, href }) => (
      <AppLink
        key={id}
        href={href}
        aria-current={id === current ? 'page' : undefined}
        className={classNames(
          'border-b-2 py-1 no-underline',
          id === current
            ? 'border-accent font-semibold text-ink'
            : 'border-transparent text-dim hover:text-ink',
        )}
      >
        {title}
      </AppLink>
    ))}
  </nav>
);
