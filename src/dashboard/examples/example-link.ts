import { formatSearch } from '../app/url.tsx';
import type { Href } from '../app/paths.ts';

/** State of the list of examples, which the URL of its task holds. `example` is the id of the one that is open, or `NEW`. */
export const LIST_DEFAULTS = {
  tab: 'overview',
  search: '',
  split: '',
  status: '',
  sort: 'position',
  skip: '0',
  example: '',
};
export type ListOfExamples = typeof LIST_DEFAULTS;

/** Stands in the URL for an example that is being added. */
export const NEW = 'new';

/** Returns the address of an example; the list behind it has the given state. */
export function exampleHref(taskId: string, example: string, list: Partial<ListOfExamples> = {}): Href {
  const state = { ...LIST_DEFAULTS, ...list, tab: 'examples', example };
  const names = Object.keys(LIST_DEFAULTS) as (keyof ListOfExamples)[];
  const set = names.filter((name) => state[name] !== LIST_DEFAULTS[name]);
  return `/tasks/${taskId}${formatSearch(Object.fromEntries(set.map((name) => [name, state[name]])))}`;
}
