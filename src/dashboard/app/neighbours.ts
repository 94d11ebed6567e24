import { fullPath } from './base-path.ts';
import type { Href } from './paths.ts';

/** List that the person opened a row of, so that `[` and `]` lead to the rows beside it. Kept for this tab. */
const KEY = 'touchstone.list';

/** Keeps the rows of a list. Rows that open on the page of the list itself do not replace the list that led to this page. */
export function rememberList(hrefs: readonly Href[]): void {
  if (hrefs.some((href) => fullPath(pathOf(href) ?? '') === location.pathname)) return;
  sessionStorage.setItem(KEY, JSON.stringify(hrefs));
}

const pathOf = (href: string): string | undefined => href.split('?', 1)[0];

/** Returns the row `by` places after the open one in the list that it was opened from; undefined at its ends. */
export function neighbourOf(path: string, by: 1 | -1): Href | undefined {
  const hrefs = JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as Href[];
  const at = hrefs.findIndex((href) => pathOf(href) === path);
  return at === -1 ? undefined : hrefs[at + by];
}
