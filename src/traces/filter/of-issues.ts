/** SQL of the fields of a filter line that are about notes and issues, over the table `trace`. */
import type { FilterValue } from '../../filter/term.ts';
import { anyOf, hasPart, titled } from '../../storage/filter-sql.ts';
import type { SqlFragment } from '../../storage/sql.ts';
import { ifShown, type Shown } from '../withheld/store.ts';

interface OfCaller {
  application: number;
  /** Rows whose verdicts the caller may see: notes and links show what others think of a trace. */
  shown?: Shown | null | undefined;
}

const allOf = (conditions: readonly SqlFragment[]): SqlFragment => ({
  sql: conditions.map(({ sql }) => sql).join(' AND '),
  values: conditions.flatMap(({ values }) => values),
});

/** Returns the condition that a trace has a note with the value; null for any. */
export function withNote({ application, shown }: OfCaller, value: FilterValue | null): SqlFragment {
  const ofApplication = { sql: 'application = ?', values: [application] };
  const text = value ? [hasPart(value, 'content')] : [];
  const { sql, values } = ifShown(shown, allOf([ofApplication, ...text]), { trace: 'note.trace_id' });
  return { sql: `trace_id IN (SELECT trace_id FROM note WHERE ${sql})`, values };
}

/** Returns the condition that a trace is linked to an issue with the value; null for any. */
export function withIssue({ application, shown }: OfCaller, value: FilterValue | null): SqlFragment {
  const named = value && isNamed(value);
  const ofApplication = { sql: 'application = ?', values: [application] };
  const issues = named
    ? [
        {
          sql: `issue_id IN (SELECT id FROM issue WHERE application = ? AND ${named.sql})`,
          values: [application, ...named.values],
        },
      ]
    : [];
  const { sql, values } = ifShown(shown, allOf([ofApplication, ...issues]), {
    trace: 'issue_link.trace_id',
  });
  return { sql: `trace_id IN (SELECT trace_id FROM issue_link WHERE ${sql})`, values };
}

/** Returns the condition of a row of `issue` for its number, its id or its title. */
function isNamed(value: FilterValue): SqlFragment {
  const title = titled(value, 'title');
  if (value.is !== 'equal') return title;
  const text = value.text.replace(/^#/, '').toLowerCase();
  if (/^\d{1,9}$/.test(text)) return { sql: 'number = ?', values: [Number(text)] };
  return anyOf([title, { sql: 'id = ?', values: [text] }]);
}
