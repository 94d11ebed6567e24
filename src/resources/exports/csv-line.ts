/** Characters with which a spreadsheet begins a formula, and apostrophes in front of them. */
const FORMULA = /^'*[=+\-@\t\r]/;
const GUARDED_FORMULA = /^'+[=+\-@\t\r]/;

/** Formats a row of a CSV file. */
export const csvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`;

/**
 * Formats a cell (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe in front: anybody may have
 * sent it.
 */
function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Removes the apostrophe that an export puts in front of a formula. */
export const withoutGuard = (text: string): string => (GUARDED_FORMULA.test(text) ? text.slice(1) : text);
