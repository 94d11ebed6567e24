/** Rows under headings, in columns as wide as they need to be. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  // A terminal obeys control characters, and cells may hold what a stranger sent.
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
