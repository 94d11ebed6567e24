/** Parameters of screens that hold the id of a user or a session, or text to search for. */
const PARAMETERS: ReadonlySet<string> = new Set(['q', 'search', 'user', 'userId', 'session', 'sessionId']);

/** Reports whether the filter of a view has an id: as a value of a parameter, or as a term of a filter line. */
export const filtersBy = (filter: Readonly<Record<string, readonly string[]>>, id: string): boolean =>
  Object.entries(filter).some(
    ([name, values]) =>
      PARAMETERS.has(name) && values.some((value) => value === id || termOf(id).test(value)),
  );

/** Returns a pattern for `user:<id>`, `session:<id>` or the id alone in a filter line, in quotes or without. */
function termOf(id: string): RegExp {
  const text = RegExp.escape(id);
  return new RegExp(`(?:^|\\s)(?:(?:user|session):)?(?:"${text}"|${text})(?:$|\\s)`);
}
