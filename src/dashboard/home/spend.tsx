import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { formatSum, formatWhole } from '../format/number.ts';
import { formatDay, lastDays } from '../format/time.ts';
import { DayColumns } from '../ui/day-columns.tsx';
import { Loaded, Section } from '../ui/panel.tsx';

const DAYS = 14;

/** Shows what judge models cost, day by day. */
export function SpendByDay(): ReactNode {
  const days = lastDays(DAYS);
  const startDate = `${days[0]}T00:00:00.000Z`;
  const costs = useApi('/v0/evals/costs', { query: { groupBy: 'day', startDate } }, { keepsRows: true });
  return (
    <Section title={`Spend on judges, last ${DAYS} days`}>
      <Loaded of={costs}>
        {({ data }) => {
          const total = data.reduce((sum, { cost }) => sum + (cost ?? 0), 0);
          const unpriced = data.reduce((sum, { unpricedEvals }) => sum + unpricedEvals, 0);
          const byDay = days.map((day) => ({ day, cost: data.find((one) => one.day === day)?.cost ?? 0 }));
          return (
            <div className="border-t border-line pt-2">
              <p>
                <span className="text-headline font-semibold">{formatSum(total)}</span>
                {unpriced > 0 && (
                  <span className="ml-2 text-label text-doubt">
                    without {formatWhole(unpriced)} verdicts whose model has no known price
                  </span>
                )}
              </p>
              <Columns days={byDay} />
            </div>
          );
        }}
      </Loaded>
    </Section>
  );
}

function Columns({ days }: { days: readonly { day: string; cost: number }[] }): ReactNode {
  const [first, last] = [days[0], days.at(-1)];
  return (
    <figure className="mt-1">
      <DayColumns
        label="Spend by day"
        className="h-14"
        days={days.map(({ day, cost }) => ({ day, value: cost, title: formatSum(cost) }))}
      />
      <figcaption className="flex justify-between text-axis text-dim">
        <span>{first && formatDay(new Date(first.day), new Date())}</span>
        <span>{last && formatDay(new Date(last.day), new Date())}</span>
      </figcaption>
    </figure>
  );
}
