import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { formatSum, formatWhole } from '../format/number.ts';
import { formatDay } from '../format/time.ts';
import { Loaded, Section } from '../ui/panel.tsx';

const DAYS = 14;
const DAY_MS = 24 * 3_600_000;
const HEIGHT = 56;

/** Shows what judge models cost, day by day. */
export function Spend(): ReactNode {
  const days = Array.from({ length: DAYS }, (_, index) =>
    new Date(Date.now() - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
  const startDate = `${days[0]}T00:00:00.000Z`;
  const costs = useApi(['evals', 'costs', { startDate }], (api, signal) =>
    api.GET('/v0/evals/costs', { params: { query: { groupBy: 'day', startDate } }, signal }),
  );
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
                    without {formatWhole(unpriced)} evals whose model has no known price
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
  const most = Math.max(...days.map(({ cost }) => cost), 1e-9);
  const [first, last] = [days[0], days.at(-1)];
  return (
    <figure className="mt-1">
      <svg
        viewBox={`0 0 ${days.length * 10} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label="Spend by day"
        className="h-14 w-full"
      >
        {days.map(({ day, cost }, index) => {
          const height = cost > 0 ? Math.max((cost / most) * (HEIGHT - 2), 1.5) : 1;
          return (
            <rect
              key={day}
              x={index * 10 + 1}
              width="8"
              y={HEIGHT - height}
              height={height}
              className={cost > 0 ? 'fill-accent' : 'fill-line'}
            >
              <title>{`${day}: ${formatSum(cost)}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption className="flex justify-between text-axis text-dim">
        <span>{first && formatDay(new Date(first.day), new Date())}</span>
        <span>{last && formatDay(new Date(last.day), new Date())}</span>
      </figcaption>
    </figure>
  );
}
