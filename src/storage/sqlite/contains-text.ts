/**
 * The SQL function `contains_text(part, text …)`: 1 when one of the texts contains `part`, upper and lower case being
 * the same. SQLite's own LIKE, lower() and instr() know the case of ASCII only, and LIKE has wildcards.
 */
export function containsText(): (part: string, ...texts: (string | null)[]) => 0 | 1 {
  let lastPart = '';
  let folded = '';
  return (part, ...texts) => {
    // It is called row by row with the same part.
    if (part !== lastPart) [lastPart, folded] = [part, foldCase(part)];
    return texts.some((text) => text !== null && foldCase(text).includes(folded)) ? 1 : 0;
  };
}

/**
 * Makes texts that differ in case only the same. Upper case alone would leave `ẞ` apart from `ß`, and lower case makes
 * one of two letters out of `Σ`, depending on where it stands.
 */
function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase();
}
