/** Joins the names of classes, leaving out those that do not apply. */
export const classNames = (...names: (string | false | null | undefined)[]): string =>
  names.filter(Boolean).join(' ');
