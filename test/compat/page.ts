/** The table between two markers of docs/compatibility.md. */
import type { Row } from './rows.ts';

const BEGIN = '<!-- npm run compat: begin -->';
const END = '<!-- npm run compat: end -->';

/**
 * Returns the page with other rows: all of them, or those of the same clients, in place or at the end. Throws if it lacks the markers.
 */
export function withTable(page: string, rows: readonly Row[], date: string, isComplete: boolean): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from === -1 || to < from) throw new Error('docs/compatibility.md lacks the markers of the table');
  const old = isComplete ? [] : page.slice(from, to).split('\n').slice(3, -1);
  const lines = new Map(old.map((line) => [clientOf(line), line]));
  for (const { client, versions, what, result } of rows)
    lines.set(client, `| ${client} | ${versions} | ${what} | ${result} | ${date} |`);
  const head = '| Client | Versions | What was run | Result | Date |\n|---|---|---|---|---|';
  return `${page.slice(0, from)}${BEGIN}\n${head}\n${[...lines.values()].join('\n')}\n${page.slice(to)}`;
}

const clientOf = (line: string): string => line.split(' | ')[0]?.replace(/^\| /, '') ?? '';
