/** SQL of the fields of a filter line that are about notes and issues, over the table `trace`. */
import type { FilterValue } from '../../filter/term.ts';
import { anyOf, hasPart, titled } from '../../storage/filter-sql.ts';
import type { SqlFragment } from '../../storage/sql.ts';

/** Returns the condition that a trace has a note with the value; null for any. */
export function withNote(application: number, value: FilterValue | null): SqlFragment {
  const text = value && hasPart(value, 'content');
  return {
    sql: `trace_id IN (SELECT trace_id FROM note WHERE application = ?${text ? ` AND ${text.sql}` : ''})`,
    values: [application, ...(text?.values ?? [])],
  };
}

/** Returns the condition that a trace is linked to an issue with the value; null for any. */
export function withIssue(application: number, value: FilterValue | null): SqlFragment {
  const named = value && isNamed(value);
  const issues = named
    ? ` AND issue_id IN (SELECT id FROM issue WHERE application = ? AND ${named.sql})`
    : '';
  return {
    sql: `trace_id IN (SELECT trace_id FROM issue_link WHERE application = ?${issues})`,
    values: [application, ...(named ? [application, ...named.values] : [])],
  };
}

/** Returns the condition of a row of `issue` for its number, its id or its title. */
function isNamed(value: FilterValue): SqlFragment {
  const title = titled(value, 'title');
  if (value.is !== 'equal') return title;
  const text = value.text.replace(/^#/, '').toLowerCase();
  if (/^\d{1,9}$/.test(text)) return { sql: 'number = ?', values: [Number(text)] };
  return anyOf([title, { sql: 'id = ?', values: [text] }]);
}
