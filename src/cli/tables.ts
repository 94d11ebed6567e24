/** Formats rows under headings, in columns of sufficient width. */
export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  // A terminal interprets control characters, and cells may contain untrusted text.
  const all = [headings, ...rows.map((row) => row.map((cell) => cell.replace(/\p{C}/gu, '\uFFFD')))];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
