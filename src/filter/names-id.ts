import { filterTokens } from './tokens.ts';

/** Fields of a filter line that hold the id of a user or a session; words without a field may be one. */
const FIELDS: ReadonlySet<string> = new Set(['user', 'session', 'conversation', 'text']);

/** Reports whether a term of a filter line is the id of a user or a session. */
export const namesId = (line: string, id: string): boolean =>
  filterTokens(line).some(
    ({ name, pieces }) =>
      (name === null || FIELDS.has(name.toLowerCase())) && pieces.some(({ text }) => text === id),
  );
