/** The table between two markers of docs/compatibility.md. */
import type { Row } from './rows.ts';

const BEGIN = '<!-- npm run compat: begin -->';
const END = '<!-- npm run compat: end -->';

/** Returns the page with another table. Throws if it lacks the markers. */
export function withTable(page: string, rows: readonly Row[], date: string): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from === -1 || to < from) throw new Error('docs/compatibility.md lacks the markers of the table');
  const lines = rows.map(
    ({ client, versions, what, result }) => `| ${client} | ${versions} | ${what} | ${result} | ${date} |`,
  );
  const head = '| Client | Versions | What was run | Result | Date |\n|---|---|---|---|---|';
  return `${page.slice(0, from)}${BEGIN}\n${head}\n${lines.join('\n')}\n${page.slice(to)}`;
}
