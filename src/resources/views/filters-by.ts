import { namesId } from '../../filter/names-id.ts';

/** Parameters of screens that hold the id of a user or a session, or text to search for. */
const PARAMETERS: ReadonlySet<string> = new Set(['q', 'search', 'user', 'userId', 'session', 'sessionId']);

/** Reports whether the filter of a view has an id: as a value of a parameter, or as a term of a filter line. */
export const filtersBy = (filter: Readonly<Record<string, readonly string[]>>, id: string): boolean =>
  Object.entries(filter).some(
    ([name, values]) => PARAMETERS.has(name) && values.some((value) => value === id || namesId(value, id)),
  );
