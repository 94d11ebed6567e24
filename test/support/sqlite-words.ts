import { parseSync } from 'oxc-parser';
import { type Node, visit } from './syntax.ts';

/** SQL that only SQLite accepts, not PostgreSQL, and the replacement for each. */
const WORDS: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bjson_\w+\(|->>/, 'a fragment of src/storage/dialect.ts for JSON'],
  [/\bCROSS JOIN\b/, 'orderedJoin, or JOIN … ON true'],
  [/\b(?:NOT )?INDEXED\b/, 'byIndex'],
  [/(?:^|[\s(,=])\+[a-z_"$]/, 'unindexed'],
  [/\b(?:INSERT|UPDATE) OR\b|\bREPLACE INTO\b/, 'ON CONFLICT'],
  [/\bON CONFLICT DO UPDATE\b/, 'ON CONFLICT (…) DO UPDATE'],
  [/\biif\(/, 'CASE'],
  [/\bifnull\(/, 'coalesce'],
  [/\b(?:min|max)\((?:[^()]|\([^()]*\))*,/, 'lesser or greater'],
  [/\bsum\((?:[^()]|\([^()]*\))*[=<>]/, 'count(*) FILTER (WHERE …)'],
  [/\b(?:un)?hex\(/, 'hexOf, uuidOf or bytesOf'],
  [/\btotal\(/, 'totalOf'],
  [/\binstr\(/, 'positionOf'],
  [/\bx''/, 'noBytes'],
  [/\bLIMIT -1\b/, 'a large number'],
  [/\bpercentile\(/, 'percentileOf'],
  [/\b(?:strftime|unixepoch|julianday)\b/, 'isoTimeOf or isoDayOf'],
  [
    /\b(?:contains_text|matches_text|in_time|truncate_time)\(/,
    'containsText, matchesText, inTime or truncated',
  ],
  [/\bIS (?:NOT )?[?:(@]/, 'IS [NOT] DISTINCT FROM'],
  [/\browid\b|\bsqlite_\w+|\b(?:total_)?changes\(\)/, 'a column'],
  [/\bGLOB\b/, 'LIKE'],
  [/[\s(,]\?[1-9]/, 'a parameter with a name'],
];
/** The unary plus is an ordinary sign in other texts. */
const SQL = /\b(?:SELECT|FROM|WHERE|AND|OR|ORDER BY|GROUP BY|UPDATE|DELETE|INSERT)\b/;

/** The words of SQLite in the texts of one source, each with what to write in its place. */
export function sqliteWords(path: string, source: string): string[] {
  const found: string[] = [];
  visit(parseSync(path, source).program, (node) => {
    const text = textOf(node);
    if (text === null) return;
    for (const [word, instead] of WORDS) {
      const match = word.exec(text)?.[0].trim();
      if (match === undefined || (match.startsWith('+') && !SQL.test(text))) continue;
      found.push(`${path}: "${match}" is understood by SQLite alone; write ${instead}`);
    }
  });
  return found;
}

/** The text of a literal; `$` stands for what a template fills in. */
function textOf(node: Node): string | null {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null;
  if (node.type !== 'TemplateLiteral') return null;
  const quasis = node['quasis'] as { value: { raw: string } }[];
  return quasis.map(({ value }) => value.raw).join('$');
}
