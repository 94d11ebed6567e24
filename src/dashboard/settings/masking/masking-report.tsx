import type { ReactNode } from 'react';
import type { MaskedValues } from '../../../api/generated/schema.ts';
import { useApi } from '../../api/use-api.ts';
import { formatWhole } from '../../format/number.ts';
import { DayColumns } from '../../ui/day-columns.tsx';
import { lastDays } from '../../format/time.ts';
import { Loaded, Section } from '../../ui/panel.tsx';
import { SmallTable } from '../../ui/small-table.tsx';

const DAYS = 30;
/** Attributes that are named for each rule; the others are only counted. */
const NAMED = 3;

/** Counts what each rule has masked, by day. */
export function MaskingReport(): ReactNode {
  const report = useApi('/v0/masking/report', { query: { days: DAYS } });
  return (
    <Section title={`Masked in the last ${DAYS} days`}>
      <Loaded of={report}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="py-1 text-dim">
              Nothing yet. Values are counted here for each rule, day and attribute; they themselves are not
              stored.
            </p>
          ) : (
            <Counts counts={data} />
          )
        }
      </Loaded>
    </Section>
  );
}

function Counts({ counts }: { counts: readonly MaskedValues[] }): ReactNode {
  const rules = [...Map.groupBy(counts, ({ detector }) => detector)]
    .map(([rule, rows]) => ({ rule, rows, total: sumOf(rows) }))
    .toSorted((a, b) => b.total - a.total);
  return (
    <SmallTable
      label="Masked values of each rule"
      isFixed
      heads={[
        ['Rule', 'w-[30%] py-1'],
        ['Values', 'w-[13%] pr-4 text-right'],
        ['By day', 'w-[25%]'],
        ['Most in', 'pl-4'],
      ]}
    >
      {rules.map(({ rule, rows, total }) => (
        <tr key={rule} className="border-t border-line align-middle">
          <th scope="row" className="truncate py-1.5 text-left font-semibold" title={rule}>
            {rule === 'removed' ? 'Removed attributes' : rule}
          </th>
          <td className="pr-4 text-right">{formatWhole(total)}</td>
          <td>
            <DayColumns
              label={`${rule} by day`}
              className="h-6"
              days={lastDays(DAYS).map((day) => {
                const value = sumOf(rows.filter((row) => row.day === day));
                return { day, value, title: formatWhole(value) };
              })}
            />
          </td>
          <td className="pl-4 text-label text-dim">{attributesOf(rows)}</td>
        </tr>
      ))}
    </SmallTable>
  );
}

/** Names the attributes of a rule, those with the most values first. */
function attributesOf(rows: readonly MaskedValues[]): ReactNode {
  const totals = [...Map.groupBy(rows, ({ attribute }) => attribute)]
    .map(([attribute, all]) => ({ attribute, total: sumOf(all) }))
    .toSorted((a, b) => b.total - a.total);
  const named = totals.slice(0, NAMED).map(({ attribute }) => attribute);
  const others = totals.length - named.length;
  return (
    <span className="block truncate" title={named.join(', ')}>
      <span className="font-mono">{named.join(', ')}</span>
      {others > 0 && ` and ${formatWhole(others)} more`}
    </span>
  );
}

const sumOf = (rows: readonly { count: number }[]): number => rows.reduce((sum, { count }) => sum + count, 0);
