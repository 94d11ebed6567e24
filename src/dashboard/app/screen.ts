import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { Href, ScreenPath } from './paths.ts';

/** One screen of the dashboard. Add it to `screens.ts`, and it has a route, an entry in the navigation and in the palette. */
export interface Screen {
  /** Path with parameters, such as `/traces/$traceId`. */
  path: ScreenPath;
  /** Name in the navigation and in the palette. */
  title: string;
  /** Question that the screen answers, shown beside it in the palette. */
  question: string;
  /** Place in the navigation; without it, the screen is reached through others. */
  nav?: {
    /** Kind of work; `daily` stands above the named groups. */
    group: 'daily' | 'observe' | 'test' | 'setup';
    icon: LucideIcon;
  };
  /** Letter that opens the screen after `g`. The palette lists every screen that has one. */
  key?: string;
  /** Path of the entry that is marked while this screen is open, where its own path does not begin with it. */
  under?: ScreenPath;
  /** Ids that the palette opens with this screen. */
  finds?: {
    /** Kind of the thing, such as `trace`. */
    what: string;
    pattern: RegExp;
    href: (id: string) => Href;
  };
  /** Loads the page; it becomes a chunk of its own. */
  page: () => Promise<ComponentType>;
}

/** Pattern of ids that are uuids. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
