/** Replaces U+0000, which cannot be stored in a text of PostgreSQL. */
export const withoutNul = (text: string): string =>
  text.includes('\0') ? text.replaceAll('\0', '\u{FFFD}') : text;
