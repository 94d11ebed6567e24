/** List that the person opened a row of, so that `[` and `]` lead to the rows beside it. Kept for this tab. */
const KEY = 'touchstone.list';

export const rememberList = (hrefs: readonly string[]): void =>
  sessionStorage.setItem(KEY, JSON.stringify(hrefs));

/** Returns the row `by` places after the open one in the list that it was opened from; undefined at its ends. */
export function neighbourOf(path: string, by: 1 | -1): string | undefined {
  const hrefs = JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as string[];
  const at = hrefs.findIndex((href) => href.split('?', 1)[0] === path);
  return at === -1 ? undefined : hrefs[at + by];
}
