/** A statement as PostgreSQL takes it. */
export interface Translated {
  text: string;
  /** Names of the parameters $1, $2, … in their order; null if they are bound by position. */
  names: readonly string[] | null;
}

/** Parts of a statement that are left alone, and those that are translated: parameters, and names with capital letters. */
export const PARTS = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|::\w+|:([A-Za-z_]\w*)|\?|\b[a-z_][a-z0-9_]*[A-Z]\w*\b/g;

const numbered = (position: number): string => `$${position}`;

/**
 * Translates what the words of both engines leave: parameters have numbers, and names with capital letters are quoted,
 * which would be folded to small ones. `parameter` words a parameter by its position, counted from 1.
 */
export function translate(sql: string, parameter: (position: number) => string = numbered): Translated {
  const names: string[] = [];
  let count = 0;
  const text = sql.replaceAll(PARTS, (part, name: string | undefined) => {
    if (part === '?') {
      count += 1;
      return parameter(count);
    }
    if (name !== undefined) {
      if (!names.includes(name)) names.push(name);
      return parameter(names.indexOf(name) + 1);
    }
    return /^[a-z_]/.test(part) ? `"${part}"` : part;
  });
  return { text, names: count > 0 ? null : names };
}
