import { filterTokens } from '../../filter/tokens.ts';

/** Parameters of screens that hold the id of a user or a session, or text to search for. */
const PARAMETERS: ReadonlySet<string> = new Set(['q', 'search', 'user', 'userId', 'session', 'sessionId']);
/** Fields of a filter line that hold an id; words without a field may be one. */
const FIELDS: ReadonlySet<string> = new Set(['user', 'session', 'conversation', 'text']);

/** Reports whether the filter of a view has an id: as a value of a parameter, or as a term of a filter line. */
export const filtersBy = (filter: Readonly<Record<string, readonly string[]>>, id: string): boolean =>
  Object.entries(filter).some(
    ([name, values]) => PARAMETERS.has(name) && values.some((value) => value === id || hasTerm(value, id)),
  );

const hasTerm = (line: string, id: string): boolean =>
  filterTokens(line).some(
    ({ name, pieces }) =>
      (name === null || FIELDS.has(name.toLowerCase())) && pieces.some(({ text }) => text === id),
  );
