import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

const HEIGHT = 56;

interface DayColumnsProps {
  label: string;
  /** Days in order; `title` says the value in words. */
  days: readonly { day: string; value: number; title: string }[];
  /** Height of the chart. */
  className: string;
}

/** A column for each day; days without a value have a line. */
export function DayColumns({ label, days, className }: DayColumnsProps): ReactNode {
  const most = Math.max(...days.map(({ value }) => value), 1e-9);
  return (
    <svg
      viewBox={`0 0 ${days.length * 10} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      className={classNames('w-full', className)}
    >
      {days.map(({ day, value, title }, index) => {
        const height = value > 0 ? Math.max((value / most) * (HEIGHT - 2), 1.5) : 1;
        return (
          <rect
            key={day}
            x={index * 10 + 1}
            width="8"
            y={HEIGHT - height}
            height={height}
            className={value > 0 ? 'fill-accent' : 'fill-line'}
          >
            <title>{`${day}: ${title}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}
