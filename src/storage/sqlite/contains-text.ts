import { foldCase } from '../../contract/text-forms.ts';

/**
 * Creates the SQL function `contains_text(part, text …)`: 1 when one of the texts contains `part`, ignoring case and the form in
 * which accents are written.
 * LIKE, lower() and instr() of SQLite fold the case of ASCII only, and LIKE has wildcards.
 */
export function createContainsText(): (part: string, ...texts: (string | null)[]) => 0 | 1 {
  let lastPart = '';
  let folded = '';
  return (part, ...texts) => {
    // Consecutive rows are compared with the same part.
    if (part !== lastPart) [lastPart, folded] = [part, foldCase(part)];
    return texts.some((text) => text !== null && foldCase(text).includes(folded)) ? 1 : 0;
  };
}
