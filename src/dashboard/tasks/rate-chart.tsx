import type { ReactNode } from 'react';
import { formatPercent } from '../format/number.ts';
import { formatMoment } from '../format/time.ts';
import type { GroupRate } from '../reports/use-test-rates.ts';

const HEIGHT = 110;
const TOP = 8;
const SCALE = [1, 0.5, 0];

/** Draws pass rates of runs in their order, the oldest at the left, each with its interval. The table below has the numbers. */
export function RateChart({ points }: { points: readonly GroupRate[] }): ReactNode {
  const x = (index: number): string => `${((index + 0.5) / points.length) * 100}%`;
  const y = (share: number): number => TOP + (1 - share) * HEIGHT;
  const [first, last] = [points[0], points.at(-1)];
  const label = `Pass rate of ${points.length} runs, from ${formatPercent(first?.share ?? 0)} to ${formatPercent(last?.share ?? 0)}`;
  return (
    <div className="my-2 grid grid-cols-[40px_minmax(0,1fr)] gap-x-2">
      <div className="relative" aria-hidden="true">
        {SCALE.map((share) => (
          <span
            key={share}
            className="absolute right-0 -translate-y-1/2 text-axis text-dim"
            style={{ top: y(share) }}
          >
            {formatPercent(share)}
          </span>
        ))}
      </div>
      <svg role="img" aria-label={label} height={HEIGHT + 2 * TOP} className="w-full" overflow="visible">
        {SCALE.map((share) => (
          <line key={share} x1="0" x2="100%" y1={y(share)} y2={y(share)} className="stroke-line" />
        ))}
        {points.map(({ share, count, examples, interval, at }, index) => (
          <g key={at} className="stroke-accent" strokeWidth="2">
            <title>{`${formatMoment(at)}: ${formatPercent(share)} of ${count} tests, ${examples} examples`}</title>
            <line x1={x(index)} x2={x(index)} y1={y(interval.low)} y2={y(interval.high)} />
            <circle cx={x(index)} cy={y(share)} r="3.5" className="fill-accent" />
          </g>
        ))}
      </svg>
      <span />
      <div className="flex justify-between text-axis text-dim" aria-hidden="true">
        <span>{first && formatMoment(first.at)}</span>
        <span>{last && formatMoment(last.at)}</span>
      </div>
    </div>
  );
}
