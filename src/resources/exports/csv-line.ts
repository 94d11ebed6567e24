/**
 * Beginnings of cells that a spreadsheet would run as formulas, in the text of one cell. A spreadsheet that separates cells by
 * semicolons or tabs, as those of many languages do, splits the text itself; quotes and spaces may then stand before the formula.
 */
const FORMULAS = formulas('');
const GUARDED_FORMULAS = formulas("'");

/** Matches `guard` in front of what spreadsheets run: signs, also full-width ones, and at the beginning of a cell tabs and line ends. */
function formulas(guard: string): RegExp {
  const sign = '=+\\-@\uff1d\uff0b\uff0d\uff20\\t';
  const atCell = `(?<=^|[;\\t])${guard}(?=['" ]*[${sign}\\r\\n])`;
  return new RegExp(`${atCell}|(?<=[\\r\\n])${guard}(?=['" ]*[${sign}])`, 'g');
}

/** Formats a row of a CSV file. */
export const csvLine = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(csvCell).join(',')}\r\n`;

/**
 * Formats a cell (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe in front: anyone may have
 * sent it. `withoutGuard` removes it.
 */
function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = value.replaceAll(FORMULAS, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Removes the apostrophes that an export puts in front of formulas. */
export const withoutGuard = (text: string): string => text.replaceAll(GUARDED_FORMULAS, '');
