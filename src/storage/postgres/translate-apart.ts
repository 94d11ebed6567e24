import { PARTS, type Translated } from './translate.ts';

/**
 * Translates a statement so that each place of a parameter has a number and so a type of its own. PostgreSQL rejects a parameter
 * that is a number in one place and a text in another, and one whose first place tells no type.
 */
export function translateApart(sql: string): Translated {
  const names: string[] = [];
  const text = sql.replaceAll(PARTS, (part, name: string | undefined, at: number) => {
    if (name === undefined) return /^[a-z_]/.test(part) ? `"${part}"` : part;
    names.push(name);
    const isCompared = /^\s+IS\s+(?:NOT\s+)?NULL\b/.test(sql.slice(at + part.length));
    return isCompared ? `CAST($${names.length} AS text)` : `$${names.length}`;
  });
  return { text, names };
}

/** SQLSTATE of a parameter with two types, and of one without any. */
const UNTYPED = ['42P08', '42P18'];
export const isUntyped = (code: string): boolean => UNTYPED.includes(code);
